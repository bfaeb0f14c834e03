/**
 * Catalogues of FormatJS (react-intl): ICU messages by their ids.
 *
 * @since 0.1.0
 */

import { isBlank } from "../internal/texts.js"
import * as IcuMessage from "../text/IcuMessage.js"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import * as icuMessages from "./internal/icuMessages.js"
import * as jsonCatalogue from "./internal/json/jsonCatalogue.js"
import type { Node } from "./internal/json/jsonDocument.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { parse, shows } from "./internal/json/jsonEntries.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonShapes from "./internal/json/jsonShapes.js"

const isDescriptor = (node: Node): boolean => jsonShapes.isEntry(node, jsonShapes.formatJs)

const messageOf = (value: Node): Node | undefined =>
  isDescriptor(value) ? jsonDocument.get(value, "defaultMessage") : value

const holdsText = (node: Node | undefined): boolean =>
  node?.tag === "array" || (node?.tag === "string" && !isBlank(node.value))

const merge = jsonMerge.make({
  isDeep: (source) => source.tag === "object" && !isDescriptor(source),
  isPresent: (target, source) =>
    isDescriptor(target) || isDescriptor(source)
      ? holdsText(messageOf(target)) || !holdsText(messageOf(source))
      : jsonMerge.isPresent(target, source),
  // Messages of an extracted source go into a target of plain texts without their descriptions.
  entries: ({ target }) =>
    target.properties.some(({ value }) => value.tag === "string")
      ? { pick: (value) => messageOf(value) ?? value }
      : {}
})

/** True if all values are texts, and some have branches. */
const isFlatIcu = (root: Node): boolean =>
  root.tag === "object" &&
  root.properties.every(({ value }) => value.tag === "string") &&
  root.properties.some(({ value }) => value.tag === "string" && icuMessages.hasBranches(value.value))

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Catalogues of FormatJS: messages as the extractor writes them, `{ "id": { "defaultMessage", "description" } }`, and plain
 * ones, `{ "id": "message" }`, at any depth.
 *
 * A unit's key is the id, its context the description. Messages are in ICU syntax: each branch is translated as a sentence, with the
 * plural categories of the target. One whose branches can't be read is told, and not translated. Messages that were compiled to syntax
 * trees (arrays) pass untouched. The file is read and written as by `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".json"] } = {}) =>
  icuMessages.wholeFile({
    name: "formatjs",
    extensions,
    settings: {},
    detect: (_, head) => shows(head, (root) => jsonShapes.isOf(root, jsonShapes.formatJs) || isFlatIcu(root)),
    place: "catalogue",
    placeholders: {
      kinds: ["braces", "tags", ...Syntax.knownIn("catalogue")],
      messageFormat: IcuMessage.format
    },
    parse: parse((document, root, options) =>
      jsonCatalogue.spansOf(document, root, options, {
        ...jsonShapes.rulesOf(document, jsonShapes.formatJs),
        hasIds: true
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
