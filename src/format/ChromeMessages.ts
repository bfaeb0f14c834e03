/**
 * The `messages.json` of browser extensions.
 *
 * @since 0.1.0
 */
import { isBlank } from "../internal/texts.js"
import * as Format from "./Format.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import { contextOf, examplesOf, parse } from "./internal/json/jsonEntries.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonSpans from "./internal/json/jsonSpans.js"

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
    detect: (path, head) => /(?:^|[\\/])messages\.json$/.test(path) && /"message"\s{0,9}:/.test(head),
    placeholders: { kinds: ["tags"], patterns: [/\$[A-Za-z\d_@]+\$|\$[1-9]|\$\$+/] },
    parse: parse((document, root) =>
      root.properties.flatMap(({ name, value }) => {
        const message = jsonDocument.get(value, "message")
        const context = contextOf([
          jsonDocument.getString(value, "description"),
          ...examplesOf(jsonDocument.get(value, "placeholders"), (key) => `$${key.toUpperCase()}$`)
        ])
        return message?.tag === "string" ? jsonSpans.ofString(document, message, name, context) : []
      })
    ),
    merge: jsonMerge.make({
      isDeep: false,
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
