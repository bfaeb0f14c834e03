/** A service that does not translate, and durable jobs: its first answers are judged once a job, on all workers. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"
import { type CorpusJob, FileCorpus } from "effect-translate/workflow"
import { script } from "../job/jobs.js"
import { faults, reversed, sentences } from "../stream/implausible.js"
import { someOf } from "../support/long.js"
import { bench, done, withEmulator } from "./jobs.js"

const texts = sentences(150)

const csv = (texts: ReadonlyArray<string>) =>
  ["id,title", ...texts.map((text, id) => `${id},"${text}"`), ""].join("\n")

const corpora = {
  "one file": { "all.csv": csv(texts) },
  "fifteen files of ten": Object.fromEntries(
    Array.from({ length: 15 }, (_, n) => [`part-${n}.csv`, csv(texts.slice(10 * n, 10 * n + 10))])
  )
}

describe.each(Object.entries(corpora))("a durable job over %s", (name, files) => {
  const all = Object.entries(faults)
  it.scopedLive.each(name === "one file" ? all : someOf(all))(
    "is ended by two requests that are answered %s; nothing of them is stored, and the next run sends their texts again",
    ([, answer]) =>
      Effect.gen(function* () {
        const wrong = new Map(texts.map((text, index) => [text, answer(texts, 0)[index]!]))
        yield* script(Fault.mistranslate((source) => wrong.get(source)!).pipe(Fault.times(999)))
        const { folder, worker } = yield* bench({ files })
        const [first, ...rest] = Object.keys(files).map((name) => ({
          path: `${folder}/${name}`,
          output: `${folder}/{lang}/${name}`
        }))
        const corpus = yield* FileCorpus.reference({
          files: [first!, ...rest],
          columns: ["title"],
          stateFolder: `${folder}/.state`
        })
        const job: CorpusJob.CorpusJob = {
          id: "job",
          corpus,
          targets: ["de"],
          options: { sourceLang: "en" }
        }
        yield* Effect.gen(function* () {
          const { clear, meter } = yield* Emulator.Emulator
          const { error, state } = yield* done(job)
          expect([state, error?.tag]).toEqual(["failed", "ImplausibleAnswers"])
          expect((yield* meter).faults).toBe(2)
          const store = yield* TranslationStore.TranslationStore
          expect((yield* store.stats).translations).toBe(0)
          yield* clear
          yield* script(Fault.mistranslate(reversed).pipe(Fault.times(999)))
          expect((yield* done(job)).targets[0]).toMatchObject({ translated: 150, cached: 0 })
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
  )
})
