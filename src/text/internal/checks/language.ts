import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type Check, everything, make } from "./check.js"
import { languageOf } from "./languages.js"

/** The part of `eld` that is used. */
interface Detector {
  readonly detect: (text: string) => { readonly language: string; readonly isReliable: () => boolean }
}

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

/** The detector, an optional peer. Bundlers take the second function of `then` as a word that the package may be missing. */
export const load: Effect.Effect<Option.Option<Detector>> = Effect.promise(() =>
  import("eld/extrasmall").then(({ eld }) => Option.some<Detector>(eld), Option.none<Detector>)
)

export const language = (detector: Detector): Check =>
  make(
    {
      name: "language",
      severity: "error",
      explanation: "The translation is in another language than it should be in."
    },
    (pair) => {
      if (pair.translation.length < shortest) return undefined
      const detected = detector.detect(pair.translation)
      return detected.language === "" ||
        !detected.isReliable() ||
        isLike(detected.language, languageOf(pair.targetLang).name)
        ? undefined
        : everything(pair)
    }
  )
