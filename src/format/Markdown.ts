/**
 * Markdown and MDX: headings, paragraphs, lists, tables, quotes, footnotes, texts of images, titles of links, and fields of the
 * front matter.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Format from "./Format.js"
import { frontMatterFields, writeScalar } from "./internal/markdown/frontMatter.js"
import { type Block, readBlock } from "./internal/markdown/markdownBlock.js"
import { forEachSection, parseSections, type Section } from "./internal/markdown/markdownSections.js"
import { patterns } from "./internal/markdown/markdownTemplates.js"
import { type Dialect, endOf, type Node, startOf, type Tree } from "./internal/markdown/markdownTree.js"
import { writeBlock } from "./internal/markdown/markdownWrite.js"
import { type Span, single, toParts } from "./internal/parts.js"
import { escapeXml } from "./internal/xml/inlineTags.js"
import { unescape } from "./internal/xml/xmlText.js"

/**
 * What of a file is translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * The fields of YAML front matter to translate. Fields are those with a value on the line of their name, plain or in quotes,
   * and without indentation.
   *
   * @default ["title", "description", "sidebar_label", "summary"]
   */
  readonly frontMatter?: ReadonlyArray<string> | undefined
}

const defaultFrontMatter: ReadonlyArray<string> = ["title", "description", "sidebar_label", "summary"]

const maxDepth = 100

/** Numbers of the section that a block is in, which are the same in every language. */
const makeKeys = () => {
  const counters = [0, 0, 0, 0, 0, 0]
  let path = "0"
  let count = 0
  return {
    heading: (depth: number) => {
      counters[depth - 1]!++
      counters.fill(0, depth)
      path = counters.slice(0, depth).join(".")
      count = 0
      return `${path}/heading`
    },
    next: () => `${path}/${++count}`
  }
}

const collectBlocks = (
  sections: ReadonlyArray<Section>,
  dialect: Dialect
): Effect.Effect<ReadonlyArray<Span>, Format.Problem> => {
  const spans: Array<Span> = []
  const keys = makeKeys()
  let problem: Format.Problem | undefined

  const add = ({ lines, source, start, tree }: Section, node: Node) => {
    const block = readBlock(source, tree, node)
    if (block === undefined) return
    const at = startOf(node)
    const isTitle = source[at] !== tree.masked[at]
    const key = node.type === "heading" && !isTitle ? keys.heading(node.depth!) : keys.next()
    const units = unitsOf(block, key, lines)
    if (units.length === 0) return
    spans.push({
      start: start + block.start,
      end: start + block.end,
      units,
      write: (translations) => writeBlock(source, block, dialect, translations)
    })
  }

  const walk = (section: Section, node: Node, depth: number): void => {
    if (node.type === "paragraph" || node.type === "heading" || node.type === "tableCell") {
      add(section, node)
      return
    }
    if (node.children === undefined || node.position === undefined) return
    if (depth > maxDepth) {
      const message = `blocks are nested more than ${maxDepth} levels deep: flatten them.`
      problem ??= { line: node.position.start.line + section.lines, message }
      return
    }
    for (const child of node.children) walk(section, child, depth + 1)
  }

  const collect = forEachSection(sections, (section) =>
    Effect.sync(() => {
      for (const node of section.tree.root.children ?? []) {
        if (startOf(node) < section.length) walk(section, node, 1)
      }
    })
  )
  return Effect.flatMap(collect, () => (problem === undefined ? Effect.succeed(spans) : Effect.fail(problem)))
}

const unitsOf = (
  { attributes, isUnit, line, text }: Block,
  key: string,
  lines: number
): ReadonlyArray<Format.Unit> => {
  const counts = { alt: 0, title: 0 }
  return [
    ...(isUnit ? [{ key, text, line: line + lines, state: "missing" as const }] : []),
    ...attributes
      .filter((attribute) => attribute.isUnit)
      .map(
        (attribute): Format.Unit => ({
          key: `${key}/${attribute.kind}${++counts[attribute.kind]}`,
          text: attribute.text,
          line: attribute.line + lines,
          state: "missing"
        })
      )
  ]
}

const frontMatterSpans = (text: string, tree: Tree, names: ReadonlyArray<string>): ReadonlyArray<Span> => {
  const node = tree.root.children?.[0]
  if (node?.type !== "yaml") return []
  return frontMatterFields(text.slice(startOf(node), endOf(node)), startOf(node), names).map((field) =>
    single(text, {
      start: field.start,
      end: field.end,
      unit: {
        key: `frontMatter/${field.name}`,
        text: escapeXml(field.text),
        line: field.line,
        state: "missing"
      },
      write: (translation) =>
        Either.right(
          translation === escapeXml(field.text)
            ? text.slice(field.start, field.end)
            : writeScalar(unescape(translation), field.quote)
        )
    })
  )
}

const mark = "\uFEFF"

const parse =
  (dialect: Dialect, frontMatter: ReadonlyArray<string>) =>
  (text: string): Effect.Effect<ReadonlyArray<Format.Part>, Format.Problem> => {
    const body = text.startsWith(mark) ? text.slice(1) : text
    return Effect.gen(function* () {
      const sections = yield* parseSections(body, dialect)
      const blocks = yield* collectBlocks(sections, dialect)
      const fields = frontMatterSpans(body, sections[0]!.tree, frontMatter)
      const parts = toParts(body, [...fields, ...blocks])
      return body === text ? parts : [{ raw: mark, units: [] }, ...parts]
    })
  }

const makeDialect =
  (name: string, dialect: Dialect, extensions: ReadonlyArray<string>) =>
  (options?: Options): Format.Format =>
    Format.wholeFile({
      name,
      extensions,
      settings: options ?? {},
      tagHandling: "xml",
      placeholders: { kinds: [], patterns },
      parse: parse(dialect, options?.frontMatter ?? defaultFrontMatter)
    })

/**
 * Markdown with the extensions of GitHub: tables, task lists, strikethrough, footnotes and literal links.
 *
 * Units are headings, paragraphs (also those of lists, quotes and footnotes), cells of tables, texts of images, titles of
 * links, and fields of YAML front matter by their names. Code, HTML, math between dollars, targets of links, definitions
 * of references with their titles, and the rest of the front matter stay as they are. Links to headings, such as `guide.md#install`,
 * stay while the headings are translated: `{#install}` at the end of a heading keeps its anchor.
 *
 * Lines that stay, and end a paragraph: markers of alerts (`> [!NOTE]`; a title behind one is a unit), fences of containers
 * (`:::tip Title`, with their titles), and lines of nothing but template tags, such as `{% note %}` or `{{< note >}}`. Attributes at the
 * end of a block stay: `{#id}`, `{.class}`, `{: key=value}`. Within texts, `{{ x }}`, `{% x %}`, `${x}` and `:rocket:` are kept; texts of
 * images and titles of links with template tags stay as a whole.
 *
 * Inline marks travel as tags, so texts are XML: `*a*` as `<i1>a</i1>`, `**a**` as `<b1>a</b1>`, `~~a~~` as `<s1>a</s1>`, links as
 * `<a1>a</a1>`, and what is kept as a whole as `<x1/>`: code, HTML tags, images, footnote references, links that show their
 * address, hard breaks. They come back as the marks of the source. A bare address becomes `<https://…>`, or `[…](…)`, where the
 * translation has letters beside it that would be read as part of it. A translation that has lost, doubled or crossed tags, or
 * is empty, cannot be written.
 *
 * Lines of a paragraph are joined by blanks. A translated paragraph is one line, without blanks at its ends; it breaks only at hard
 * breaks. What would be structure in a translation is escaped.
 *
 * Keys are numbers that are the same in every language: of the section by its headings, and of the block in it, such as
 * `1.2/heading`, `1.2/3`, `1.2/3/alt1` and `frontMatter/title`.
 *
 * A file has at most 16 MiB and 100 levels of quotes and lists.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = makeDialect("markdown", "md", [".md", ".markdown"])

/**
 * MDX: as Markdown, and imports, exports, expressions and JSX tags stay as they are. There are no HTML, no indented code, no
 * links in angle brackets and no template tags: `{{ x }}` is an expression. JSX tags with text between them travel as `<g1>a</g1>`,
 * expressions as `<x1/>`; attributes are kept. `{#id}` at the end of a heading is its anchor.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMdx = makeDialect("mdx", "mdx", [".mdx"])

/**
 * Markdown with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()

/**
 * MDX with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const mdx: Format.Format = makeMdx()
