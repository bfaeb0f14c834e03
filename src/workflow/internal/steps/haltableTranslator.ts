import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TranslateError from "../../../client/TranslateError.js"
import { extend } from "../../../internal/callHooks.js"
import type * as Translator from "../../../stream/Translator.js"

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

/**
 * A translator that sends nothing new once `halted` is done: a request that waits for its turn then is not sent, and ends its stream. There
 * may be many of them where a service allows few at once. `onHeld` is told of each.
 */
export const make = <E>(
  translator: Translator.Service,
  halted: Deferred.Deferred<never, E>,
  onHeld: () => void
): Translator.Service => {
  const until = Effect.ignore(Deferred.await(halted))
  const hold = Effect.suspend(() => {
    onHeld()
    return Effect.fail(heldBack)
  })
  return {
    ...translator,
    translate: (texts, options) =>
      // A call that was never sent is interrupted.
      Effect.catchAllCause(extend(translator.translate(texts, options), { halted: until }), (cause) =>
        Effect.flatMap(Deferred.isDone(halted), (isHalted) =>
          isHalted && Cause.isInterruptedOnly(cause) ? hold : Effect.failCause(cause)
        )
      )
  }
}
