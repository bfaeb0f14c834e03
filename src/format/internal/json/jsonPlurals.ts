import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import * as Format from "../../Format.js"
import type { PluralKey } from "../i18next/i18nextPlurals.js"
import * as jsonMerge from "./jsonMerge.js"

type Parse = (
  text: string,
  options: Format.DecodeOptions
) => Either.Either<ReadonlyArray<Format.Part>, Format.Problem>

/** A source with the plural forms of the target language, and no others. */
const withTargetForms = (parse: Parse, text: string, options: Format.DecodeOptions) =>
  Either.gen(function* () {
    const parts = yield* parse(text, options)
    const written = yield* Either.all(
      parts.map((part) =>
        Format.write(
          part,
          part.units.map((unit) => unit.text)
        )
      )
    )
    return written.map(({ raw }) => raw).join("")
  })

/** Merges catalogues of which some keys are plural forms. */
export const mergeWithForms = (
  parse: Parse,
  keyOf: (key: string) => PluralKey | undefined
): NonNullable<Format.Format["merge"]> => {
  const mergeEntries = jsonMerge.make({
    isDeep: () => true,
    entries: ({ source }) => {
      const keys = new Set(source.properties.map(({ key }) => key))
      return {
        // A target may have more forms of a plural, such as `_zero`. One without a text is none.
        isKept: ({ name, value }) => {
          const plural = keyOf(name)
          const isForm = plural !== undefined && keys.has(`${plural.prefix}other`)
          return isForm ? value.tag !== "string" || !isBlank(value.value) : undefined
        }
      }
    }
  })
  return (source, target, options) =>
    Either.flatMap(withTargetForms(parse, source, options), (withForms) =>
      mergeEntries(withForms, target, options)
    )
}
