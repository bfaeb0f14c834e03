import * as Effect from "effect/Effect"
import type { Check } from "../../Check.js"
import { everything, make } from "./check.js"
import { languageOf } from "./languages.js"

/** Detectors need some words: of shorter texts they take names and terms for another language. */
const shortest = 80

/** Languages that the detector takes for one another, in texts of this length as well. */
const siblings: ReadonlyArray<ReadonlyArray<string>> = [
  ["nb", "no", "nn", "da"],
  ["id", "ms"],
  ["cs", "sk"],
  ["bs", "hr", "sr", "sl"],
  ["es", "ca", "gl"]
]

const isLike = (a: string, b: string): boolean =>
  a === b || siblings.some((names) => names.includes(a) && names.includes(b))

export const language: Effect.Effect<Check> = Effect.map(
  Effect.promise(() => import("eld/extrasmall")),
  ({ eld }) =>
    make(
      {
        name: "language",
        severity: "error",
        explanation: "The translation is in another language than it should be in."
      },
      (pair) => {
        if (pair.translation.length < shortest) return undefined
        const detected = eld.detect(pair.translation)
        return detected.language === "" ||
          !detected.isReliable() ||
          isLike(detected.language, languageOf(pair.targetLang).name)
          ? undefined
          : everything(pair)
      }
    )
)
