import * as Either from "effect/Either"
import * as xmlReader from "../../../internal/xmlReader.js"
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
  /** The text: references of characters are resolved in it. Line ends and other entities are as in the file. */
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
  /** The root, and the nodes before and after it. */
  readonly children: ReadonlyArray<XmlNode>
}

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
const attributesOf = (
  text: string,
  tag: xmlReader.NamespaceTag,
  start: number
): ReadonlyArray<XmlAttribute> => {
  const attributes: Array<XmlAttribute> = []
  let from = start + 1 + tag.name.length
  for (const { local, name, uri, value } of Object.values(tag.attributes)) {
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
  readonly children: Array<XmlNode> = []
  root: XmlElement | undefined

  readonly reader: xmlReader.Reader

  constructor(private readonly text: string) {
    this.reader = xmlReader.make(
      { xmlns: true },
      {
        opentag: this.onOpen,
        closetag: this.onClose,
        comment: () => this.onText("comment", 4, this.reader.position + 1, 3),
        cdata: () => this.onText("cdata", 9, this.reader.position, 3),
        processinginstruction: () => this.onDeclaration("pi"),
        doctype: () => this.onDeclaration("doctype"),
        xmldecl: () => this.onDeclaration("declaration")
      },
      entities
    )
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

  private readonly onOpen = (tag: xmlReader.NamespaceTag) => {
    const start = this.next()
    const end = this.reader.position
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
      element.end = this.reader.position
      this.cursor = element.end
    }
    this.open = element.parent as Open | undefined
  }

  private onText(type: "cdata" | "comment", before: number, end: number, behind: number) {
    const start = this.next()
    this.add({ type, start, end, text: this.text.slice(start + before, end - behind) })
    this.cursor = end
  }

  private onDeclaration(type: XmlDeclaration["type"]) {
    const start = this.next()
    this.add({ type, start, end: this.reader.position })
    this.cursor = this.reader.position
  }
}

const badReference = /&(?!#\d+;|#x[\da-fA-F]+;|[\p{L}_:][\p{L}\p{M}\p{N}_:.-]*;)/gu

const problemOf = (
  text: string,
  { place, reader }: Builder,
  { message, reason }: xmlReader.Fault
): Problem => {
  badReference.lastIndex = place.cursor
  const reference =
    /entity name|undefined entity|unexpected end|unclosed tag/.test(reason) &&
    !text.startsWith("<!", text.indexOf("<", place.cursor))
      ? badReference.exec(text)?.index
      : undefined
  if (reference !== undefined) {
    return { ...positions(text)(reference), message: 'a "&" begins no reference: write "&amp;".' }
  }
  const at = /unclosed tag/.test(reason) ? (place.open ?? reader.position) : reader.position - 1
  return { ...positions(text)(Math.max(0, Math.min(at, text.length))), message }
}

/**
 * The elements of an XML document with their places in its text. Entities are not expanded. Left says where the document is not
 * well-formed, or has more than 500 levels.
 */
export const parse = (text: string): Either.Either<XmlDocument, Problem> => {
  const builder = new Builder(text)
  return builder.reader.read(text).pipe(
    Either.flatMap(builder.reader.end),
    Either.mapLeft((fault) => problemOf(text, builder, fault)),
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
