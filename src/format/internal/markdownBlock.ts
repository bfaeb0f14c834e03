import { decodeString } from "micromark-util-decode-string"
import { escapeXml } from "./inlineTags.js"
import { countLines, endOf, type Node, type Range, startOf, type Tree } from "./markdownTree.js"

/** An inline mark: one that holds text, or one that is kept as a whole. */
export interface Tag {
  readonly type: string
  readonly open: Range
  readonly close: Range | undefined
  /** What a bare address refers to. */
  readonly address?: string | undefined
  /** What closes the mark in place of the source's, where a reference was named by the text itself. */
  readonly closing?: string | undefined
}

/** A text inside a mark, which the block's text does not show. */
export interface Attribute extends Range {
  readonly kind: "alt" | "title"
  /** Escaped XML, as the block's text is. */
  readonly text: string
  readonly line: number
  /** Whether there is something to translate in it. */
  readonly isUnit: boolean
}

/** What is translated of a paragraph, a heading or a cell. */
export interface Block extends Range {
  /** The text with its marks as tags. */
  readonly text: string
  /** Whether there is something to translate in it, apart from attributes. */
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

/** Math of one line, or between two dollars. Prices are none: they have blanks, or no sign of TeX. */
const math = /(?<!\\)\$(?:\$[^$]+\$\$|(?=[^$\n]*[\\^_{=])[^\s$](?:[^$\n]*[^\s$\\])?\$(?!\d))/g

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

const addTextNode = (reader: Reader, node: Node): void => {
  const start = startOf(node)
  const raw = reader.source.slice(start, endOf(node))
  const formulas = raw.includes("$") ? [...raw.matchAll(math)] : []
  if (formulas.length === 0) {
    addText(reader, node.value!)
    return
  }
  // A line that begins with `>` goes on in its quote.
  const textOf = (piece: string) => decodeString(piece.replace(/(\r\n?|\n)[ \t>]*/g, "$1"))
  let at = 0
  for (const { 0: formula, index } of formulas) {
    addText(reader, textOf(raw.slice(at, index)))
    at = index + formula.length
    addOpaque(reader, "math", { start: start + index, end: start + at })
  }
  addText(reader, textOf(raw.slice(at)))
}

const addAttribute = (
  { attributes }: Reader,
  node: Node,
  kind: Attribute["kind"],
  range: Range | undefined
): void => {
  if (range === undefined) return
  const value = joinLines(node[kind] ?? "").trim()
  const line = node.position!.start.line
  attributes.push({ ...range, kind, text: escapeXml(value), line, isUnit: hasWords(value) })
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

/** Whether a link shows its address, so that there is nothing to translate in it. */
const showsAddress = ({ children = [], url }: Node): boolean => {
  const [text] = children
  return (
    children.length === 1 &&
    text?.type === "text" &&
    [text.value, `http://${text.value}`, `mailto:${text.value}`].includes(url)
  )
}

/** The address of a link without brackets. */
const bareAddress = (source: string, node: Node): string | undefined =>
  node.type === "link" && !/[<[]/.test(source[startOf(node)]!) ? node.url : undefined

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
    // The line after a break begins with what its quote or list needs.
    const end = node.type === "break" && next !== undefined ? startOf(next) : endOf(node)
    addOpaque(reader, node.type, { start: startOf(node), end }, bareAddress(reader.source, node))
    addAttributes(reader, node, startOf(node))
  }
}

/** What makes a quote an alert of GitHub: `[!NOTE]` on its first line. */
const alert = /^\[![A-Za-z]+\][+-]?(?:[ \t]*(?:\r\n?|\n|$)[ \t>]*|[ \t]+)/

/** The children of a node, without what makes an alert. */
const contentOf = (source: string, node: Node): ReadonlyArray<Node> => {
  const children = node.children ?? []
  const [first, ...others] = children
  if (node.type !== "paragraph" || first?.type !== "text" || !first.value!.startsWith("[!")) return children
  const start = startOf(first)
  const found = alert.exec(source.slice(start, endOf(first)))?.[0]
  if (found === undefined) return children
  const { end, start: place } = first.position!
  const position = { start: { line: place.line + countLines(found), offset: start + found.length }, end }
  const value = first.value!.replace(alert, "")
  return value === "" ? others : [{ ...first, position, value }, ...others]
}

/** Reads the block that begins and ends with the children of a node. */
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
    line: first.position!.start.line,
    isHeading: node.type === "heading" && source[startOf(node)] === "#",
    isCell: node.type === "tableCell"
  }
}
