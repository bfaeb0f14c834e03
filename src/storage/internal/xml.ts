import { SaxesParser } from "saxes"

/** An element of an answer: its text, and the elements in it. */
export interface Element {
  readonly name: string
  text: string
  readonly children: Array<Element>
}

/** Reads an answer of a store. Of one that is no XML, what was read before that shows. */
export const parse = (xml: string): Element => {
  const parser = new SaxesParser()
  const root: Element = { name: "", text: "", children: [] }
  const open = [root]
  parser.on("error", () => {})
  parser.on("opentag", ({ name }) => {
    const element: Element = { name, text: "", children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on("text", (text) => {
    open.at(-1)!.text += text
  })
  parser.on("closetag", () => {
    open.pop()
  })
  parser.write(xml).close()
  return root.children[0] ?? root
}

/** The text of an element in another one. */
export const textOf = ({ children }: Element, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** A text as it is written into XML. */
export const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => named[character]!)
