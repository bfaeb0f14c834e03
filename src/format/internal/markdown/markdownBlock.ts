import { decodeString } from "micromark-util-decode-string"
import { escapeXml } from "../xml/inlineTags.js"
import { endBeforeAttributes, kept } from "./markdownTemplates.js"
import { endOf, type Node, type Range, startOf, type Tree } from "./markdownTree.js"

/** An inline mark: one that holds text, or one that is kept as a whole. */
export interface Tag {
  readonly type: string
  readonly open: Range
  readonly close: Range | undefined
  /** The target of a bare address. */
  readonly address?: string | undefined
  /** The closing mark in place of the source's, where the text itself named a reference. */
  readonly closing?: string | undefined
}

/** A text inside a mark, which the block's text does not show. */
export interface Attribute extends Range {
  readonly kind: "alt" | "title"
  /** Escaped XML, as the block's text is. */
  readonly text: string
  readonly line: number
  /** True if there is text to translate. */
  readonly isUnit: boolean
}

/** The translatable content of a paragraph, a heading or a cell. */
export interface Block extends Range {
  /** The text with its marks as tags. */
  readonly text: string
  /** True if there is text to translate, apart from attributes. */
  readonly isUnit: boolean
  readonly tags: ReadonlyMap<string, Tag>
  readonly attributes: ReadonlyArray<Attribute>
  /** Names of the definitions that the block needs. */
  readonly references: ReadonlyArray<string>
  readonly line: number
  readonly isHeading: boolean
  readonly isCell: boolean
}

const letters: Readonly<Record<string, string>> = {
  emphasis: "i",
  strong: "b",
  delete: "s",
  link: "a",
  linkReference: "a",
  mdxJsxTextElement: "g"
}

const maxDepth = 32

const joinLines = (text: string): string => text.replace(/(?<![ \t])[ \t]*(?:\r\n?|\n)[ \t]*/g, " ")

const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const titleIn = (titles: ReadonlyArray<Range>, after: number, before: number): Range | undefined => {
  let low = 0
  let high = titles.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (titles[middle]!.end < before) low = middle + 1
    else high = middle
  }
  const found = titles[low - 1]
  return found !== undefined && found.start >= after ? found : undefined
}

interface Reader {
  readonly source: string
  readonly tree: Tree
  readonly tags: Map<string, Tag>
  readonly attributes: Array<Attribute>
  readonly references: Array<string>
  text: string
  hasWords: boolean
}

const addText = (reader: Reader, value: string): void => {
  const joined = joinLines(value)
  reader.hasWords ||= hasWords(joined)
  reader.text += escapeXml(joined)
}

const addTag = ({ tags }: Reader, tag: Tag): string => {
  const name = `${letters[tag.close === undefined ? "" : tag.type] ?? "x"}${tags.size + 1}`
  tags.set(name, tag)
  return name
}

const addOpaque = (reader: Reader, type: string, open: Range, address?: string): void => {
  reader.text += `<${addTag(reader, { type, open, close: undefined, address })}/>`
}

/** Decodes a piece of the source, without the signs of quotes at the start of its lines. */
const decode = (raw: string): string => decodeString(raw.replace(/(\r\n?|\n)[ \t>]*/g, "$1"))

const addTextNode = (reader: Reader, node: Node): void => {
  const start = startOf(node)
  const raw = reader.source.slice(start, endOf(node))
  const found = [...raw.matchAll(kept)]
  if (found.length === 0 && raw === reader.tree.masked.slice(start, endOf(node))) {
    addText(reader, node.value!)
    return
  }
  let at = 0
  for (const { 0: match, index } of found) {
    addText(reader, decode(raw.slice(at, index)))
    at = index + match.length
    addOpaque(reader, "kept", { start: start + index, end: start + at })
  }
  addText(reader, decode(raw.slice(at)))
}

const addAttribute = (
  { attributes, source, tree }: Reader,
  node: Node,
  kind: Attribute["kind"],
  range: Range | undefined
): void => {
  if (range === undefined) return
  const value = joinLines(node[kind] ?? "").trim()
  const line = node.position!.start.line
  const hasTemplate = source.slice(range.start, range.end) !== tree.masked.slice(range.start, range.end)
  attributes.push({
    ...range,
    kind,
    text: escapeXml(value),
    line,
    isUnit: !hasTemplate && hasWords(value)
  })
}

const addAttributes = (reader: Reader, node: Node, contentEnd: number): void => {
  const { labels, titles } = reader.tree
  if (node.type === "image" || (node.type === "imageReference" && node.referenceType === "full")) {
    const start = startOf(node) + 2
    const end = labels.get(start)
    addAttribute(reader, node, "alt", end === undefined ? undefined : { start, end })
  }
  const title = node.title == null ? undefined : titleIn(titles, contentEnd, endOf(node))
  addAttribute(reader, node, "title", title && { start: title.start + 1, end: title.end - 1 })
}

const addReference = ({ references }: Reader, { identifier, type }: Node): void => {
  if (identifier !== undefined) references.push(type === "footnoteReference" ? `^${identifier}` : identifier)
}

/** True if a link shows its address, so that there is no text to translate. */
const showsAddress = ({ children = [], url }: Node): boolean => {
  const [text] = children
  return (
    children.length === 1 &&
    text?.type === "text" &&
    [text.value, `http://${text.value}`, `mailto:${text.value}`].includes(url)
  )
}

/** The address of a link without brackets. */
const bareAddress = (source: string, node: Node): string | undefined => {
  if (node.type !== "link" || /[<[]/.test(source[startOf(node)]!)) return undefined
  const raw = source.slice(startOf(node), endOf(node))
  return node.url!.slice(0, -raw.length) + raw
}

const isMark = (source: string, node: Node): boolean =>
  letters[node.type] !== undefined &&
  node.children !== undefined &&
  node.children.length > 0 &&
  (!node.type.startsWith("link") || (source[startOf(node)] === "[" && !showsAddress(node)))

const addMark = (reader: Reader, node: Node, children: ReadonlyArray<Node>, depth: number): void => {
  const open = { start: startOf(node), end: startOf(children[0]!) }
  const close = { start: endOf(children.at(-1)!), end: endOf(node) }
  const isNamedByText = node.type === "linkReference" && node.referenceType !== "full"
  const label = reader.source.slice(open.end, close.start).replace(/\s*[\r\n][\s>]*/g, " ")
  const closing = isNamedByText ? `][${label}]` : undefined
  const name = addTag(reader, { type: node.type, open, close, closing })
  reader.text += `<${name}>`
  addNodes(reader, children, depth + 1)
  reader.text += `</${name}>`
  addAttributes(reader, node, close.start)
}

const addNodes = (reader: Reader, nodes: ReadonlyArray<Node>, depth: number): void => {
  for (const [index, node] of nodes.entries()) {
    if (node.type === "text") {
      addTextNode(reader, node)
      continue
    }
    addReference(reader, node)
    if (depth < maxDepth && isMark(reader.source, node)) {
      addMark(reader, node, node.children!, depth)
      continue
    }
    const next = nodes[index + 1]
    // The line after a break begins with the markers of its quote or list.
    const end = node.type === "break" && next !== undefined ? startOf(next) : endOf(node)
    addOpaque(reader, node.type, { start: startOf(node), end }, bareAddress(reader.source, node))
    addAttributes(reader, node, startOf(node))
  }
}

/** The nodes of a block apart from the attributes at its end. */
const contentOf = (source: string, { children = [] }: Node): ReadonlyArray<Node> => {
  const [first] = children
  if (first === undefined) return []
  const start = startOf(first)
  const whole = endOf(children.at(-1)!)
  const end = start + endBeforeAttributes(source.slice(start, whole))
  if (end === whole) return children
  const content = children.filter((child) => startOf(child) < end)
  const last = content.at(-1)
  if (last === undefined || endOf(last) === end) return content
  if (last.type !== "text") return children
  const value = endOf(last) === whole ? last.value!.slice(0, last.value!.lastIndexOf("{")) : last.value!
  const position = { start: last.position!.start, end: { offset: end } }
  return [...content.slice(0, -1), { ...last, value: value.trimEnd(), position }]
}

/** Reads the block that begins and ends with the content of a node. */
export const readBlock = (source: string, tree: Tree, node: Node): Block | undefined => {
  const children = contentOf(source, node)
  const [first] = children
  if (first === undefined) return undefined
  const range = { start: startOf(first), end: endOf(children.at(-1)!) }
  const reader: Reader = {
    source,
    tree,
    tags: new Map(),
    attributes: [],
    references: [],
    text: "",
    hasWords: false
  }
  addNodes(reader, children, 0)
  const raw = source.slice(range.start, range.end)
  const isFormula = raw.startsWith("$$") && raw.endsWith("$$")
  return {
    ...range,
    text: reader.text,
    isUnit: reader.hasWords && !isFormula,
    tags: reader.tags,
    attributes: reader.attributes.sort((a, b) => a.start - b.start),
    references: reader.references,
    line: node.position!.start.line,
    isHeading: node.type === "heading" && tree.masked[startOf(node)] === "#",
    isCell: node.type === "tableCell"
  }
}
