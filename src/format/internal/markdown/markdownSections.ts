import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { countLines, type Dialect, endOf, type Node, parseTree, startOf, type Tree } from "./markdownTree.js"

/** A piece of a file with its own tree. */
export interface Section {
  readonly tree: Tree
  /** The text of the tree: the piece, and definitions from elsewhere that it refers to. */
  readonly source: string
  /** Where the piece begins in the file. */
  readonly start: number
  readonly length: number
  /** The number of lines before it. */
  readonly lines: number
}

/** The parser takes time with the square of the number of lists: 1.5 s for 24 kB of small ones, 0.4 s for a half of it. */
const defaultLength = 32 * 1024

/** Headings behind a blank line end all that is open before them, apart from fenced code and some HTML. */
const cutsOf = (text: string, length: number): ReadonlyArray<number> => {
  const cuts = [0]
  for (const { 0: match, index } of text.matchAll(/(?:\n|\r\n?)[ \t]*(?:\n|\r\n?)(?=#{1,6}[ \t])/g)) {
    const at = index + match.length
    if (at - cuts.at(-1)! >= length) cuts.push(at)
  }
  return cuts
}

const isOpen = (source: string, { root }: Tree): boolean => {
  const last = root.children?.at(-1)
  if (last === undefined) return false
  const raw = source.slice(startOf(last), endOf(last))
  if (last.type === "html") return /^[ \t]*<(?:!|\?|pre|script|style|textarea)/i.test(raw)
  const opening = last.type === "code" ? /^(?:`{3,}|~{3,})/.exec(raw)?.[0] : undefined
  if (opening === undefined) return false
  const end = raw.slice(Math.max(raw.lastIndexOf("\n"), raw.lastIndexOf("\r"), 0)).trim()
  return end === raw || !end.startsWith(opening)
}

const leaves = new Set(["paragraph", "heading", "table"])

const definitionsIn = (node: Node, names: Set<string>): Set<string> => {
  if (node.type === "definition") names.add(node.identifier!)
  if (node.type === "footnoteDefinition") names.add(`^${node.identifier}`)
  if (!leaves.has(node.type)) for (const child of node.children ?? []) definitionsIn(child, names)
  return names
}

const nameOf = (label: string): string =>
  label.replace(/\s+/g, " ").trim().toLowerCase().toUpperCase().toLowerCase()

/** Reads a section again with the definitions of others that it names. */
const withDefinitions =
  (dialect: Dialect, all: ReadonlySet<string>) =>
  (section: Section): Either.Either<Section, Problem> => {
    const own = definitionsIn(section.tree.root, new Set())
    const names = new Set<string>()
    for (const [, label] of section.source.matchAll(/\[([^[\]]{1,999})(?=\])/g)) {
      const name = nameOf(label!)
      if (all.has(name) && !own.has(name)) names.add(name)
    }
    if (names.size === 0) return Either.right(section)
    const source = section.source + [...names].map((name) => `\n\n[${name}]: x`).join("")
    return Either.map(parseTree(source, dialect), (tree) => ({ ...section, source, tree }))
  }

const atLine =
  (lines: number) =>
  (problem: Problem): Problem =>
    problem.line === undefined ? problem : { ...problem, line: problem.line + lines }

/** Signals and timers are seen to between sections: a large file takes seconds. */
const pause = Effect.sleep(0)

/** Does the same with each section. */
export const forEachSection = <A, E>(
  sections: ReadonlyArray<Section>,
  f: (section: Section) => Effect.Effect<A, E>
): Effect.Effect<ReadonlyArray<A>, E> =>
  sections.length === 1
    ? Effect.map(f(sections[0]!), Arr.of)
    : Effect.forEach(sections, (section) => Effect.zipLeft(f(section), pause))

/** The file in pieces that are read one by one. MDX is one piece: its tags may hold headings. */
export const parseSections = (
  text: string,
  dialect: Dialect,
  length = defaultLength
): Effect.Effect<ReadonlyArray<Section>, Problem> =>
  Effect.gen(function* () {
    const cuts = dialect === "mdx" ? [0] : cutsOf(text, length)
    const sections: Array<Section> = []
    let start = 0
    let lines = 0
    let least = 0
    for (const [index] of cuts.entries()) {
      const end = cuts[index + 1] ?? text.length
      if (end < text.length && end - start < least) continue
      const source = text.slice(start, end)
      const tree = yield* Either.mapLeft(parseTree(source, dialect), atLine(lines))
      if (end < text.length && isOpen(source, tree)) {
        least = 2 * source.length
        continue
      }
      sections.push({ tree, source, start, length: source.length, lines })
      lines += countLines(source)
      if (end < text.length) yield* pause
      start = end
      least = 0
    }
    if (sections.length === 1) return sections
    const names = new Set<string>()
    for (const { tree } of sections) definitionsIn(tree.root, names)
    return yield* forEachSection(sections, withDefinitions(dialect, names))
  })
