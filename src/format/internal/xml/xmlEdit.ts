import type { Edit } from "../edits.js"
import type { XmlElement } from "./xml.js"

/** Sets an attribute to a value that needs no escapes, behind another one if it is new. */
export const setAttribute = (element: XmlElement, name: string, value: string, behind?: string): Edit => {
  const own = element.attributes.find((each) => each.name === name)
  if (own !== undefined) return { start: own.valueStart, end: own.end - 1, text: value }
  const before = element.attributes.find((each) => each.name === behind) ?? element.attributes.at(-1)
  const at = before?.end ?? element.start + 1 + element.name.length
  return { start: at, end: at, text: ` ${name}="${value}"` }
}

/** Removes an attribute with the whitespace before it, if it is there. */
export const removeAttribute = (text: string, element: XmlElement, name: string): ReadonlyArray<Edit> => {
  const own = element.attributes.find((each) => each.name === name)
  if (own === undefined) return []
  const start = element.start + text.slice(element.start, own.start).trimEnd().length
  return [{ start, end: own.end, text: "" }]
}

/** Gives an element another content. */
export const setContent = (text: string, element: XmlElement, content: string): Edit =>
  element.selfClosing
    ? {
        start: text.slice(element.start, element.openEnd - 2).trimEnd().length + element.start,
        end: element.openEnd,
        text: `>${content}</${element.name}>`
      }
    : { start: element.openEnd, end: element.closeStart, text: content }

/** The line break and the whitespace in front of a place, or nothing if there is other text on its line. */
export const indentOf = (text: string, at: number): string => {
  let start = at
  while (text[start - 1] === " " || text[start - 1] === "\t") start--
  if (text[start - 1] === "\n") start -= text[start - 2] === "\r" ? 2 : 1
  else if (text[start - 1] === "\r") start--
  else return ""
  return text.slice(start, at)
}
