/** Jobs over files with other options than those of the last run. */
import { writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Csv } from "effect-translate"
import { Json } from "effect-translate/formats"
import { TranslationJob } from "effect-translate/jobs"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { withService } from "./jobs.js"

const files = { "a.json": '{"a":"cat","b":"dog","c":"hen"}', "a.csv": "title\ncat\ndog\n" }

const jobIn = (folder: string) => ({
  sources: [
    sourceIn(folder, "a.json", { format: Json.format }),
    sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["title"] }) })
  ],
  options: { sourceLang: "en" },
  targets: ["de"] as const
})

const animals = (target: string) => ({
  glossary: {
    name: "animals",
    dictionaries: [{ sourceLang: "en", targetLang: "de", entries: [{ source: "cat", target }] }]
  }
})

describe("a job over files", () => {
  for (const [name, options] of Object.entries({
    formality: { formality: "more" },
    context: { context: "A farm" },
    modelType: { modelType: "quality_optimized" }
  } as const)) {
    it.effect(`translates anew what the machine has written if this option is another: ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(files)
        const job = jobIn(folder)
        yield* TranslationJob.run(job)
        writeFileSync(`${folder}/de/a.json`, textIn(folder, "de/a.json").replace(/"c":".*"/, '"c":"Huhn"'))
        yield* TranslationJob.run(job)
        const changed = { ...job, options: { ...job.options, ...options } }
        const { targets } = yield* TranslationJob.forecast(changed)
        const estimate = yield* TranslationJob.estimate(changed)
        const report = yield* TranslationJob.run(changed)
        expect(targets[0]).toMatchObject({ in: 5, translated: 4, cached: 0, skipped: 1 })
        expect(estimate).toMatchObject({ texts: 5, characters: 12 })
        expect(report.targets[0]).toMatchObject({ in: 5, translated: 4, cached: 0, skipped: 1 })
        expect(textIn(folder, "de/a.json")).toContain('"c":"Huhn"')
        expect((yield* TranslationJob.run(changed)).targets[0]).toMatchObject({ requests: 0 })
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.effect(
    "translates texts anew that hold terms of a glossary, and those that hold them next, as its forecast says",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderWith(files)
        const job = jobIn(folder)
        yield* TranslationJob.run(job)
        for (const target of ["Mieze", "Katze"]) {
          const given = { ...job, ...animals(target) }
          expect((yield* TranslationJob.forecast(given)).targets[0]).toMatchObject({ translated: 2, paid: 3 })
          yield* TranslationJob.run(given)
          expect(textIn(folder, "de/a.json")).toContain(target)
          expect(textIn(folder, "de/a.csv")).toContain(target)
          expect((yield* TranslationJob.forecast(given)).characters).toBe(0)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
