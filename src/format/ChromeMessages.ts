/**
 * The `messages.json` of browser extensions.
 *
 * @since 0.1.0
 */
import { isBlank } from "../internal/texts.js"
import * as Format from "./Format.js"
import * as jsonCatalogue from "./internal/json/jsonCatalogue.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { parse, shows } from "./internal/json/jsonEntries.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonShapes from "./internal/json/jsonShapes.js"

const holdsText = (value: jsonDocument.Node): boolean =>
  !isBlank(jsonDocument.getString(value, "message") ?? "")

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * The `messages.json` of browser extensions: `{ "key": { "message", "description", "placeholders" } }`.
 *
 * A unit's key is the message's; its context is the description, with the examples of its placeholders. Kept out of
 * translations: `$NAME$`, `$1`, `$$` and tags. The file is read and written as by `Json.format`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".json"] } = {}) =>
  Format.wholeFile({
    name: "chrome-messages",
    extensions,
    settings: {},
    detect: (path, head) =>
      /(?:^|[\\/])messages\.json$/.test(path) &&
      shows(head, (root) => jsonShapes.isOf(root, jsonShapes.chrome)),
    place: "catalogue",
    placeholders: jsonShapes.chrome.placeholders,
    parse: parse((document, root, options) =>
      jsonCatalogue.spansOf(document, root, options, {
        ...jsonShapes.rulesOf(document, jsonShapes.chrome),
        placeholders: undefined,
        hasIds: true
      })
    ),
    merge: jsonMerge.make({
      isDeep: () => false,
      isPresent: (target, source) => holdsText(target) || !holdsText(source)
    })
  })

/**
 * `messages.json` of browser extensions, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
