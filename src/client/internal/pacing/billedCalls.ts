import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import { CallHooks } from "../../../internal/callHooks.js"
import type { Service } from "../../TranslateClient.js"
import * as TranslateError from "../../TranslateError.js"

export type Call<A, E> = Effect.Effect<A, TranslateError.TranslateError | E>

/** Makes a billed call by a client, as often as a policy says. A call that can't be repeated is sent once. */
export type Deliver = <A, E = never>(
  send: (client: Service) => Call<A, E>,
  isRepeatable?: boolean
) => Call<A, E>

/** A client whose billed calls are made by a policy. */
export const billedBy = (client: Service, deliver: Deliver): Service => ({
  ...client,
  translateText: (request) => deliver(({ translateText }) => translateText(request)),
  write: {
    rephrase: (request) => deliver(({ write }) => write.rephrase(request)),
    correct: (request) => deliver(({ write }) => write.correct(request))
  },
  documents: {
    ...client.documents,
    upload: (source, options) =>
      deliver(({ documents }) => documents.upload(source, options), source.isRepeatable)
  }
})

interface Attempts {
  readonly attempts: number
  readonly ambiguousAttempts: number
}

const hasAttempts = (value: unknown): value is Attempts =>
  Predicate.hasProperty(value, "attempts") && Predicate.hasProperty(value, "ambiguousAttempts")

/** An answer or an error that tells earlier attempts too. */
const withAttempts = <A>(self: A, earlier: Attempts): A => {
  if (!hasAttempts(self)) return self
  const fields = {
    ...self,
    attempts: self.attempts + earlier.attempts,
    ambiguousAttempts: self.ambiguousAttempts + earlier.ambiguousAttempts
  }
  return TranslateError.isTranslateError(self)
    ? new (self.constructor as unknown as new (fields: Attempts) => A)(fields)
    : fields
}

/** Whoever is asked whether a call may be sent is told earlier attempts too. */
const told = <A, E>(call: Call<A, E>, { ambiguousAttempts }: Attempts): Call<A, E> =>
  ambiguousAttempts === 0
    ? call
    : Effect.flatMap(CallHooks, ({ maySend, ...hooks }) =>
        maySend === undefined
          ? call
          : Effect.provideService(call, CallHooks, {
              ...hooks,
              maySend: (attempts) => maySend(attempts + ambiguousAttempts)
            })
      )

/** A call that repeats a refused one: the attempts of that one count too, also if this one is halted before it is sent. */
export const after = <A, E>(
  refused: TranslateError.TranslateError | undefined,
  call: Call<A, E>
): Call<A, E> =>
  refused === undefined
    ? call
    : Effect.mapBoth(told(call, refused), {
        onSuccess: (answer) => withAttempts(answer, refused),
        onFailure: (error) => withAttempts(error, refused)
      }).pipe(
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause) ? Effect.fail(refused) : Effect.failCause(cause)
        )
      )

export const isQuotaExceeded = (error: unknown): error is TranslateError.QuotaExceeded =>
  TranslateError.isTranslateError(error) && error._tag === "QuotaExceeded"
