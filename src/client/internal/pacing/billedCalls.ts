import * as Cause from "effect/Cause"
import type * as ConfigError from "effect/ConfigError"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { SendGate } from "../../../internal/sendGate.js"
import type * as Auth from "../../Auth.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type { Documents } from "../../Documents.js"
import type * as Region from "../../Region.js"
import * as TranslateError from "../../TranslateError.js"
import type { Write } from "../../Write.js"
import type { Connection } from "../calling/connection.js"
import type { TextClient } from "../calling/textClient.js"

export type Call<A, E> = Effect.Effect<A, TranslateError.TranslateError | E>

/** The calls of a client that are billed: of texts, and of all else if it has them. */
export interface Billed extends Pick<TextClient, "translateText"> {
  readonly write?: Write | undefined
  readonly documents?: Documents | undefined
}

/** Makes a billed call by a client, as often as a policy says. A call that can't be repeated is sent once. */
export type Deliver<C> = <A, E = never>(send: (client: C) => Call<A, E>, isRepeatable?: boolean) => Call<A, E>

/** A client whose billed calls are made by a policy. */
export const billedBy = <C extends Billed>(client: C, policy: Deliver<C>): C => {
  const deliver = <A, E = never>(...call: Parameters<typeof policy<A, E>>) =>
    TranslateError.asCall<A, E>(policy(...call))
  return {
    ...client,
    translateText: (request) => deliver(({ translateText }) => translateText(request)),
    ...(client.write && {
      write: {
        rephrase: (request) => deliver(({ write }) => write!.rephrase(request)),
        correct: (request) => deliver(({ write }) => write!.correct(request))
      } satisfies Write
    }),
    ...(client.documents && {
      documents: {
        ...client.documents,
        upload: (source, options) =>
          deliver(({ documents }) => documents!.upload(source, options), source.isRepeatable)
      } satisfies Documents
    })
  }
}

/**
 * Another account for `QuotaPolicy.failOver`: its key, and all in which it differs from the first one.
 *
 * @since 0.1.0
 * @category models
 */
export interface Account extends Partial<Region.Options>, Auth.Options {
  /** The limit of its requests. @default an adaptive one of its own */
  readonly limit?: Effect.Effect<ConcurrencyLimit.Service, never, Scope.Scope> | undefined
  /** When its circuit opens. @default when the circuit of the first one opens */
  readonly circuit?: CircuitBreaker.Policy | undefined
}

/** A client that is to follow a policy, its connection, and the same over another one. */
export interface Given<C> {
  readonly client: C
  readonly connection: Connection
  readonly over: (connection: Connection) => Effect.Effect<C, never, Scope.Scope>
}

/** Makes a client that follows a policy. */
export type Apply = <C extends Billed>(
  given: Given<C>
) => Effect.Effect<C, ConfigError.ConfigError, Scope.Scope>

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

/** Adds earlier attempts to the number that `maySend` gets. */
const told = <A, E>(call: Call<A, E>, { ambiguousAttempts }: Attempts): Call<A, E> =>
  ambiguousAttempts === 0
    ? call
    : Effect.flatMap(SendGate, (open) =>
        open === undefined
          ? call
          : Effect.provideService(call, SendGate, () => {
              const maySend = open()
              return (attempts) => maySend(attempts + ambiguousAttempts)
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
