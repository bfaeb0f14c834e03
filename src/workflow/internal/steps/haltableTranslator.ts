import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as ConcurrencyLimit from "../../../client/ConcurrencyLimit.js"
import * as TranslateError from "../../../client/TranslateError.js"
import type * as Translator from "../../../client/Translator.js"
import { haltedBy } from "../../../internal/halted.js"

/** Ends the stream that wanted to send something: it tells nobody, as its step is done again later. */
const heldBack = new TranslateError.Outage({
  method: "POST",
  path: "/v2/translate",
  delivery: "not-sent",
  attempts: 0,
  ambiguousAttempts: 0,
  lastError: "JobStopped",
  failures: 0,
  lasted: Duration.zero
})

/** Conditions for the requests of a step. */
export interface Options<E> {
  /** The permits of requests, which all steps of the worker share. */
  readonly requests: Pick<ConcurrencyLimit.Service, "take">
  /** Waits for the turn of the job on this worker, until its first answers were judged. `false` if the job may not go on. */
  readonly judged: Effect.Effect<boolean>
  /** True if the job may go on. */
  readonly isOpen: Effect.Effect<boolean>
  readonly halted: Deferred.Deferred<never, E>
  /** Told of each request that is not sent. */
  readonly onHeld: () => void
  /** Run once the quota is used up: no other request of the job should be sent. */
  readonly onQuotaExceeded: Effect.Effect<void>
}

/**
 * A translator that sends nothing new once `halted` is done: a request that waits for its turn then is not sent, and ends its stream. There
 * may be many of them where a service allows few at once.
 */
export const make = <E>(
  translator: Translator.Service,
  { halted, isOpen, judged, onHeld, onQuotaExceeded, requests }: Options<E>
): Translator.Service => {
  const until = Effect.ignore(Deferred.await(halted))
  const hold = Effect.suspend(() => {
    onHeld()
    return TranslateError.asCall<never>(Effect.fail(heldBack))
  })
  return {
    ...translator,
    translate: (texts, options) =>
      haltedBy(translator.translate(texts, options), until).pipe(
        Effect.tapError((error) => (error._tag === "QuotaExceeded" ? onQuotaExceeded : Effect.void)),
        // A call that was never sent is interrupted.
        Effect.catchAllCause((cause) =>
          Effect.flatMap(Deferred.isDone(halted), (isHalted) =>
            isHalted && Cause.isInterruptedOnly(cause) ? hold : Effect.failCause(cause)
          )
        ),
        (call) =>
          Effect.acquireUseRelease(
            requests.take,
            () => Effect.flatMap(isOpen, (isOpen) => (isOpen ? call : hold)),
            ({ release }) => release
          ),
        (call) => Effect.flatMap(judged, (mayGoOn) => (mayGoOn ? call : hold))
      )
  }
}
