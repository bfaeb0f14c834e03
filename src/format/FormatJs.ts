/**
 * Catalogues of FormatJS (react-intl): ICU messages by their ids.
 *
 * @since 0.1.0
 */

import { isBlank } from "../internal/texts.js"
import * as IcuMessage from "../text/IcuMessage.js"
import * as Format from "./Format.js"
import type { Node } from "./internal/json/jsonDocument.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { contextOf, parse } from "./internal/json/jsonEntries.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonSpans from "./internal/json/jsonSpans.js"

const messageOf = (value: Node): Node | undefined =>
  value.tag === "object" ? jsonDocument.get(value, "defaultMessage") : value

const holdsText = (node: Node | undefined): boolean =>
  node?.tag === "array" || (node?.tag === "string" && !isBlank(node.value))

const merge = jsonMerge.make({
  isDeep: false,
  isPresent: (target, source) => holdsText(messageOf(target)) || !holdsText(messageOf(source)),
  // Messages of an extracted source go into a target of plain texts without their descriptions.
  entries: ({ target }) =>
    target.properties.some(({ value }) => value.tag === "string")
      ? { pick: (value) => messageOf(value) ?? value }
      : {}
})

const argument = /\{\s{0,9}[\w.]+\s{0,9},\s{0,9}(?:plural|select|selectordinal)\s{0,9},/

/** True if a beginning has messages with branches, and no deeper value. */
const isFlatIcu = (head: string): boolean =>
  argument.test(head) && !/[[{][\s\S]*[[{]/.test(head.replace(/"[^"\\]*(?:\\[\s\S][^"\\]*)*"?/g, '""'))

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Catalogues of FormatJS: messages as the extractor writes them, `{ "id": { "defaultMessage", "description" } }`, and plain
 * ones, `{ "id": "message" }`.
 *
 * A unit's key is the id, its context the description. Messages are in ICU syntax: each branch is translated as a sentence, with the
 * plural categories of the target. Messages that were compiled to syntax trees (arrays) pass untouched. The file is read and
 * written as by `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".json"] } = {}) =>
  Format.wholeFile({
    name: "formatjs",
    extensions,
    settings: {},
    detect: (_, head) => head.includes('"defaultMessage"') || isFlatIcu(head),
    placeholders: { kinds: ["braces", "tags"], messageFormat: IcuMessage.format },
    parse: parse((document, root) =>
      root.properties.flatMap(({ name, value }) => {
        const message = messageOf(value)
        const context = contextOf([jsonDocument.getString(value, "description")])
        return message?.tag === "string" ? jsonSpans.ofString(document, message, name, context) : []
      })
    ),
    merge
  })

/**
 * Catalogues of FormatJS, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
