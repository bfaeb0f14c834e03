import type { ArrayNode, JsonDocument, Node, ObjectNode, Range } from "./jsonDocument.js"

/** The layout of a file. */
export interface Layout {
  /** The indentation of one level; `undefined` if all stands on one line. */
  readonly unit: string | undefined
  readonly newline: string
}

export const childrenOf = (node: ObjectNode | ArrayNode): ReadonlyArray<Range> =>
  node.tag === "object" ? node.properties : node.items

/** The whitespace at the beginning of the line of an offset. */
export const indentation = ({ position, text }: JsonDocument, offset: number): string => {
  const start = offset - position(offset).column + 1
  let end = start
  while (text[end] === " " || text[end] === "\t") end++
  return text.slice(start, Math.min(end, offset))
}

/** The whitespace of the last line of a piece that has several lines. */
const lastIndentation = (blank: string): string | undefined => /[\r\n]([ \t]*)$/.exec(blank)?.[1]

/** The layout of a document, or of the other one if it is empty. */
export const layoutOf = ({ root, text }: JsonDocument, other?: JsonDocument): Layout => {
  const newline = /\r\n?|\n/.exec(text)?.[0] ?? "\n"
  const first = root.tag === "object" || root.tag === "array" ? childrenOf(root)[0] : undefined
  if (first === undefined) return { unit: other === undefined ? "  " : layoutOf(other).unit, newline }
  return { unit: lastIndentation(text.slice(root.start + 1, first.start)), newline }
}

/** The text around the entries of an object or array. */
export interface Frame {
  readonly open: string
  /** Between two entries. */
  readonly separator: string
  readonly close: string
}

export const frameOf = (
  document: JsonDocument,
  node: ObjectNode | ArrayNode,
  { newline, unit }: Layout
): Frame => {
  const { text } = document
  const children = childrenOf(node)
  const first = children[0]
  if (first === undefined) {
    if (unit === undefined) return { open: "", separator: ",", close: "" }
    const base = newline + indentation(document, node.start)
    return { open: base + unit, separator: `,${base}${unit}`, close: base }
  }
  const open = text.slice(node.start + 1, first.start)
  const indent = lastIndentation(open)
  const second = children[1]
  return {
    open,
    separator:
      indent !== undefined
        ? `,${newline}${indent}`
        : second !== undefined
          ? text.slice(first.end, second.start)
          : `,${open}`,
    close: text.slice(children.at(-1)!.end, node.end - 1)
  }
}

/** A piece of a document as it is written in another one at an indentation. */
export const moved = (
  document: JsonDocument,
  { end, start }: Range,
  from: Layout,
  to: Layout,
  indent: string
): string => {
  const raw = document.text.slice(start, end)
  if (!/[\r\n]/.test(raw)) return raw
  if (to.unit === undefined) return raw.replace(/(?:\r\n?|\n)[ \t]*/g, "")
  const base = indentation(document, start).length
  const width = from.unit === undefined || from.unit === "" ? 2 : from.unit.length
  return raw.replace(/(?:\r\n?|\n)([ \t]*)/g, (_, blank: string) => {
    const levels = Math.max(0, Math.round((blank.length - base) / width))
    return to.newline + indent + to.unit!.repeat(levels)
  })
}

/** The indentation of the entries of a frame. */
export const indentOf = ({ separator }: Frame): string => lastIndentation(separator) ?? ""

/** An entry of an object or array that is written again. */
export interface Entry {
  readonly text: string
  /** Its place among the entries that were there; `undefined` if it is new. */
  readonly index?: number | undefined
}

/** Entries one behind the other. Those that were there keep the text in front of them. */
export const separated = (
  { text }: JsonDocument,
  node: ObjectNode | ArrayNode,
  { separator }: Frame,
  entries: ReadonlyArray<Entry>
): string => {
  const children = childrenOf(node)
  let written = ""
  entries.forEach((entry, position) => {
    if (position > 0) {
      written +=
        entry.index === undefined || entry.index === 0
          ? separator
          : text.slice(children[entry.index - 1]!.end, children[entry.index]!.start)
    }
    written += entry.text
  })
  return written
}

/** An object or array with other entries. */
export const framed = (
  document: JsonDocument,
  node: ObjectNode | ArrayNode,
  frame: Frame,
  entries: ReadonlyArray<Entry>
): string => {
  const [open, close] = node.tag === "object" ? ["{", "}"] : ["[", "]"]
  return entries.length === 0
    ? open + close
    : open + frame.open + separated(document, node, frame, entries) + frame.close + close
}

export const rawOf = ({ text }: JsonDocument, { end, start }: Range): string => text.slice(start, end)

export const isContainer = (node: Node): node is ObjectNode | ArrayNode =>
  node.tag === "object" || node.tag === "array"
