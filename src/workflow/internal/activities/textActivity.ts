import { WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as TranslateError from "../../../client/TranslateError.js"
import * as utf8 from "../../../internal/utf8.js"
import * as TranslationStore from "../../../store/TranslationStore.js"
import * as Outcome from "../../../stream/Outcome.js"
import { finishing, makeFlight } from "./activityHalt.js"
import * as activitySchema from "./activitySchema.js"
import * as sendOnce from "./sendOnce.js"

/**
 * The common options of activities about texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface TextsOptions {
  /** The key in the journal: unique in an execution, and the same in every run. */
  readonly name: string
  /**
   * The store of paid translations. A run after a crash finds the recordings of earlier ones there, and pays for requests in
   * flight only; those are `unknown` or `expired` in its ledger.
   * @default the `TranslationStore` of the context, if there is one
   */
  readonly store?: TranslationStore.Service | undefined
  /**
   * The treatment of texts without a store if an earlier run has sent a request, and its answer is lost: `fail` with
   * `InDoubt`, or `repeat` all requests, which may be billed twice. @default "fail"
   */
  readonly onInDoubt?: "fail" | "repeat" | undefined
}

/** The most bytes of texts: the result of an activity is a message of the engine, which takes 16 MiB. */
const mostBytes = 4 * 1024 * 1024

interface Given extends TextsOptions {
  readonly texts: ReadonlyArray<string>
  readonly endpoint: { readonly method: string; readonly path: string }
}

const check = ({ endpoint, texts }: Given) => {
  const bytes = texts.reduce((sum, text) => sum + utf8.byteLength(text), 0)
  const rule = `takes ${bytes} bytes, and an activity takes ${mostBytes}: make several activities of it`
  return bytes <= mostBytes
    ? Effect.void
    : Effect.fail(TranslateError.invalidRequest(endpoint, [{ field: "texts", rule }]))
}

const resultOf = (outcomes: ReadonlyArray<Outcome.Outcome<string>>): activitySchema.Texts => ({
  texts: outcomes.map(({ value }) => value),
  sourceLanguages: outcomes.map((outcome) =>
    "translations" in outcome ? (outcome.translations[0]?.detectedSourceLanguage ?? null) : null
  ),
  failures: outcomes.flatMap((outcome, index) =>
    Outcome.isFailed(outcome) ? [{ index, error: outcome.failures[0].error }] : []
  ),
  tally: outcomes.reduce(Outcome.add, Outcome.zero)
})

/** Runs texts through a stream, whose calls are made by `sending`. */
export const run = <R>(
  given: Given,
  stream: (
    texts: Stream.Stream<string>,
    store: TranslationStore.Service | undefined
  ) => Stream.Stream<Outcome.Outcome<string>, Outcome.StreamError, R>,
  sentBy: (
    send: sendOnce.Send
  ) => <A, E2, R2>(effect: Effect.Effect<A, E2, R2 | R>) => Effect.Effect<A, E2, R2 | R>
) =>
  Effect.gen(function* () {
    const { name, onInDoubt = "fail", texts } = given
    yield* check(given)
    const ofContext = yield* Effect.serviceOption(TranslationStore.TranslationStore)
    const store = given.store ?? Option.getOrUndefined(ofContext)
    const flight = makeFlight()
    const translated = (send: sendOnce.Send) =>
      Stream.runCollect(stream(Stream.fromIterable(texts), store)).pipe(
        Effect.map((outcomes) => resultOf([...outcomes])),
        sentBy((call) => Effect.scoped(Effect.zipRight(flight.begin, send(call))))
      )
    if (store !== undefined || onInDoubt === "repeat") {
      return yield* finishing(
        translated((call) => call),
        flight
      )
    }
    const { executionId } = yield* WorkflowInstance
    const { doubted, once } = yield* sendOnce.make(name)
    const failed = Effect.zipRight(
      doubted,
      Effect.fail(new activitySchema.InDoubt({ activity: name, execution: executionId }))
    )
    return yield* finishing(Effect.raceFirst(translated(once), failed), flight)
  })
