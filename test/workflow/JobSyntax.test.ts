import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { FileCorpus } from "effect-translate/workflow"
import { bench, done, withEmulator } from "./jobs.js"

it.scopedLive(
  "a durable job protects the syntax that it names, and sends what nothing reads if it is told to",
  () =>
    Effect.gen(function* () {
      const { folder, output, worker } = yield* bench({
        files: { "a.json": '{"a":"Mug :name","b":"ACME Mug ##x##"}' }
      })
      yield* Effect.gen(function* () {
        const corpusOf = (lang: string) =>
          FileCorpus.reference({
            files: [{ path: `${folder}/a.json`, output: `${folder}/${lang}/a.json` }],
            stateFolder: `${folder}/.state-${lang}`
          })
        const told = yield* done({ id: "told", corpus: yield* corpusOf("{lang}/told"), targets: ["de"] })
        expect(told.targets[0]).toMatchObject({ translated: 0, failed: 2 })
        const syntax = { protect: ["laravel", /\bACME\b/], notUnderstood: "ignore" } as const
        const sent = yield* done({ id: "sent", corpus: yield* corpusOf("{lang}"), targets: ["de"], syntax })
        expect(sent.targets[0]).toMatchObject({ translated: 2, failed: 0 })
        expect(output("de", "a.json")).toContain(":name")
        expect(output("de", "a.json")).toContain("ACME")
      }).pipe(Effect.provide(worker))
    }).pipe(withEmulator())
)
