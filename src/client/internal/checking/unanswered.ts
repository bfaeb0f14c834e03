import * as Effect from "effect/Effect"
import { type CallError, isUnanswered } from "../../TranslateError.js"
import type { Unknown } from "./languageSupportModel.js"

const messageOf = ({ method, path, status }: Unknown["error"]): string => {
  const why = status === 403 ? "the key lacks the scope, or is wrong" : "there is no such endpoint"
  return `${method} ${path} is answered with ${status} (${why}): options are not checked by it first, and the service refuses what it does not take.`
}

/** Asks a question whose answer is optional: `undefined` if the service leaves it open, which is logged once for each path. */
export type Ask = <A>(question: Effect.Effect<A, CallError>) => Effect.Effect<A | undefined, CallError>

export const make = (onUnknown: (unknown: Unknown) => Effect.Effect<void>): Ask => {
  const told = new Set<string>()
  return (question) =>
    Effect.catchIf(question, isUnanswered, (error) => {
      const isNew = !told.has(error.path)
      told.add(error.path)
      return Effect.as(
        Effect.when(onUnknown({ error, message: messageOf(error) }), () => isNew),
        undefined
      )
    })
}
