import * as Either from "effect/Either"
import type { Part, Problem } from "../../Format.js"
import { type Position, positions, type Span, single, toParts } from "../parts.js"
import * as inlineCodes from "./inlineCodes.js"
import { elements, parse as parseXml, type XmlElement, type XmlNode } from "./xml.js"
import * as xmlContent from "./xmlContent.js"

export interface Selection {
  /** Ends of paths; everything if `undefined`. */
  readonly translate: ReadonlyArray<string> | undefined
  /** Names of elements. */
  readonly keep: ReadonlySet<string>
}

const its = "http://www.w3.org/2005/11/its"

/** An element's own mark for translation. */
const ownTranslate = (element: XmlElement): boolean | undefined => {
  const value = element.attributes.find(
    ({ local, namespace }) => local === "translate" && (namespace === "" || namespace === its)
  )?.value
  return value === "no" ? false : value === "yes" ? true : undefined
}

const hasOwnText = (element: XmlElement): boolean =>
  element.children.some((child) => (child.type === "text" || child.type === "cdata") && /\S/.test(child.text))

/** True if the names of an element and its ancestors end with a path. */
const isAt = (element: XmlElement, path: string): boolean => {
  let current: XmlElement | undefined = element
  for (const name of path.split("/").reverse()) {
    if (current === undefined || (name !== "*" && current.name !== name && current.local !== name))
      return false
    current = current.parent
  }
  return true
}

interface State {
  readonly key: string
  readonly isTranslated: boolean
  readonly isSelected: boolean
}

const noStates: ReadonlyMap<XmlElement, State> = new Map()

/** Collects the translatable spans of a document. */
class Walk {
  readonly spans: Array<Span> = []
  private readonly texts = new Map<XmlElement, boolean>()
  private readonly position: (offset: number) => Position

  constructor(
    private readonly text: string,
    private readonly selection: Selection
  ) {
    this.position = positions(text)
  }

  /** No element is deeper than the reader of XML allows. */
  visit(element: XmlElement, outer: State): void {
    if (this.isKept(element)) return
    const isTranslated = ownTranslate(element) ?? outer.isTranslated
    const isSelected =
      outer.isSelected || (this.selection.translate?.some((path) => isAt(element, path)) ?? true)
    const state = { key: outer.key, isTranslated, isSelected }
    const children = this.childStates(element, state)
    if (!(isSelected && isTranslated && hasOwnText(element))) {
      for (const [child, childState] of children) this.visit(child, childState)
      return
    }
    let run: Array<XmlNode> = []
    let count = 0
    const flush = () => {
      if (this.addRun(element, run, count === 0 ? state.key : `${state.key}#${count + 1}`)) count++
      run = []
    }
    for (const node of element.children) {
      if (node.type === "element" && this.isBlock(node)) {
        flush()
        this.visit(node, children.get(node)!)
      } else run.push(node)
    }
    flush()
  }

  private childStates(element: XmlElement, state: State): ReadonlyMap<XmlElement, State> {
    const children = elements(element)
    if (children.length === 0) return noStates
    const counts = new Map<string, number>()
    return new Map(
      children.map((child) => {
        const count = (counts.get(child.name) ?? 0) + 1
        counts.set(child.name, count)
        const key = `${state.key}/${child.name}${count === 1 ? "" : `[${count}]`}`
        return [child, { ...state, key }]
      })
    )
  }

  private isKept({ local, name }: XmlElement): boolean {
    return this.selection.keep.has(name) || this.selection.keep.has(local)
  }

  private hasText(element: XmlElement): boolean {
    const known = this.texts.get(element)
    if (known !== undefined) return known
    const found = hasOwnText(element) || elements(element).some((child) => this.hasText(child))
    this.texts.set(element, found)
    return found
  }

  /** True if an element beside text has no text of its own, but several elements that have. */
  private isBlock(element: XmlElement): boolean {
    return (
      !this.isKept(element) &&
      ownTranslate(element) !== false &&
      !hasOwnText(element) &&
      elements(element).filter((child) => this.hasText(child)).length > 1
    )
  }

  private readonly roleOf = (element: XmlElement): inlineCodes.Role =>
    this.isKept(element) || ownTranslate(element) === false || !this.hasText(element)
      ? { type: "whole" }
      : { type: "around" }

  private addRun(element: XmlElement, nodes: ReadonlyArray<XmlNode>, key: string): boolean {
    const isText = (node: XmlNode) =>
      node.type === "element" || ((node.type === "text" || node.type === "cdata") && /\S/.test(node.text))
    const children = nodes.slice(nodes.findIndex(isText), nodes.findLastIndex(isText) + 1)
    if (children.length === 0) return false
    const pieces = inlineCodes.read(
      this.text,
      { ...element, children },
      { roleOf: this.roleOf, nameOf: ({ name }) => name }
    )
    if (!xmlContent.hasLetters(pieces)) return false
    const text = xmlContent.textOf(pieces)
    const { start } = children[0]!
    const { end } = children.at(-1)!
    const raw = this.text.slice(start, end)
    const { line } = this.position(start + raw.length - raw.trimStart().length)
    this.spans.push(
      single(this.text, {
        start,
        end,
        unit: { key, text, line, state: "missing" },
        write: (translation) =>
          translation === text ? Either.right(raw) : xmlContent.write(pieces, translation)
      })
    )
    return true
  }
}

/** The parts of an XML document. */
export const parse = (text: string, selection: Selection): Either.Either<ReadonlyArray<Part>, Problem> =>
  Either.map(parseXml(text), ({ root }) => {
    const walk = new Walk(text, selection)
    walk.visit(root, { key: root.name, isTranslated: true, isSelected: false })
    return toParts(text, walk.spans)
  })
