/**
 * YAML files, and the catalogues of Ruby on Rails.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Format from "./Format.js"
import { newlineOf } from "./internal/edits.js"
import * as noSelection from "./internal/noSelection.js"
import { type Span, single, toParts } from "./internal/parts.js"
import * as selector from "./internal/selector.js"
import { detectRails, isProse, isSymbol, patterns, rootOf, rootSpan } from "./internal/yaml/railsLocale.js"
import { mergeYaml } from "./internal/yaml/yamlMerge.js"
import { entryOf, formsOf, isPluralGroup, type PluralGroup, writeGroup } from "./internal/yaml/yamlPlurals.js"
import { writeScalar } from "./internal/yaml/yamlScalar.js"
import { parseYaml, type YamlEntry, type YamlFile, type YamlNode } from "./internal/yaml/yamlTree.js"

/**
 * Which texts of a YAML file are translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface YamlOptions {
  /**
   * Where the texts are: `title`, `seo.description`, `*.label`, `items[*].text`, `**` for all below. In files with several documents, the
   * selectors are for each of them.
   *
   * @default all texts
   */
  readonly select?: ReadonlyArray<string> | undefined
}

type Path = ReadonlyArray<string | number>

interface Walk {
  readonly file: YamlFile
  readonly newline: string
  readonly isSelected: selector.Selector
  readonly options: Format.DecodeOptions
  readonly isRails: boolean
}

const contextOf = (entry: YamlEntry | undefined) => entry?.comments.join("\n").trim() || undefined

const scalarSpans = (
  { file, isRails, isSelected, newline }: Walk,
  node: YamlNode,
  path: Path,
  prefix: Path,
  entry: YamlEntry | undefined
): ReadonlyArray<Span> => {
  if (node.kind !== "scalar" || node.text === undefined || node.text.trim() === "") return []
  const raw = file.text.slice(node.start, node.end)
  if (!isSelected(path) || (isRails && (isSymbol(raw) || !isProse(node.text)))) return []
  return [
    single(file.text, {
      start: node.start,
      end: node.end,
      unit: {
        key: selector.pathKey([...prefix, ...path]),
        text: node.text,
        line: file.positionOf(node.start).line,
        state: "missing"
      },
      context: contextOf(entry),
      write: (translation) => Either.right(writeScalar(node, raw, translation, newline))
    })
  ]
}

const pluralSpan = (
  { file, newline, options }: Walk,
  group: PluralGroup,
  path: Path,
  prefix: Path,
  entry: YamlEntry | undefined
): Span => {
  const targetForms = formsOf(group, options)
  const first = group.entries[0]!
  const texts = targetForms.filter((form) => isProse(entryOf(group, form).value.text))
  return {
    start: first.start,
    end: group.entries.at(-1)!.end,
    units: texts.map((form) => {
      const { value } = entryOf(group, form)
      return {
        key: selector.pathKey([...prefix, ...path, form.category]),
        text: value.text,
        line: file.positionOf(value.start).line,
        state: "missing" as const,
        ...(form.source === form.category ? undefined : { isOfOtherForm: true })
      }
    }),
    context: contextOf(entry),
    write: writeGroup(
      file.text,
      newline,
      group,
      { targetForms, texts },
      file.positionOf(first.start).column - 1
    )
  }
}

const spansOf = (
  walk: Walk,
  node: YamlNode,
  path: Path,
  prefix: Path,
  entry?: YamlEntry
): ReadonlyArray<Span> => {
  if (walk.isRails && isPluralGroup(node)) return [pluralSpan(walk, node, path, prefix, entry)]
  if (node.kind === "map" || node.kind === "seq") {
    return node.entries.flatMap((inner) => spansOf(walk, inner.value, [...path, inner.key], prefix, inner))
  }
  return scalarSpans(walk, node, path, prefix, entry)
}

/** What a node says, as a value. */
const valueOf = (node: YamlNode): unknown => {
  switch (node.kind) {
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, valueOf(value)]))
    case "seq":
      return node.entries.map(({ value }) => valueOf(value))
    case "scalar":
      return node.text ?? 0
    default:
      return null
  }
}

const prefixOf = ({ documents }: YamlFile, index: number): Path => (documents.length > 1 ? [index] : [])

/**
 * The format of YAML files.
 *
 * - Each string is a unit, its path the key: `page.title`, `items[0]`; with the number of the document in front if there are several:
 *   `[1].title`. Keys, numbers, dates, and plain `yes`, `no`, `on` and `off`, which readers of YAML 1.1 take for booleans, are none;
 *   neither are scalars with a tag other than `!!str`.
 * - Comments directly above an entry and behind it are its context.
 * - A translation is written in the style of its text: plain, in quotes, or as a block with its indentation; in double quotes where
 *   that cannot be. Anchors, aliases and tags stay as they are.
 * - Malformed files, keys that a mapping has twice, and more than 200 levels fail with a `FormatError`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options?: YamlOptions): Format.Format => {
  const select = options?.select
  const isSelected = select === undefined ? Either.right(() => true) : selector.make(select)
  /** What is wrong with a file without any text, of which the selectors are to find some. */
  const problemOf = ({ documents }: YamlFile) =>
    select === undefined
      ? undefined
      : Either.match(selector.start(select), {
          onLeft: (problem) => problem,
          onRight: (state) => noSelection.problemOf(documents.map(valueOf), select, state)
        })
  return Format.wholeFile({
    name: "yaml",
    extensions: [".yml", ".yaml"],
    settings: options ?? {},
    listOf: selector.arrayOf,
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
        // Only of a translation the keys are known: that may lack what its source has.
        const isSource = spans.length === 0 && decodeOptions.keys === undefined
        const problem = isSource ? problemOf(file) : undefined
        return problem === undefined ? toParts(text, spans) : yield* Either.left(problem)
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

/**
 * Catalogues of Ruby on Rails: YAML files with the language as the one key at their root.
 *
 * As `make`, and:
 *
 * - The language is written for the target. Keys are without it: `home.title`.
 * - A mapping of plural categories gets those of the target language: a unit each, `inbox.few`. `zero` stays in every language, as
 *   Rails uses it for 0.
 * - Symbols (`:year`) are no units, and neither are texts without a letter apart from their placeholders: `"%d.%m.%Y"`, `"$"`.
 *   Placeholders are `%{name}`, `%<name>d`, `{{name}}`, `%d`, directives of `strftime` such as `%B` and `%-d`, and markup.
 *
 * @since 0.1.0
 * @category formats
 */
export const rails: Format.Format = Format.wholeFile({
  name: "rails",
  extensions: [".yml", ".yaml"],
  settings: {},
  listOf: selector.arrayOf,
  detect: detectRails,
  placeholders: { kinds: ["braces", "printf", "tags"], patterns },
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
