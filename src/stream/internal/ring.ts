import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as TranslateError from "../../client/TranslateError.js"
import type * as Translator from "../Translator.js"
import * as attempts from "./attempts.js"

/** One translator is in use. A 456 moves on to the next; a call goes no further than the last of its round. */
export const make = (translators: Arr.NonEmptyReadonlyArray<Translator.Service>): Translator.Service => {
  let inUse = 0
  const roundOf = (turn: number) => Math.floor(turn / translators.length)
  return {
    translate: (texts, options) => {
      const send = (refused?: TranslateError.QuotaExceeded): attempts.Call =>
        Effect.suspend(() => {
          const turn = inUse
          const { translate } = translators[turn % translators.length]!
          return Effect.catchTag(
            attempts.after(refused, translate(texts, options)),
            "QuotaExceeded",
            (error) => {
              // Another call may have moved on already.
              if (inUse === turn) inUse++
              return roundOf(inUse) === roundOf(turn) ? send(error) : Effect.fail(error)
            }
          )
        })
      return send()
    }
  }
}
