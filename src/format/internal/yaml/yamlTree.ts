import * as Either from "effect/Either"
import { Composer, type CST, type Document, isAlias, isMap, isPair, isScalar, isSeq, Parser } from "yaml"
import type { Problem } from "../../Format.js"
import { type Position, positions } from "../parts.js"
import { contentEnd, isAmbiguous, type YamlScalar } from "./yamlScalar.js"

/** An entry of a mapping or an item of a sequence. */
export interface YamlEntry {
  readonly key: string | number
  /** Where its comments begin, if they are directly above. */
  readonly begin: number
  readonly start: number
  /** Behind the key itself; for items, behind their dash. */
  readonly keyEnd: number
  /** Behind the value and the comment on its line, in front of the newline. */
  readonly end: number
  /** The comments above it and behind it. */
  readonly comments: ReadonlyArray<string>
  readonly value: YamlNode
}

export interface YamlCollection {
  readonly kind: "map" | "seq"
  readonly start: number
  readonly end: number
  readonly isFlow: boolean
  readonly hasProperties: boolean
  readonly entries: ReadonlyArray<YamlEntry>
}

/** An alias, or nothing. */
export interface YamlOther {
  readonly kind: "alias" | "empty"
  readonly start: number
  readonly end: number
}

export type YamlNode = YamlScalar | YamlCollection | YamlOther

export interface YamlFile {
  readonly text: string
  readonly documents: ReadonlyArray<YamlNode>
  readonly positionOf: (offset: number) => Position
}

/** Deeper ones are refused: the composer is recursive. */
const maxDepth = 200

interface Comment {
  readonly offset: number
  readonly text: string
}

interface Comments {
  /** By line: comments that have it for themselves, and those behind something. */
  readonly alone: Map<number, Comment>
  readonly behind: Map<number, Comment>
}

const failed = ({ column, line }: Position, message: string, key?: string): Either.Either<never, Problem> =>
  Either.left(key === undefined ? { line, column, message } : { line, column, key, message })

/** Comments of a token and all below it; where it is too deep if it is. */
const visit = (
  token: CST.Token | undefined | null,
  depth: number,
  onComment: (token: CST.SourceToken) => void
): number | undefined => {
  if (token === undefined || token === null) return undefined
  if (depth > maxDepth) return token.offset
  const each = (tokens: ReadonlyArray<CST.Token> | undefined) => {
    for (const inner of tokens ?? []) if (inner.type === "comment") onComment(inner)
  }
  if (token.type === "comment") onComment(token)
  if ("start" in token && Array.isArray(token.start)) each(token.start)
  if (token.type === "block-scalar") each(token.props)
  if ("end" in token) each(token.end)
  if (token.type === "document") return visit(token.value, depth, onComment)
  if (!("items" in token)) return undefined
  for (const item of token.items) {
    each(item.start)
    each(item.sep)
    const tooDeep = visit(item.key, depth + 1, onComment) ?? visit(item.value, depth + 1, onComment)
    if (tooDeep !== undefined) return tooDeep
  }
  return undefined
}

const messages: Readonly<Record<string, string>> = {
  BAD_ALIAS: "an alias is malformed: write * and the name of an anchor.",
  BAD_DQ_ESCAPE: "a string in double quotes has an escape that YAML does not know: double the backslash.",
  BAD_INDENT:
    "the indentation does not fit: align the line with its neighbours, close a bracket, or indent what is in brackets more than its key.",
  BAD_SCALAR_START: "a text begins with a character that has a meaning: put quotes around it.",
  BLOCK_AS_IMPLICIT_KEY: "there are two keys in one line: put quotes around a text with a colon and a blank.",
  KEY_OVER_1024_CHARS: "a key is longer than 1024 characters: shorten it, or close a quote.",
  MISSING_CHAR: "a character is missing: close quotes and brackets, and put a colon and a blank behind keys.",
  MULTILINE_IMPLICIT_KEY: "a key has several lines: put a colon and a blank behind it, or close a quote.",
  TAB_AS_INDENT: "a tab is used for indentation: use spaces."
}

const blankLines = /(?:[ \t]*\r?\n)*/y
const commentBehind = /[ \t]+#[^\r\n]*/y

class Reader {
  constructor(
    readonly text: string,
    readonly positionOf: (offset: number) => Position,
    readonly comments: Comments
  ) {}
  problem: Either.Either<never, Problem> | undefined

  scalar(node: unknown, isInFlow: boolean): YamlScalar | undefined {
    if (!isScalar(node)) return undefined
    const token = node.srcToken
    if (token === undefined || (token.type === "scalar" && token.source === "")) return undefined
    const isBlock = token.type === "block-scalar"
    if (!isBlock && !("source" in token && "indent" in token)) return undefined
    const isText =
      typeof node.value === "string" &&
      (node.tag === undefined || node.tag === "!" || node.tag === "tag:yaml.org,2002:str") &&
      (token.type !== "scalar" || node.tag !== undefined || !isAmbiguous(token.source))
    return {
      kind: "scalar",
      start: token.offset,
      end: isBlock ? this.afterBlankLines(node.range![1]) : token.offset + token.source.length,
      text: isText ? String(node.value) : undefined,
      isBlock,
      isInFlow,
      indent: token.indent,
      hasProperties: node.anchor !== undefined || node.tag !== undefined
    }
  }

  /** Blank lines behind a block become part of the text if it is to keep them. */
  afterBlankLines(position: number): number {
    blankLines.lastIndex = position
    return blankLines.test(this.text) ? blankLines.lastIndex : position
  }

  node(node: unknown, isInFlow: boolean, at: number): YamlNode {
    const scalar = this.scalar(node, isInFlow)
    if (scalar !== undefined) return scalar
    if (isAlias(node)) return { kind: "alias", start: node.range![0], end: node.range![1] }
    if (!isMap(node) && !isSeq(node)) return { kind: "empty", start: at, end: at }
    // `[key: value]` holds a mapping that has no brackets of its own.
    const token = node.srcToken
    const isFlow = node.flow === true || token === undefined
    const start = node.range![0]
    const entries = isMap(node)
      ? this.pairs(node.items, isFlow)
      : this.items(node.items, token, start, isFlow)
    return {
      kind: isMap(node) ? "map" : "seq",
      start,
      end: isFlow ? node.range![1] : (entries.at(-1)?.end ?? start),
      isFlow,
      hasProperties: node.anchor !== undefined || node.tag !== undefined,
      entries
    }
  }

  pairs(items: ReadonlyArray<unknown>, isFlow: boolean): ReadonlyArray<YamlEntry> {
    const seen = new Set<string>()
    return items.flatMap((pair): ReadonlyArray<YamlEntry> => {
      const item = isPair(pair) ? pair.srcToken : undefined
      if (!isPair(pair) || item === undefined) return []
      const first = item.start.find(
        ({ type }) => type !== "space" && type !== "newline" && type !== "comment" && type !== "comma"
      )
      const keyStart = item.key?.offset ?? first?.offset ?? item.sep?.[0]?.offset ?? 0
      const start = first?.offset ?? keyStart
      const keyNode = this.node(pair.key, isFlow, keyStart)
      const key =
        keyNode.kind === "scalar" && isScalar(pair.key) && typeof pair.key.value === "string"
          ? pair.key.value
          : this.text.slice(keyNode.start, keyNode.end).trim()
      if (seen.has(key) && key !== "<<") {
        this.problem ??= failed(
          this.positionOf(start),
          "the mapping has this key already: remove one of them.",
          key
        )
      }
      seen.add(key)
      const colon = item.sep?.findLast(
        ({ type }) => type !== "space" && type !== "newline" && type !== "comment"
      )
      const after = colon === undefined ? keyNode.end : colon.offset + colon.source.length
      return [this.entry(key, start, keyNode.end, this.node(pair.value, isFlow, after), isFlow)]
    })
  }

  items(
    nodes: ReadonlyArray<unknown>,
    token: CST.Token | undefined,
    start: number,
    isFlow: boolean
  ): ReadonlyArray<YamlEntry> {
    const dashes =
      token?.type === "block-seq"
        ? token.items.flatMap(({ start }) => start.find(({ type }) => type === "seq-item-ind")?.offset ?? [])
        : []
    return nodes.map((node, index) => {
      const dash = dashes[index]
      const value = this.node(node, isFlow, (dash ?? start) + 1)
      return this.entry(
        index,
        dash ?? value.start,
        dash === undefined ? value.start : dash + 1,
        value,
        isFlow
      )
    })
  }

  entry(key: string | number, start: number, keyEnd: number, value: YamlNode, isFlow: boolean): YamlEntry {
    const { line } = this.positionOf(start)
    const above: Array<Comment> = []
    for (let at = line - 1; ; at--) {
      const comment = this.comments.alone.get(at)
      if (comment === undefined) break
      above.unshift(comment)
    }
    const behind = this.comments.behind.get(line)
    const isFirst = this.text.slice(start - this.positionOf(start).column + 1, start).trim() === ""
    return {
      key,
      begin: isFirst && above.length > 0 && !isFlow ? above[0]!.offset : start,
      start,
      keyEnd,
      end: isFlow ? value.end : this.endOf(value),
      comments: [...above, ...(behind === undefined ? [] : [behind])].map(({ text }) => text),
      value
    }
  }

  endOf(value: YamlNode): number {
    if (value.kind !== "scalar" || !value.isBlock) {
      commentBehind.lastIndex = value.end
      return commentBehind.test(this.text) ? commentBehind.lastIndex : value.end
    }
    const raw = this.text.slice(value.start, value.end)
    return value.start + (/^[|>]\d?\+/.test(raw) ? raw.replace(/\r?\n$/, "").length : contentEnd(raw))
  }
}

const compose = (tokens: ReadonlyArray<CST.Token>) =>
  Either.try(() => [...new Composer({ keepSourceTokens: true, uniqueKeys: false }).compose(tokens)])

const malformed = (positionOf: (offset: number) => Position, documents: ReadonlyArray<Document>) => {
  const error = documents.flatMap(({ errors }) => errors)[0]
  return error === undefined
    ? undefined
    : failed(
        positionOf(error.pos[0]),
        messages[error.code] ?? "this is not YAML: look at quotes, colons and indentation."
      )
}

const deep = (position: Position) =>
  failed(position, `there are more than ${maxDepth} levels: make the file flatter.`)

/** The documents of a file as trees with places. Aliases are not resolved. */
export const parseYaml = (text: string): Either.Either<YamlFile, Problem> => {
  const positionOf = positions(text)
  const comments: Comments = { alone: new Map(), behind: new Map() }
  const onComment = ({ offset, source }: CST.SourceToken) => {
    const { column, line } = positionOf(offset)
    const isAlone = /^[\uFEFF\s]*$/.test(text.slice(offset - column + 1, offset))
    comments[isAlone ? "alone" : "behind"].set(line, { offset, text: source.replace(/^#+/, "").trim() })
  }
  const tokens = Either.try(() => [...new Parser().parse(text)])
  if (Either.isLeft(tokens)) return deep(positionOf(0))
  for (const token of tokens.right) {
    const tooDeep = visit(token, 0, onComment)
    if (tooDeep !== undefined) return deep(positionOf(tooDeep))
  }
  const documents = compose(tokens.right)
  if (Either.isLeft(documents)) return deep(positionOf(0))
  const problem = malformed(positionOf, documents.right)
  if (problem !== undefined) return problem
  const reader = new Reader(text, positionOf, comments)
  const nodes = documents.right.map(({ contents, range }) => reader.node(contents, false, range[0]))
  return reader.problem ?? Either.right({ text, documents: nodes, positionOf })
}
