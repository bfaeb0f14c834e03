/** What a report says of texts that were not translated, though none has failed. */
import { writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { Csv, TranslationStore } from "effect-translate"
import { Formats, Json } from "effect-translate/formats"
import { TranslationJob } from "effect-translate/jobs"
import { folderWith, sourceIn, textIn } from "./fileSources.js"
import { withService } from "./jobs.js"

const everything = "All texts are translated, and the same again bills nothing."

describe("the report of a complete job", () => {
  it.effect("counts and names texts that hold letters and are nothing but placeholders, each time", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({
        "a.json": '{"a":"grr","b":"<none>","c":"<enter a value>","d":"17","e":" ","f":"%s","g":"–"}',
        "en.json": '{"a":"{n, plural, one {grr} other {hmm}}","only":"{n, number}"}'
      })
      const job = {
        sources: [
          sourceIn(folder, "a.json", { format: Json.format }),
          sourceIn(folder, "en.json", { format: Formats.detect })
        ],
        targets: ["de"] as const
      }
      for (const _ of [1, 2]) {
        const { end, outputs } = yield* TranslationJob.run(job)
        expect(outputs[0]?.onlyPlaceholders).toEqual({ texts: 3, keys: ["b", "c", "f"] })
        expect(outputs[1]?.onlyPlaceholders).toEqual({ texts: 1, keys: ["only"] })
        expect([end.state, end.next]).toEqual([
          "complete",
          expect.stringMatching(/^4 texts were left as they are.* All other texts are translated/)
        ])
      }
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("says so if there was no text", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"n":1}' })
      const { end } = yield* TranslationJob.run({
        sources: [sourceIn(folder, "a.json", { format: Json.format })],
        targets: ["de"]
      })
      expect(end.next).toBe("There was no text to translate. Nothing was billed.")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("counts translations of persons, in the output and of the store", () =>
    Effect.gen(function* () {
      const store = yield* TranslationStore.TranslationStore
      const at = DateTime.unsafeMake(0)
      yield* store.correct([{ source: "hmm", translation: "Berichtigt", targetLang: "de", at }])
      const folder = yield* folderWith({
        "a.json": '{"a":"grr","b":"hmm","c":"psst"}',
        "a.csv": "title\ngrr\n"
      })
      const job = {
        sources: [
          sourceIn(folder, "a.json", { format: Json.format }),
          sourceIn(folder, "a.csv", { format: Csv.make({ columns: ["title"] }) })
        ],
        targets: ["de"] as const
      }
      expect((yield* TranslationJob.run(job)).outputs.map(({ byPersons }) => byPersons)).toEqual([
        1,
        undefined
      ])
      writeFileSync(`${folder}/de/a.json`, textIn(folder, "de/a.json").replace(/"c":".*"/, '"c":"Von Hand"'))
      for (const _ of [1, 2]) {
        const { end, outputs } = yield* TranslationJob.run(job)
        expect([outputs[0]?.byPersons, end.next]).toEqual([2, expect.stringContaining(everything)])
      }
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
