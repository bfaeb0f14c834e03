/**
 * Application Resource Bundles, the catalogues of Flutter.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as IcuMessage from "../text/IcuMessage.js"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import * as icuMessages from "./internal/icuMessages.js"
import type { JsonDocument, ObjectNode, Property } from "./internal/json/jsonDocument.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { contextOf, examplesOf, parse } from "./internal/json/jsonEntries.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonSpans from "./internal/json/jsonSpans.js"
import { tagOf } from "./internal/languageTag.js"
import type { Span } from "./internal/parts.js"

const localeOf = (language: string): string => tagOf(language).replaceAll("-", "_")

const localeSpan = (
  document: JsonDocument,
  { value }: Property,
  { targetLang }: Format.DecodeOptions
): ReadonlyArray<Span> =>
  value.tag !== "string" || localeOf(value.value) === localeOf(targetLang)
    ? []
    : [
        {
          start: value.start,
          end: value.end,
          units: [],
          write: () => Either.right(document.write(localeOf(targetLang), value))
        }
      ]

const spansOf = (
  document: JsonDocument,
  root: ObjectNode,
  options: Format.DecodeOptions
): ReadonlyArray<Span> => {
  const attributes = new Map(
    root.properties.flatMap(({ key, value }) => (key.startsWith("@") ? [[key.slice(1), value]] : []))
  )
  return root.properties.flatMap((property) => {
    const { key, name, value } = property
    if (key === "@@locale") return localeSpan(document, property, options)
    if (key.startsWith("@") || value.tag !== "string") return []
    const own = attributes.get(key)
    const context = contextOf([
      jsonDocument.getString(own, "description"),
      ...examplesOf(jsonDocument.get(own, "placeholders"), (placeholder) => `{${placeholder}}`)
    ])
    return jsonSpans.ofString(document, value, name, context)
  })
}

const merge = jsonMerge.make({
  isDeep: () => false,
  entries: ({ source, target }) => {
    const texts = target.properties.filter(({ key }) => !key.startsWith("@"))
    const inTarget = new Set(texts.map(({ key }) => key))
    const inSource = new Set(source.properties.map(({ key }) => key))
    const hasAttributes = texts.length === 0 || target.properties.some(({ key }) => /^@[^@]/.test(key))
    return {
      // Attributes come with their message, into a target that has some. Names that begin with @@ are of one file.
      isWanted: ({ key }) =>
        !key.startsWith("@") || (hasAttributes && !key.startsWith("@@") && !inTarget.has(key.slice(1))),
      isKept: ({ key }) =>
        key.startsWith("@@") || (key.startsWith("@") && inSource.has(key.slice(1))) ? true : undefined
    }
  }
})

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Application Resource Bundles (`.arb`).
 *
 * A unit's key is the message's; its context is the description in `@key`, with the examples of its placeholders. Messages are in
 * ICU syntax: each branch is translated as a sentence, with the plural categories of the target; one whose branches can't be read is
 * told, and not translated. `@@locale` becomes the target
 * language, written as `pt_BR`. The file is read and written as by `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".arb"] } = {}) =>
  icuMessages.wholeFile({
    name: "arb",
    extensions,
    settings: {},
    place: "catalogue",
    placeholders: {
      kinds: ["braces", "tags", ...Syntax.knownIn("catalogue")],
      messageFormat: IcuMessage.format
    },
    parse: parse(spansOf),
    merge
  })

/**
 * Application Resource Bundles, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
