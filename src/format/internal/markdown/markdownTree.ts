import * as Either from "effect/Either"
import { type Extension, fromMarkdown, type Token } from "mdast-util-from-markdown"
import { frontmatterFromMarkdown } from "mdast-util-frontmatter"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { mdxFromMarkdown } from "mdast-util-mdx"
import { frontmatter } from "micromark-extension-frontmatter"
import { gfm } from "micromark-extension-gfm"
import { mdxjs } from "micromark-extension-mdxjs"
import type { Problem } from "../../Format.js"
import { mask } from "./markdownTemplates.js"
import { bounded, TooMuch } from "./markdownWork.js"

/** The fields of mdast's nodes that are read. */
export interface Node {
  readonly type: string
  readonly children?: ReadonlyArray<Node>
  readonly value?: string
  readonly alt?: string | null | undefined
  readonly title?: string | null | undefined
  readonly url?: string
  readonly depth?: number
  readonly identifier?: string
  readonly referenceType?: string
  readonly position?: Position | undefined
}

interface Position {
  readonly start: { readonly line: number; readonly offset?: number | undefined }
  readonly end: { readonly offset?: number | undefined }
}

export interface Range {
  readonly start: number
  readonly end: number
}

export interface Tree {
  readonly root: Node
  /** The text that the parser has read. Values of nodes are of it, and their places are those of the text. */
  readonly masked: string
  /** Ends of the labels of links and images, by their starts. */
  readonly labels: ReadonlyMap<number, number>
  /** Titles of links and images, with their quotes, in the order in which they end. */
  readonly titles: ReadonlyArray<Range>
}

export const startOf = (node: Node): number => node.position!.start.offset!
export const endOf = (node: Node): number => node.position!.end.offset!

/** Counts the line ends of a text. */
export const countLines = (text: string): number => text.match(/\r\n?|\n/g)?.length ?? 0

/** Its transform looks for addresses in the texts, and the nodes that it makes have no positions. */
const withoutTransforms = ({ transforms: _, ...extension }: Extension): Extension => extension

const frontMatterKinds: ["yaml", "toml"] = ["yaml", "toml"]

export type Dialect = "md" | "mdx"

const grammarOf = (dialect: Dialect) => ({
  extensions: [gfm(), frontmatter(frontMatterKinds), ...(dialect === "mdx" ? [mdxjs()] : [])],
  mdastExtensions: [
    ...gfmFromMarkdown().map(withoutTransforms),
    frontmatterFromMarkdown(frontMatterKinds),
    ...(dialect === "mdx" ? [mdxFromMarkdown()] : [])
  ]
})

/** Grammars are made for the first file: this loads their parser. */
const grammars = new Map<Dialect, ReturnType<typeof grammarOf>>()

const grammar = (dialect: Dialect) => {
  const made = grammars.get(dialect) ?? grammarOf(dialect)
  grammars.set(dialect, made)
  return made
}

/** `>` and list markers in front of a line. */
const containers = /^(?:[ \t]{0,16}(?:>|[-+*](?=[ \t])|\d{1,9}[.)](?=[ \t])))*/

const maxContainers = 100

const tooDeep = (text: string): Problem | undefined => {
  let line = 0
  for (const { 0: content } of text.matchAll(/[^\r\n]*(?:\r\n?|\n|$)/g)) {
    line++
    if ((containers.exec(content)![0].match(/[>\-+*.)]/g)?.length ?? 0) > maxContainers) {
      const message = `quotes and lists are nested more than ${maxContainers} levels deep: flatten them.`
      return { line, message }
    }
  }
  return undefined
}

/** Some errors name their place only in their text. */
const placeOf = (error: unknown): Pick<Problem, "line" | "column"> => {
  const [, line, column] = /(\d+):(\d+)/.exec(String(error).replace(/^1:1: /, "")) ?? []
  return line === undefined ? {} : { line: Number(line), column: Number(column) }
}

const problemOf =
  (dialect: Dialect, text: string) =>
  (error: unknown): Problem => {
    if (error instanceof TooMuch) return error.problem
    if (dialect !== "mdx" || error instanceof RangeError)
      return { ...placeOf(error), message: "the nesting is too deep to be read: flatten it." }
    const place = placeOf(error)
    const line = place.line === undefined ? "" : (text.split(/\r\n?|\n/)[place.line - 1] ?? "")
    return {
      ...place,
      message: line.includes("<!--")
        ? "MDX has no comments in <!-- -->: write {/* … */}, or read the file as Markdown (--format markdown)."
        : "this is not MDX: close the tags and braces here, or escape them by a backslash."
    }
  }

/** The tree of a text, whose positions are offsets in it. */
export const parseTree = (text: string, dialect: Dialect): Either.Either<Tree, Problem> => {
  const labels = new Map<number, number>()
  const titles: Array<Range> = []
  const rangeOf = (token: Token): Range => ({ start: token.start.offset, end: token.end.offset })
  const recorder: Extension = {
    enter: {
      labelText: (token) => void labels.set(token.start.offset, token.end.offset),
      resourceTitle: (token) => void titles.push(rangeOf(token))
    }
  }
  const { extensions, mdastExtensions } = grammar(dialect)
  const deep = tooDeep(text)
  const masked = deep === undefined ? mask(text, dialect) : text
  return deep === undefined
    ? Either.try({
        try: () => ({
          masked,
          root: fromMarkdown(masked, {
            extensions: [...extensions, bounded(masked, dialect)],
            mdastExtensions: [...mdastExtensions, recorder]
          }),
          labels,
          titles
        }),
        catch: problemOf(dialect, text)
      })
    : Either.left(deep)
}
