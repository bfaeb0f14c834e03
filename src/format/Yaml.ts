/**
 * YAML files.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import { newlineOf } from "./internal/edits.js"
import * as fieldFit from "./internal/fieldFit.js"
import * as icuMessages from "./internal/icuMessages.js"
import { toParts, withSelection } from "./internal/parts.js"
import * as selector from "./internal/selector.js"
import { mergeYaml } from "./internal/yaml/yamlMerge.js"
import { prefixOf, spansOf, valueOf, type Walk } from "./internal/yaml/yamlSpans.js"
import { parseYaml } from "./internal/yaml/yamlTree.js"

/**
 * Which texts of a YAML file are translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * Where the texts are: `title`, `seo.description`, `*.label`, `items[*].text`, `**` for all below. In a file that is a list, a path that
   * begins with a name begins at each item. In files with several documents, the selectors are for each of them.
   *
   * @default all texts
   */
  readonly select?: ReadonlyArray<string> | undefined
}

/**
 * The format of YAML files.
 *
 * - Each string is a unit, its path the key: `page.title`, `items[0]`; with the number of the document in front if there are several:
 *   `[1].title`. Keys, numbers, dates, and plain `yes`, `no`, `on` and `off`, which readers of YAML 1.1 take for booleans, are none;
 *   neither are scalars with a tag other than `!!str`.
 * - Comments directly above an entry and behind it are its context.
 * - A text that has arguments with branches is an ICU message, as those of `FormatJs`.
 * - A translation is written in the style of its text: plain, in quotes, or as a block with its indentation; in double quotes where
 *   that cannot be. Anchors, aliases and tags stay as they are.
 * - Malformed files, keys that a mapping has twice, and more than 200 levels fail with a `FormatError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".yml", ".yaml"],
  ...options
} = {}) => {
  const { select } = options
  const isSelected = select === undefined ? Either.right(() => true) : selector.make(select)
  return icuMessages.wholeFile({
    name: "yaml",
    extensions,
    settings: options,
    choices: select,
    listOf: selector.arrayOf,
    place: "catalogue",
    placeholders: { kinds: ["braces", "printf", "tags", ...Syntax.knownIn("catalogue")], apart: true },
    parse: (text, decodeOptions) =>
      Either.gen(function* () {
        const selected = yield* isSelected
        const file = yield* parseYaml(text)
        const walk: Walk = {
          file,
          newline: newlineOf(text),
          isSelected: selected,
          options: decodeOptions,
          isRails: false
        }
        const spans = file.documents.flatMap((node, index) => spansOf(walk, node, [], prefixOf(file, index)))
        // Only of a translation the keys are known: it may lack units of its source.
        if (select === undefined || decodeOptions.keys !== undefined) return toParts(text, spans)
        const fit = yield* fieldFit.make(select)
        for (const [index, node] of file.documents.entries())
          fit.add(valueOf(text, node), prefixOf(file, index)[0])
        return yield* withSelection(toParts(text, spans), fit)
      }),
    merge: (source, target, { removed }) => mergeYaml(source, target, { removed, isRails: false })
  })
}

/**
 * YAML files; all strings are translated.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
