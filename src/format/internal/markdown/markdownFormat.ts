import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Format from "../../Format.js"
import { type Span, single, toParts } from "../parts.js"
import { escapeXml } from "../xml/inlineTags.js"
import { unescape } from "../xml/xmlText.js"
import { frontMatterFields, writeScalar } from "./frontMatter.js"
import { type Block, readBlock } from "./markdownBlock.js"
import { forEachSection, parseSections, type Section } from "./markdownSections.js"
import { patterns } from "./markdownTemplates.js"
import { type Dialect, endOf, type Node, startOf, type Tree } from "./markdownTree.js"
import { writeBlock } from "./markdownWrite.js"

/**
 * Selects the texts of a file to translate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
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

interface Kind {
  readonly name: string
  readonly dialect: Dialect
  readonly extensions: ReadonlyArray<string>
}

/** A format of one dialect. */
export const make =
  ({ dialect, name, ...kind }: Kind) =>
  ({ extensions = kind.extensions, ...options }: Options = {}): Format.Format =>
    Format.wholeFile({
      name,
      extensions,
      settings: options,
      tagHandling: "xml",
      place: "document",
      placeholders: { kinds: [], patterns },
      parse: parse(dialect, options.frontMatter ?? defaultFrontMatter)
    })
