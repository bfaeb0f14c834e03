import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect } from "@effect/vitest"
import * as Activity from "@effect/workflow/Activity"
import * as Workflow from "@effect/workflow/Workflow"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { TranslateError, TranslationStore } from "effect-translate"
import { Emulator } from "effect-translate/emulator"
import { GlossarySync } from "effect-translate/glossaries"
import { Activities } from "effect-translate/workflow"
import { emulated } from "../support/emulator.js"
import { sharedLayer } from "../support/sharedLayer.js"

const services = emulated().pipe(
  Layer.provideMerge(Layer.merge(NodeHttpClient.layerUndici, NodeContext.layer))
)

const test = sharedLayer(services)

/** Runs an effect as the body of a workflow. */
const inWorkflow = <A, I, E, EI, R>(
  success: Schema.Schema<A, I>,
  error: Schema.Schema<E, EI>,
  body: Effect.Effect<A, E, R>
) => {
  const workflow = Workflow.make({
    name: "Test",
    payload: { id: Schema.String },
    success,
    error,
    idempotencyKey: ({ id }) => id
  })
  return workflow.execute({ id: "1" }).pipe(
    Effect.provide(
      Layer.provideMerge(
        workflow.toLayer(() => body),
        WorkflowEngine.layerMemory
      )
    )
  )
}

const billed = Effect.flatMap(Emulator.Emulator, ({ meter }) =>
  Effect.map(meter, ({ characters }) => characters)
)

describe("Activities", () => {
  test("translate returns a text for each text, blank ones as they came, and the bill", () =>
    Effect.gen(function* () {
      const result = yield* inWorkflow(
        Activities.Texts,
        Activities.TextsError,
        Activities.translate({
          name: "translate/de",
          payload: { texts: ["Mug", " ", "Cup"], targetLang: "de" }
        })
      )
      expect(result).toEqual({
        texts: ["[de] Mûg", " ", "[de] Çûp"],
        sourceLanguages: ["en", null, "en"],
        failures: [],
        tally: {
          in: 3,
          translated: 2,
          cached: 0,
          skipped: 1,
          failed: 0,
          characters: 6,
          ambiguousCharacters: 0
        }
      })
    }))

  test("translate is run once for a name, and billed once", () =>
    Effect.gen(function* () {
      const before = yield* billed
      const once = Activities.translate({
        name: "translate/fr",
        payload: { texts: ["Plate"], targetLang: "fr" }
      })
      const results = yield* inWorkflow(
        Schema.Array(Activities.Texts),
        Activities.TextsError,
        Effect.all([once, once])
      )
      expect(results[1]).toEqual(results[0])
      expect((yield* billed) - before).toBe(5)
    }))

  test("translate finds paid translations in the store of the context", () =>
    Effect.gen(function* () {
      const before = yield* billed
      const of = (name: string) =>
        Activities.translate({ name, payload: { texts: ["Fork"], targetLang: "de" } })
      const [, second] = yield* inWorkflow(
        Schema.Tuple(Activities.Texts, Activities.Texts),
        Activities.TextsError,
        Effect.all([of("one"), of("two")])
      ).pipe(Effect.provide(TranslationStore.layerMemory()))
      expect(second.tally).toMatchObject({ cached: 1, characters: 0 })
      expect((yield* billed) - before).toBe(4)
    }))

  test("a text that can't be translated is a failure by its position", () =>
    Effect.gen(function* () {
      const { failures, texts } = yield* inWorkflow(
        Activities.Texts,
        Activities.TextsError,
        Activities.translate({
          name: "translate",
          payload: { texts: ["Mug", "x".repeat(200_000)], targetLang: "de" },
          oversized: "fail"
        })
      )
      expect(texts[0]).toBe("[de] Mûg")
      expect(failures).toMatchObject([{ index: 1, error: { _tag: "InvalidRequest" } }])
      expect(TranslateError.isTranslateError(failures[0]?.error)).toBe(true)
    }))

  test("an error that ends a stream fails the activity", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        inWorkflow(
          Activities.Texts,
          Activities.TextsError,
          Activities.translate({
            name: "translate",
            payload: { texts: ["Mug"], targetLang: "de", glossaryId: "not an id" }
          })
        )
      )
      expect(error._tag).toBe("InvalidRequest")
    }))

  test("more texts than a message of the engine takes are refused before anything is sent", () =>
    Effect.gen(function* () {
      const before = yield* billed
      const error = yield* Effect.flip(
        inWorkflow(
          Activities.Texts,
          Activities.TextsError,
          Activities.translate({
            name: "translate",
            payload: { texts: Array.from({ length: 50 }, () => "é".repeat(50_000)), targetLang: "de" }
          })
        )
      )
      expect(error.message).toContain("texts takes 5000000 bytes, and an activity takes 4194304")
      expect(yield* billed).toBe(before)
    }))

  test("write corrects and rephrases", () =>
    Effect.gen(function* () {
      const [corrected, rephrased] = yield* inWorkflow(
        Schema.Tuple(Activities.Texts, Activities.Texts),
        Activities.TextsError,
        Effect.all([
          Activities.write({ name: "correct", payload: { mode: "correct", texts: ["i has a mug"] } }),
          Activities.write({
            name: "rephrase",
            payload: { mode: "rephrase", texts: ["i has a mug"], targetLang: "en-GB", tone: "friendly" }
          })
        ])
      )
      expect(corrected.tally).toMatchObject({ translated: 1, characters: 11 })
      expect(rephrased.texts[0]).not.toBe(corrected.texts[0])
    }))

  test("a glossary is made once, and then equal", () =>
    Effect.gen(function* () {
      const payload: Activities.GlossaryPayload = {
        name: "terms",
        dictionaries: [{ sourceLang: "en", targetLang: "de", entries: [{ source: "mug", target: "Becher" }] }]
      }
      const [first, second] = yield* inWorkflow(
        Schema.Tuple(GlossarySync.Report, GlossarySync.Report),
        Activities.GlossaryError,
        Effect.all([
          Activities.glossarySync({ name: "one", payload }),
          Activities.glossarySync({ name: "two", payload })
        ])
      )
      expect(first).toMatchObject({ created: true, writes: 1 })
      expect(second).toMatchObject({ created: false, writes: 0, glossaryId: first.glossaryId })
    }))

  test("glossaries of two projects are two, and that of one is made once", () =>
    Effect.gen(function* () {
      const of = (name: string, project: string) =>
        Activities.glossarySync({
          name,
          payload: {
            project,
            dictionaries: [
              { sourceLang: "en", targetLang: "de", entries: [{ source: "mug", target: "Krug" }] }
            ]
          }
        })
      const [one, other, again] = yield* inWorkflow(
        Schema.Tuple(GlossarySync.Report, GlossarySync.Report, GlossarySync.Report),
        Activities.GlossaryError,
        Effect.all([of("one", "projectone"), of("other", "projecttwo"), of("again", "projectone")])
      )
      expect(one.glossaryId).not.toBe(other.glossaryId)
      expect(again).toMatchObject({ created: false, glossaryId: one.glossaryId })
    }))

  test("requests of an earlier run are in doubt, and not sent again", () =>
    Effect.gen(function* () {
      const before = yield* billed
      // The journal of a run that has ended between its request and its answer.
      const sent = Activity.make({
        name: "translate/sent",
        success: Schema.String,
        execute: Effect.succeed("earlier")
      })
      const body = Effect.zipRight(
        sent,
        Activities.translate({ name: "translate", payload: { texts: ["Spoon"], targetLang: "de" } })
      )
      const error = yield* Effect.flip(inWorkflow(Activities.Texts, Activities.TextsError, body))
      expect(Activities.isInDoubt(error)).toBe(true)
      expect(error.message).toContain('the activity "translate" of the execution')
      expect(yield* billed).toBe(before)
    }))

  test("requests in doubt are sent again if that is asked for", () =>
    Effect.gen(function* () {
      const sent = Activity.make({
        name: "write/sent",
        success: Schema.String,
        execute: Effect.succeed("earlier")
      })
      const result = yield* inWorkflow(
        Activities.Texts,
        Activities.TextsError,
        Effect.zipRight(
          sent,
          Activities.write({
            name: "write",
            payload: { mode: "correct", texts: ["Spoon"] },
            onInDoubt: "repeat"
          })
        )
      )
      expect(result.tally.translated).toBe(1)
    }))

  test("payloads and errors are JSON, and come back as they were", () =>
    Effect.sync(() => {
      const roundTrip = <A, I>(schema: Schema.Schema<A, I>, value: A): A =>
        Schema.decodeUnknownSync(schema)(JSON.parse(JSON.stringify(Schema.encodeSync(schema)(value))))
      const translate: Activities.TranslatePayload = {
        texts: ["Mug"],
        targetLang: "de",
        sourceLang: "en",
        formality: "more"
      }
      expect(roundTrip(Activities.TranslatePayload, translate)).toEqual(translate)
      const document: Activities.DocumentPayload = {
        file: "/in/a.pdf",
        output: "/out/a.pdf",
        targetLang: "de",
        outputFormat: "docx",
        translationMemoryThreshold: 80,
        overwrite: true
      }
      expect(roundTrip(Activities.DocumentPayload, document)).toEqual(document)
      const error = roundTrip(
        Activities.TextsError,
        new Activities.InDoubt({ activity: "translate", execution: "1" })
      )
      expect(Activities.isInDoubt(error)).toBe(true)
      expect(
        Either.isLeft(Schema.decodeUnknownEither(Activities.WritePayload)({ mode: "translate", texts: [] }))
      ).toBe(true)
    }))
})
