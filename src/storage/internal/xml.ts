import * as xmlReader from "../../internal/xmlReader.js"

/** An element of an answer: its text, and the elements in it. */
export interface Element {
  readonly name: string
  text: string
  readonly children: Array<Element>
}

/** Reads an answer of a store. Of text that is no XML, the part that was read before that shows. */
export const parse = (xml: string): Element => {
  const root: Element = { name: "", text: "", children: [] }
  const open = [root]
  const reader = xmlReader.make(
    {},
    {
      opentag: ({ name }) => {
        const element: Element = { name, text: "", children: [] }
        open.at(-1)!.children.push(element)
        open.push(element)
      },
      text: (text) => {
        open.at(-1)!.text += text
      },
      closetag: () => {
        open.pop()
      }
    }
  )
  reader.read(xml)
  reader.end()
  return root.children[0] ?? root
}

/** The text of an element in another one. */
export const textOf = ({ children }: Element, name: string): string | undefined =>
  children.find((child) => child.name === name)?.text

const named: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** A text as it is written into XML. */
export const escape = (text: string): string => text.replace(/[&<>"]/g, (character) => named[character]!)
