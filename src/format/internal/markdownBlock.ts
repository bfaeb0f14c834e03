import { decodeString } from "micromark-util-decode-string"
import { escapeXml } from "./inlineTags.js"
import { endOf, type Node, type Range, startOf, type Tree } from "./markdownTree.js"

/** An inline mark: one that holds text, or one that is kept as a whole. */
export interface Tag {
  readonly type: string
  readonly open: Range
  readonly close: Range | undefined
  /** What closes the mark in place of the source's, where a reference was named by the text itself. */
  readonly closing?: string | undefined
}

/** A text inside a mark, which the block's text does not show. */
export interface Attribute extends Range {
  readonly kind: "alt" | "title"
  /** Escaped XML, as the block's text is. */
  readonly text: string
  readonly line: number
}

/** What is translated of a paragraph, a heading or a cell. */
export interface Block extends Range {
  /** The text with its marks as tags; `undefined` if there is nothing to translate but attributes. */
  readonly text: string | undefined
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
const math = /\$\$[^$]+\$\$|\$(?=[^$\n]*[\\^_{=])[^\s$](?:[^$\n]*[^\s$])?\$(?!\d)/g

const joinLines = (text: string): string => text.replace(/[ \t]*(?:\r\n?|\n)[ \t]*/g, " ")

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

/** Reads the block that begins and ends with the children of a node. */
export const readBlock = (source: string, tree: Tree, node: Node): Block | undefined => {
  const children = node.children ?? []
  const [first] = children
  if (first === undefined) return undefined
  const tags = new Map<string, Tag>()
  const attributes: Array<Attribute> = []
  const references: Array<string> = []
  let words = false
  let text = ""

  const addAttribute = (kind: Attribute["kind"], range: Range | undefined, value: string, line: number) => {
    if (range !== undefined && hasWords(value)) {
      attributes.push({ ...range, kind, text: escapeXml(joinLines(value).trim()), line })
    }
  }

  const nameOf = (tag: Tag): string => {
    const name = `${letters[tag.close === undefined ? "" : tag.type] ?? "x"}${tags.size + 1}`
    tags.set(name, tag)
    return name
  }

  const addOpaque = (type: string, open: Range) => {
    text += `<${nameOf({ type, open, close: undefined })}/>`
  }

  const addText = (value: string) => {
    const joined = joinLines(value)
    words ||= hasWords(joined)
    text += escapeXml(joined)
  }

  const addTextNode = (child: Node) => {
    const [start, end] = [startOf(child), endOf(child)]
    const raw = source.slice(start, end)
    const formulas = raw.includes("$") ? [...raw.matchAll(math)] : []
    if (formulas.length === 0) return addText(child.value!)
    let at = 0
    for (const { 0: formula, index } of formulas) {
      addText(decodeString(raw.slice(at, index)))
      addOpaque("math", { start: start + index, end: start + index + formula.length })
      at = index + formula.length
    }
    addText(decodeString(raw.slice(at)))
  }

  const addReference = (child: Node) => {
    if (child.identifier !== undefined) {
      references.push(child.type === "footnoteReference" ? `^${child.identifier}` : child.identifier)
    }
  }

  const addAttributes = (child: Node, contentEnd: number) => {
    const line = child.position!.start.line
    if (child.type === "image" || (child.type === "imageReference" && child.referenceType === "full")) {
      const start = startOf(child) + 2
      const end = tree.labels.get(start)
      addAttribute("alt", end === undefined ? undefined : { start, end }, child.alt ?? "", line)
    }
    const title = child.title == null ? undefined : titleIn(tree.titles, contentEnd, endOf(child))
    const inner = title && { start: title.start + 1, end: title.end - 1 }
    addAttribute("title", inner, child.title ?? "", line)
  }

  const addMark = (child: Node, inside: ReadonlyArray<Node>, depth: number) => {
    const open = { start: startOf(child), end: startOf(inside[0]!) }
    const close = { start: endOf(inside.at(-1)!), end: endOf(child) }
    const isNamedByText = child.type === "linkReference" && child.referenceType !== "full"
    const label = source.slice(open.end, close.start).replace(/\s*[\r\n][\s>]*/g, " ")
    const closing = isNamedByText ? `][${label}]` : undefined
    const name = nameOf({ type: child.type, open, close, closing })
    text += `<${name}>`
    addAll(inside, depth + 1)
    text += `</${name}>`
    addAttributes(child, close.start)
  }

  const isMark = (child: Node): boolean =>
    letters[child.type] !== undefined &&
    child.children !== undefined &&
    child.children.length > 0 &&
    (!child.type.startsWith("link") || source[startOf(child)] === "[")

  const add = (child: Node, next: Node | undefined, depth: number) => {
    if (child.type === "text") return addTextNode(child)
    addReference(child)
    if (depth < maxDepth && isMark(child)) return addMark(child, child.children!, depth)
    // The line after a break begins with what its quote or list needs.
    const end = child.type === "break" && next !== undefined ? startOf(next) : endOf(child)
    addOpaque(child.type, { start: startOf(child), end })
    addAttributes(child, startOf(child))
  }

  const addAll = (list: ReadonlyArray<Node>, depth: number): void =>
    list.forEach((child, index) => {
      add(child, list[index + 1], depth)
    })

  addAll(children, 0)
  const range = { start: startOf(first), end: endOf(children.at(-1)!) }
  const isFormula = /^\$\$[^]*\$\$$/.test(source.slice(range.start, range.end))
  return {
    ...range,
    text: words && !isFormula ? text : undefined,
    tags,
    attributes: attributes.sort((a, b) => a.start - b.start),
    references,
    line: node.position!.start.line,
    isHeading: node.type === "heading" && source[startOf(node)] === "#",
    isCell: node.type === "tableCell"
  }
}
