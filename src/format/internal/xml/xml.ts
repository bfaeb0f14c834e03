import * as Either from "effect/Either"
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes"
import type { Problem } from "../../Format.js"
import { positions } from "../parts.js"
import { unescape } from "./xmlText.js"

/** An attribute. */
export interface XmlAttribute {
  readonly name: string
  /** The name without its prefix. */
  readonly local: string
  /** The URI of its namespace, `""` for none. */
  readonly namespace: string
  /** Its references resolved; entities that are not of XML itself stay in it. */
  readonly value: string
  /** Where its name begins. */
  readonly start: number
  /** Behind its closing quote. */
  readonly end: number
  /** Behind its opening quote. The value ends at `end - 1`. */
  readonly valueStart: number
}

export interface XmlElement {
  readonly type: "element"
  readonly name: string
  /** The name without its prefix. */
  readonly local: string
  /** The URI of its namespace, `""` for none. */
  readonly namespace: string
  readonly attributes: ReadonlyArray<XmlAttribute>
  /** At the `<` of the start tag. */
  readonly start: number
  /** Behind the `>` of the start tag. */
  readonly openEnd: number
  /** At the `<` of the end tag; `end` if the element closes itself. */
  readonly closeStart: number
  readonly end: number
  readonly selfClosing: boolean
  readonly children: ReadonlyArray<XmlNode>
  readonly parent: XmlElement | undefined
}

/** Text, CDATA, or a comment. */
export interface XmlText {
  readonly type: "text" | "cdata" | "comment"
  readonly start: number
  readonly end: number
  /** What it says: references of characters are resolved in text. Line ends and other entities are as in the file. */
  readonly text: string
}

/** A processing instruction, the XML declaration, or the document type with all that is declared in it. */
export interface XmlDeclaration {
  readonly type: "pi" | "declaration" | "doctype"
  readonly start: number
  readonly end: number
}

export type XmlNode = XmlElement | XmlText | XmlDeclaration

export interface XmlDocument {
  readonly text: string
  readonly root: XmlElement
  /** The root, and what is before and after it. */
  readonly children: ReadonlyArray<XmlNode>
}

/** How many elements may be within one another. */
export const maxDepth = 500

const tooDeep = `more than ${maxDepth} elements are within one another`

type Mutable<A> = { -readonly [K in keyof A]: A[K] }

interface Open extends Mutable<XmlElement> {
  children: Array<XmlNode>
}

/** Entities are never expanded: one that XML itself has not is kept as it is written. */
const entities: Record<string, string> = new Proxy<Record<string, string>>(
  {},
  {
    get: (_, name) =>
      typeof name === "string" && /^[\p{L}_:][\p{L}\p{M}\p{N}_:.-]*$/u.test(name)
        ? unescape(`&${name};`)
        : undefined
  }
)

/** The attributes of a start tag that the parser has found to be well-formed, with their places. */
const attributesOf = (text: string, tag: SaxesTagNS, start: number): ReadonlyArray<XmlAttribute> => {
  const attributes: Array<XmlAttribute> = []
  let from = start + 1 + tag.name.length
  for (const { local, name, uri, value } of Object.values<SaxesAttributeNS>(tag.attributes)) {
    const at = text.indexOf(name, from)
    let quote = at + name.length
    while (text[quote] !== '"' && text[quote] !== "'") quote++
    const end = text.indexOf(text[quote]!, quote + 1) + 1
    attributes.push({ name, local, namespace: uri, value, start: at, end, valueStart: quote + 1 })
    from = end
  }
  return attributes
}

/** Builds the tree from the events of a parser, which says only where it is. */
class Builder {
  /** Behind the last tag, comment or the like. */
  private cursor = 0
  private open: Open | undefined
  private depth = 0
  readonly children: Array<XmlNode> = []
  root: XmlElement | undefined

  constructor(
    private readonly text: string,
    private readonly parser: SaxesParser<{ xmlns: true }>
  ) {
    parser.on("opentag", this.onOpen)
    parser.on("closetag", this.onClose)
    parser.on("comment", () => this.onText("comment", 4, parser.position + 1, 3))
    parser.on("cdata", () => this.onText("cdata", 9, parser.position, 3))
    parser.on("processinginstruction", () => this.onDeclaration("pi"))
    parser.on("doctype", () => this.onDeclaration("doctype"))
    parser.on("xmldecl", () => this.onDeclaration("declaration"))
  }

  /** Where the reader was before the parser gave up, and the element it was in. */
  get place() {
    return { cursor: this.cursor, open: this.open?.start }
  }

  private add(node: XmlNode) {
    ;(this.open?.children ?? this.children).push(node)
  }

  /** Takes the text up to the next `<`, and says where that is. */
  private next(): number {
    const start = this.text.indexOf("<", this.cursor)
    if (this.open !== undefined && start > this.cursor) {
      const text = unescape(this.text.slice(this.cursor, start))
      this.open.children.push({ type: "text", start: this.cursor, end: start, text })
    }
    return start
  }

  private readonly onOpen = (tag: SaxesTagNS) => {
    const start = this.next()
    if (++this.depth > maxDepth) this.parser.fail(tooDeep)
    const end = this.parser.position
    const element: Open = {
      type: "element",
      name: tag.name,
      local: tag.local,
      namespace: tag.uri,
      attributes: attributesOf(this.text, tag, start),
      start,
      openEnd: end,
      closeStart: end,
      end,
      selfClosing: tag.isSelfClosing,
      children: [],
      parent: this.open
    }
    this.add(element)
    this.root ??= element
    this.open = element
    this.cursor = end
  }

  private readonly onClose = () => {
    const element = this.open
    if (element === undefined) return
    if (!element.selfClosing) {
      element.closeStart = this.next()
      element.end = this.parser.position
      this.cursor = element.end
    }
    this.open = element.parent as Open | undefined
    this.depth--
  }

  private onText(type: "cdata" | "comment", before: number, end: number, behind: number) {
    const start = this.next()
    this.add({ type, start, end, text: this.text.slice(start + before, end - behind) })
    this.cursor = end
  }

  private onDeclaration(type: XmlDeclaration["type"]) {
    const start = this.next()
    this.add({ type, start, end: this.parser.position })
    this.cursor = this.parser.position
  }
}

const badReference = /&(?!#\d+;|#x[\da-fA-F]+;|[\p{L}_:][\p{L}\p{M}\p{N}_:.-]*;)/gu

/** What the parser has found, with advice. Names of elements are in its own messages only. */
const advices: ReadonlyArray<readonly [RegExp, string]> = [
  [/elements are within/, `${tooDeep}, the most that is read: check whether the file was damaged.`],
  [
    /unclosed tag|unexpected end|must contain a root/,
    "the file ends before all of its elements are closed: it may be cut."
  ],
  [/clos(?:e|ing) tag/, "an end tag is not that of the element that is open: close elements in their order."],
  [/one root|outside of root/, "there is something behind or before the only root element: remove it."],
  [/prefix/, "a prefix is bound to no namespace, or to a wrong one: declare it with xmlns."],
  [/duplicate attribute/, "an element has an attribute twice: remove one."],
  [/character entity/, "a reference names a character that XML cannot hold: remove it."],
  [/]]>/, 'there is "]]>" in a text: write "]]&gt;".'],
  [/declaration|version|encoding value|standalone/, "the XML declaration is wrong: repair it or remove it."],
  [/attribute|in tag name/, 'a tag is not well-formed: quote attributes, and write "&lt;" for "<" in texts.'],
  [
    /disallowed character\.$/,
    'there is a character that XML cannot hold here: remove it, or write "&lt;" for "<".'
  ]
]

const problemOf = (text: string, offset: number, place: Builder["place"], error: unknown): Problem => {
  const found = error instanceof Error ? error.message : ""
  badReference.lastIndex = place.cursor
  const reference =
    /entity name|undefined entity|unexpected end|unclosed tag/.test(found) &&
    !text.startsWith("<!", text.indexOf("<", place.cursor))
      ? badReference.exec(text)?.index
      : undefined
  if (reference !== undefined) {
    return { ...positions(text)(reference), message: 'a "&" begins no reference: write "&amp;".' }
  }
  const at = /unclosed tag/.test(found) ? (place.open ?? offset) : offset - 1
  const advice = advices.find(([pattern]) => pattern.test(found))?.[1]
  return {
    ...positions(text)(Math.max(0, Math.min(at, text.length))),
    message: advice ?? "the file is not well-formed XML: repair it."
  }
}

/**
 * The elements of an XML document with their places in its text. Entities are not expanded. Left says where the document is not
 * well-formed, or has more than 500 levels.
 */
export const parse = (text: string): Either.Either<XmlDocument, Problem> => {
  const parser = new SaxesParser({ xmlns: true })
  parser.ENTITIES = entities
  const builder = new Builder(text, parser)
  // Without a handler of errors, the parser throws the first one.
  return Either.try(() => parser.write(text).close()).pipe(
    Either.mapLeft((error) => problemOf(text, parser.position, builder.place, error)),
    Either.flatMap(() =>
      builder.root === undefined
        ? Either.left<Problem>({ message: "the file has no element: it may be cut." })
        : Either.right({ text, root: builder.root, children: builder.children })
    )
  )
}

/** The value of an attribute by its name with its prefix. */
export const attribute = (element: XmlElement, name: string): string | undefined =>
  element.attributes.find((each) => each.name === name)?.value

/** The elements that are children of an element. */
export const elements = (element: XmlElement): ReadonlyArray<XmlElement> =>
  element.children.filter((child) => child.type === "element")
