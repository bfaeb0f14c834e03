/**
 * Catalogues of Ruby on Rails.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import * as Format from "./Format.js"
import { newlineOf } from "./internal/edits.js"
import { type Span, toParts } from "./internal/parts.js"
import * as selector from "./internal/selector.js"
import { detectRails, patterns, rootOf, rootSpan } from "./internal/yaml/railsLocale.js"
import { mergeYaml } from "./internal/yaml/yamlMerge.js"
import { prefixOf, spansOf, type Walk } from "./internal/yaml/yamlSpans.js"
import { parseYaml } from "./internal/yaml/yamlTree.js"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Catalogues of Ruby on Rails: YAML files with the language as the one key at their root.
 *
 * As `Yaml.make`, and:
 *
 * - The language is written for the target. Keys are without it: `home.title`.
 * - A mapping of plural categories gets those of the target language: a unit each, `inbox.few`. `zero` stays in every language, as
 *   Rails uses it for 0.
 * - Symbols (`:year`) are no units, and neither are texts without a letter apart from their placeholders: `"%d.%m.%Y"`, `"$"`.
 *   Placeholders are `%{name}`, `%<name>d`, `{{name}}`, `%d`, directives of `strftime` such as `%B` and `%-d`, and markup.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".yml", ".yaml"] } = {}) =>
  Format.wholeFile({
    name: "rails",
    extensions,
    settings: {},
    listOf: selector.arrayOf,
    detect: detectRails,
    place: "catalogue",
    placeholders: { kinds: ["braces", "printf", "tags", ...Syntax.knownIn("catalogue")], patterns },
    parse: (text, options) =>
      Either.gen(function* () {
        const file = yield* parseYaml(text)
        const walk: Walk = { file, newline: newlineOf(text), isSelected: () => true, options, isRails: true }
        const spans: Array<Span> = []
        for (const [index, document] of file.documents.entries()) {
          const root = yield* rootOf(file, document)
          spans.push(...rootSpan(text, root, options.targetLang))
          spans.push(...spansOf(walk, root.value, [], prefixOf(file, index)))
        }
        return toParts(text, spans)
      }),
    merge: (source, target, { removed, targetLang }) =>
      mergeYaml(source, target, { removed, isRails: true, targetLang })
  })

/**
 * Catalogues of Ruby on Rails, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
