/** What PostgreSQL is asked for the requests of a stream. */
import { NodeContext, NodeHttpClient } from "@effect/platform-node"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream, TranslationStore } from "effect-translate"
import { PgClient, PgTranslationStore } from "effect-translate/postgres"
import { SqlBudget } from "effect-translate/workflow"
import { countedPostgres } from "../support/countedPostgres.js"
import { emulated } from "../support/emulator.js"

const requests = 40
const maxTexts = 50

const texts = (name: string) => Array.from({ length: requests * maxTexts }, (_, n) => `${name} ${n}`)

const service = Layer.provide(emulated({ latency: "20 millis" }), NodeHttpClient.layerUndici)

const counted = Effect.gen(function* () {
  const { counts, url } = yield* countedPostgres
  const context = yield* Layer.build(
    Layer.provideMerge(
      PgTranslationStore.layer({ url, lease: "1 hour" }),
      Layer.merge(PgClient.layer({ url }), NodeContext.layer)
    )
  )
  const store = yield* Effect.provide(TranslationStore.TranslationStore, context)
  const run = (name: string, options: Partial<TranslateStream.Options> = {}, chunk = 200) =>
    Stream.fromIterable(texts(name)).pipe(
      Stream.rechunk(chunk),
      TranslateStream.translate({ targetLang: "de", store, maxTexts, ...options }),
      Stream.run(Outcome.tally)
    )
  // Whoever asks first makes the tables, and names what is asked for.
  yield* run("before")
  yield* counts
  return { counts, context, run }
})

describe("PostgreSQL is asked for", () => {
  /** One at a time: requests that are under way side by side share some. */
  const alone = { concurrency: 1 }

  it.scopedLive("a request of new texts by three statements, each of which is a commit", () =>
    Effect.gen(function* () {
      const { counts, run } = yield* counted
      expect(yield* run("new", alone)).toMatchObject({ translated: requests * maxTexts })
      const { commits, statements } = yield* counts
      expect(commits / requests).toBeLessThanOrEqual(3)
      expect(statements / requests).toBeLessThanOrEqual(3)
    }).pipe(Effect.provide(service))
  )

  for (const [name, cap] of [
    ["without a cap", undefined],
    ["with a cap", 1_000_000]
  ] as const) {
    it.scopedLive(`the same with a budget ${name}`, () =>
      Effect.gen(function* () {
        const { context, counts, run } = yield* counted
        const budget = yield* Effect.provide(SqlBudget.make({ name: "budget", cap }), context)
        yield* counts
        const { characters } = yield* run("new", { budget, ...alone })
        const { commits, statements } = yield* counts
        expect(commits / requests).toBeLessThanOrEqual(3)
        expect(statements / requests).toBeLessThanOrEqual(3)
        expect(yield* budget.state).toMatchObject({ spent: characters, reserved: 0 })
      }).pipe(Effect.provide(service))
    )
  }

  it.scopedLive("stored texts by hundreds, however they come", () =>
    Effect.gen(function* () {
      const { counts, run } = yield* counted
      yield* run("stored")
      yield* counts
      expect(yield* run("stored", {}, 20)).toMatchObject({ cached: requests * maxTexts })
      expect((yield* counts).statements).toBeLessThanOrEqual((requests * maxTexts) / 200)
    }).pipe(Effect.provide(service))
  )
})
