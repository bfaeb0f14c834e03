import * as Effect from "effect/Effect"
import type * as TranslateError from "../../client/TranslateError.js"
import type * as Translator from "../Translator.js"

export type Call = ReturnType<Translator.Service["translate"]>

interface Attempts {
  readonly attempts: number
  readonly ambiguousAttempts: number
}

const sum = (self: Attempts, that: Attempts): Attempts => ({
  attempts: self.attempts + that.attempts,
  ambiguousAttempts: self.ambiguousAttempts + that.ambiguousAttempts
})

const withAttempts = <E extends TranslateError.TranslateError>(error: E, attempts: Attempts): E =>
  new (error.constructor as new (fields: E) => E)({ ...error, ...attempts })

/** A call that repeats a refused one: the attempts of that count too, and what they may have cost. */
export const after = (refused: TranslateError.QuotaExceeded | undefined, call: Call): Call =>
  refused === undefined
    ? call
    : Effect.mapBoth(call, {
        onSuccess: (answer) => ({ ...answer, ...sum(answer, refused) }),
        onFailure: (error) => withAttempts(error, sum(error, refused))
      })
