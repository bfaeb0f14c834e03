import * as Either from "effect/Either"
import { createScanner } from "jsonc-parser"
import type { Problem } from "../../Format.js"
import { type Position, positions } from "../parts.js"
import { makeUnique } from "../unitKeys.js"
import * as jsonString from "./jsonString.js"

/** A piece of a document, from its first character up to, but not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

export interface StringNode extends Range {
  readonly tag: "string"
  readonly value: string
}

export interface Property extends Range {
  readonly key: string
  /** Unique in the object: the second of a key is `key#2`. */
  readonly name: string
  readonly value: Node
}

/** An object or an array. */
interface Container extends Range {
  /** True if the document ends within it. @default false */
  readonly isCut?: boolean | undefined
}

export interface ObjectNode extends Container {
  readonly tag: "object"
  readonly properties: ReadonlyArray<Property>
}

export interface ArrayNode extends Container {
  readonly tag: "array"
  readonly items: ReadonlyArray<Node>
}

/** A number, a boolean or null. */
export interface OtherNode extends Range {
  readonly tag: "other"
}

export type Node = StringNode | ObjectNode | ArrayNode | OtherNode

export interface JsonDocument {
  readonly text: string
  readonly root: Node
  readonly position: (offset: number) => Position
  /** A text as a string in the style of the file, in place of a piece of it. */
  readonly write: (text: string, before: Range) => string
}

/** The deepest nesting of a document that is read. */
export const maxDepth = 500

/** The tokens of the scanner; its own names for them are erased constants, which modules that are compiled one by one lack. */
const tokens = {
  openBrace: 1,
  closeBrace: 2,
  openBracket: 3,
  closeBracket: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  unknown: 16,
  end: 17
}

const errors: Record<number, string> = {
  1: "a comment is not closed: JSON has no comments, remove it.",
  2: "a string is not closed on its line: add the closing quote, and write a line break as \\n.",
  3: "a number is cut off: complete it.",
  4: "the escape \\u needs four hexadecimal digits: complete it, or write the backslash twice.",
  5: "a backslash begins an escape that JSON does not have: write the backslash twice.",
  6: "a control character stands in a string: write it as an escape, a tabulator as \\t."
}

/** Reads tokens into nodes. After the first problem each method returns `undefined`. */
class Parser {
  problem: (Problem & { readonly offset: number }) | undefined
  private readonly scanner
  private token = 0

  constructor(
    readonly text: string,
    /** The text as messages call it; of a `head` the rest may be missing. */
    readonly whole: "file" | "line" | "head"
  ) {
    this.scanner = createScanner(text)
    if (text.startsWith("\uFEFF")) this.scanner.setPosition(1)
  }

  document(): Node | undefined {
    this.next()
    if (this.token === tokens.end) return this.fail(`the ${this.whole} is empty: JSON has at least {}.`)
    const root = this.value(0)
    return this.whole !== "head" && root !== undefined && this.token !== tokens.end
      ? this.fail("there is something behind the end of the document: remove it.")
      : root
  }

  private fail(message: string, offset = this.scanner.getTokenOffset()): undefined {
    this.problem ??= { message, offset }
  }

  /** The next token that is not blank. */
  private next(): void {
    do {
      this.token = this.scanner.scan()
    } while (this.token > tokens.blockComment && this.token < tokens.unknown)
    const error = this.scanner.getTokenError()
    if (error !== 0) this.fail(errors[error] ?? "this is not JSON: correct it.")
    else if (this.token === tokens.lineComment || this.token === tokens.blockComment) {
      this.fail("JSON has no comments: remove it.")
    }
  }

  private unexpected(expected: string): undefined {
    return this.token === tokens.end
      ? this.fail(`the ${this.whole} ends where ${expected} is missing: it may be cut off.`)
      : this.fail(`${expected} is missing here: add it.`)
  }

  private value(depth: number): Node | undefined {
    if (this.problem !== undefined) return undefined
    if (depth > maxDepth) {
      return this.fail(`objects and arrays are nested more than ${maxDepth} levels deep: make it flatter.`)
    }
    if (this.token === tokens.openBrace) return this.object(depth)
    if (this.token === tokens.openBracket) return this.array(depth)
    const start = this.scanner.getTokenOffset()
    const end = this.scanner.getPosition()
    if (this.token === tokens.string) {
      const value = this.scanner.getTokenValue()
      this.next()
      return { tag: "string", start, end, value }
    }
    if (this.token === tokens.unknown) {
      return this.fail(
        "this is no value of JSON: write texts in double quotes, and true, false and null in lower case."
      )
    }
    if (this.token < tokens.null || this.token > tokens.number) return this.unexpected("a value")
    this.next()
    return { tag: "other", start, end }
  }

  private object(depth: number): ObjectNode | undefined {
    const start = this.scanner.getTokenOffset()
    const properties: Array<Property> = []
    const unique = makeUnique()
    const end = this.members(tokens.closeBrace, () => {
      const property = this.property(depth, unique)
      if (property !== undefined) properties.push(property)
    })
    const range = this.container(start, end)
    return range && { ...range, tag: "object", properties }
  }

  private property(depth: number, unique: (key: string) => string): Property | undefined {
    if (this.token !== tokens.string) return this.unexpected("a key in double quotes")
    const key = this.scanner.getTokenValue()
    const start = this.scanner.getTokenOffset()
    this.next()
    if (this.token !== tokens.colon) return this.unexpected("a colon")
    this.next()
    const value = this.value(depth + 1)
    return value && { start, end: value.end, key, name: unique(key), value }
  }

  private array(depth: number): ArrayNode | undefined {
    const start = this.scanner.getTokenOffset()
    const items: Array<Node> = []
    const end = this.members(tokens.closeBracket, () => {
      const item = this.value(depth + 1)
      if (item !== undefined) items.push(item)
    })
    const range = this.container(start, end)
    return range && { ...range, tag: "array", items }
  }

  /** The place of a container, of which a beginning may lack the end. */
  private container(start: number, end: number | undefined): Container | undefined {
    return end !== undefined
      ? { start, end }
      : this.whole === "head"
        ? { start, end: this.text.length, isCut: true }
        : undefined
  }

  /** Reads the members between brackets, and returns the end of the brackets. */
  private members(close: number, read: () => void): number | undefined {
    this.next()
    for (let count = 0; this.token !== close; count++) {
      if (count > 0) {
        if (this.token !== tokens.comma) return this.unexpected("a comma or a closing bracket")
        const comma = this.scanner.getTokenOffset()
        this.next()
        if (this.token === close)
          return this.fail("nothing follows the last comma: JSON has none there, remove it.", comma)
      }
      read()
      if (this.problem !== undefined) return undefined
    }
    const end = this.scanner.getPosition()
    this.next()
    return this.problem === undefined ? end : undefined
  }
}

/** Reads JSON as RFC 8259 has it, without comments. */
export const parse = (
  text: string,
  whole: "file" | "line" = "file"
): Either.Either<JsonDocument, Problem> => {
  const parser = new Parser(text, whole)
  const root = parser.document()
  const position = positions(text)
  if (root === undefined || parser.problem !== undefined) {
    const { message, offset } = parser.problem!
    return Either.left({ ...position(offset), message })
  }
  let style: jsonString.Style | undefined
  return Either.right({
    text,
    root,
    position,
    write: (value, { end, start }) => {
      style ??= jsonString.styleOf(text)
      return jsonString.write(value, text.slice(start, end), style)
    }
  })
}

/** The values that a beginning of JSON holds; `undefined` if it holds none. */
export const parseHead = (head: string): Node | undefined => new Parser(head, "head").document()

/** A document as a value; each number or boolean is 0. */
export const valueOf = ({ root, text }: JsonDocument): unknown => {
  const value = (node: Node): unknown =>
    node.tag === "string"
      ? node.value
      : node.tag === "object"
        ? Object.fromEntries(node.properties.map((property) => [property.key, value(property.value)]))
        : node.tag === "array"
          ? node.items.map(value)
          : text.startsWith("null", node.start)
            ? null
            : 0
  return value(root)
}

/** The value of a key: the last, as readers take it, if there are several. */
export const get = (node: Node | undefined, key: string): Node | undefined =>
  node?.tag === "object" ? node.properties.findLast((property) => property.key === key)?.value : undefined

/** The properties that readers see: of each key the last. */
export const lastOfEach = ({ properties }: ObjectNode): ReadonlyArray<Property> => [
  ...new Map(properties.map((property) => [property.key, property])).values()
]

/** The text of a key. */
export const getString = (node: Node | undefined, key: string): string | undefined => {
  const value = get(node, key)
  return value?.tag === "string" ? value.value : undefined
}
