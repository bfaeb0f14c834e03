/** Durable jobs with a version of a project's glossary. */
import { expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { TranslateClient } from "effect-translate"
import { GlossaryEntries, GlossarySync } from "effect-translate/glossaries"
import { bench, billed, done, withEmulator } from "./jobs.js"

const texts = ["Open the basket", "Close the doors", "Good bye"]

const versionOf = (...terms: ReadonlyArray<[string, string]>) =>
  GlossarySync.sync({
    project: "0123456789abcdef",
    dictionaries: [{ sourceLang: "en", targetLang: "de", entries: GlossaryEntries.fromTerms(terms) }]
  })

it.scopedLive(
  "a durable job sends the texts that hold changed terms of its glossary, and keeps the glossary for a month",
  () =>
    Effect.gen(function* () {
      const { jobOver, output, worker } = yield* bench({
        files: { "texts.csv": ["title", ...texts].join("\n") }
      })
      const jobs = Effect.gen(function* () {
        const runWith = (id: string, ...terms: ReadonlyArray<[string, string]>) =>
          Effect.gen(function* () {
            const { glossaryId } = yield* versionOf(...terms)
            const before = yield* billed
            const options = { sourceLang: "en", glossaryId }
            const job = yield* jobOver("texts.csv", { id, targets: ["de"], options })
            expect(yield* done(job)).toMatchObject({ state: "done" })
            return { glossaryId, characters: (yield* billed) - before }
          })
        expect((yield* runWith("first", ["basket", "Korb"])).characters).toBe(texts.join("").length)
        const second = yield* runWith("second", ["basket", "Korb"], ["door", "Pforte"])
        expect(second.characters).toBe("Close the doors".length)
        expect(output("de", "texts.csv")).toContain("Korb")
        return second.glossaryId ?? ""
      })
      const glossaryId = yield* Effect.provide(jobs, worker)
      const { glossaries } = yield* TranslateClient.TranslateClient
      const { name } = yield* glossaries.get(glossaryId)
      const until = Date.parse(/until (\S+)\)$/.exec(name)?.[1] ?? "")
      const days = (until - (yield* DateTime.now).epochMillis) / 86_400_000
      expect(days).toBeGreaterThan(29)
    }).pipe(withEmulator())
)
