/**
 * Runs elements through an endpoint: checks the options, and puts scheduler, workers, store, budget and progress of a stream together.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import type * as ServiceKind from "../../api/ServiceKind.js"
import type * as Text from "../../api/Text.js"
import * as RequestChecks from "../../client/RequestChecks.js"
import * as RetryPolicy from "../../client/RetryPolicy.js"
import * as TranslateError from "../../client/TranslateError.js"
import * as tracing from "../../internal/tracing.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type * as Outcome from "../Outcome.js"
import type * as Progress from "../Progress.js"
import { observe } from "../ProgressObserver.js"
import * as ServiceLimits from "../ServiceLimits.js"
import * as Accounting from "./accounting.js"
import type * as Cost from "./cost.js"
import type * as Row from "./element.js"
import * as options from "./options.js"
import type { Lane } from "./reading.js"
import { Scheduler } from "./scheduler.js"
import * as Store from "./translationStore.js"
import { Verifier } from "./verifier.js"
import { Workers } from "./workers.js"

/** Sends texts, with another context than the stream's where one is given, and in their lane where those are apart. */
export type Send = (
  texts: ReadonlyArray<string>,
  context: string | undefined,
  lane: Lane
) => Effect.Effect<Cost.Answer, TranslateError.TranslateError>

/** Where the batches of a stream go. */
export interface Connection {
  readonly send: Send
  readonly kind: ServiceKind.ServiceKind | undefined
  /** The namespace of the translations, for a stream that has a store. */
  readonly namespace: Effect.Effect<TranslationStore.Namespace, TranslateError.TranslateError>
}

const mismatched = (
  { method, path }: { readonly method: string; readonly path: string },
  expected: number,
  { ambiguousAttempts, attempts, translations }: Cost.Answer
) =>
  new TranslateError.MismatchedResponse({
    method,
    path,
    delivery: "ambiguous",
    attempts,
    ambiguousAttempts: ambiguousAttempts + 1,
    status: 200,
    expected,
    received: translations.length
  })

const isReadable = ({ billedCharacters: billed }: Text.Translation): boolean =>
  billed === undefined || (billed >= 0 && Number.isSafeInteger(billed))

/** An answer whose cost is our own count of characters where the service's bill is implausible. That is logged once. */
const withReadableBill = (
  learned: ServiceLimits.Learned,
  answer: Cost.Answer
): Effect.Effect<Cost.Answer> => {
  const translations = answer.translations.map((translation) =>
    isReadable(translation) ? translation : { ...translation, billedCharacters: undefined }
  )
  const told = Effect.logWarning(
    "The service has billed a number that can't be (negative, a fraction, or too large). The characters are counted here: compare the sum with the bill."
  )
  return Effect.as(Effect.when(told, learned.doubtBill), { ...answer, translations })
}

const languagesOf = ({ sourceLang, targetLang }: Progress.Languages): Progress.Languages => ({
  sourceLang: sourceLang && LanguageCode.canonical(sourceLang),
  targetLang: targetLang && LanguageCode.canonical(targetLang)
})

/** Runs elements through an endpoint. Options are checked before anything is pulled. */
export const runStream = <A, B, E, R, O, I, S>(
  source: Stream.Stream<A, E, R>,
  elements: Row.Elements<A, B>,
  requests: options.Requests<O, I>,
  given: options.Options,
  connect: Effect.Effect<Connection, never, S>
): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | S> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const checked = yield* options.check(requests, given)
      const { kind, namespace, send } = yield* connect
      yield* RequestChecks.refuse(requests.endpoint, requests.problems ?? [], kind)
      const isTraced = tracing.isCollecting(yield* Effect.tracer)
      const languages = isTraced || given.progress !== undefined ? languagesOf(given) : undefined
      const observer = languages && given.progress?.[observe](languages)
      const store = yield* Store.open(given, namespace)
      const { endpoint, hash } = checked
      const learned = (given.serviceLimits ?? (yield* ServiceLimits.make())).of(endpoint.path, hash)
      const hasStore = store !== undefined
      const verifier = new Verifier(given, yield* RetryPolicy.RetryPolicy)
      const firstAnswers =
        checked.takesContext && given.verify !== undefined ? verifier.firstAnswers : undefined
      const scheduler = new Scheduler({
        ...checked,
        elements,
        learned,
        options: given,
        hasStore,
        verifier,
        firstAnswers
      })
      const workers = new Workers({
        source: yield* Stream.toPull(source),
        scheduler,
        send: (batch) =>
          Effect.suspend(() =>
            // The stream may have ended while the store or the budget was asked.
            scheduler.fatal === undefined
              ? Effect.flatMap(send(batch.texts, batch.context, batch.lane ?? "plain"), (answer) =>
                  answer.translations.length !== batch.texts.length
                    ? Effect.fail(mismatched(endpoint, batch.texts.length, answer))
                    : answer.translations.every(isReadable)
                      ? Effect.succeed(answer)
                      : withReadableBill(learned, answer)
                )
              : Effect.interrupt
          ),
        accounted: Accounting.make({
          budget: yield* options.budgetOf(given.budget),
          observer,
          traced: isTraced ? languages : undefined
        }),
        store,
        checks: verifier.asking,
        verdicts: given.store,
        observer,
        isTraced,
        context: yield* Effect.context<R>(),
        linger: given.linger,
        clock: yield* Effect.clock,
        scope: yield* Effect.scope
      })
      if (firstAnswers !== undefined) {
        scheduler.wake = workers.wake
        firstAnswers.join(scheduler)
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => firstAnswers.leave(scheduler, scheduler.permits.inFlight))
        )
      }
      yield* workers.run
      return Stream.repeatEffectChunkOption(workers.take)
    })
  )
