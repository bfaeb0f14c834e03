import type { Document, Element, Node } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../../api/LanguageCode.js"
import { DocumentFailure, type FileTranslator, isBlank, type TextTranslator } from "./fileTranslator.js"
import * as xml from "./xml.js"

/** The same in all versions from 2.0 on. */
const namespace = "urn:oasis:names:tc:xliff:document:2.0"

/** Whether `translate="no"` applies to a node: the innermost element that sets the attribute decides. */
const isKept = (node: Node): boolean => {
  for (let up: Node | null = node; up !== null; up = up.parentNode) {
    const translate = xml.isElement(up) ? up.getAttribute("translate") : null
    if (translate !== null) return translate === "no"
  }
  return false
}

const texts = (node: Node): ReadonlyArray<Node> =>
  Array.from(node.childNodes).flatMap((child) =>
    child.nodeType === child.TEXT_NODE || child.nodeType === child.CDATA_SECTION_NODE ? [child] : texts(child)
  )

const childOf = (segment: Element, name: string): Element | undefined =>
  Array.from(segment.childNodes).find(
    (child): child is Element => xml.isElement(child) && child.localName === name
  )

/** Fills the target of a segment: a copy of the source, inline codes included, with translated texts. */
const fill = (document: Document, segment: Element, source: Element, translator: TextTranslator): void => {
  const target = document.createElementNS(namespace, source.nodeName.replace("source", "target"))
  const space = source.getAttribute("xml:space")
  if (space !== null) target.setAttribute("xml:space", space)
  for (const child of Array.from(source.childNodes)) target.appendChild(child.cloneNode(true))
  const old = childOf(segment, "target")
  if (old === undefined) segment.insertBefore(target, source.nextSibling)
  else segment.replaceChild(target, old)
  let isContinued = false
  for (const text of texts(target)) {
    const said = text.nodeValue ?? ""
    if (isBlank(said) || isKept(text)) continue
    text.nodeValue = translator.translate(said, isContinued)
    isContinued = true
  }
}

/** XLIFF 2: fills the targets of all segments. */
export const xliff =
  (targetLang: string): FileTranslator =>
  (content, translator) =>
    Effect.flatMap(xml.parse(content, "The file"), (document) => {
      const root = document.documentElement!
      if (root.localName !== "xliff" || root.namespaceURI !== namespace) {
        return new DocumentFailure({
          message: "The file is no XLIFF 2.1: its root is no xliff of that version"
        })
      }
      root.setAttribute("trgLang", LanguageCode.canonical(targetLang))
      for (const segment of xml.elements(document, [namespace], "segment")) {
        const source = childOf(segment, "source")
        if (source === undefined || isKept(segment)) continue
        fill(document, segment, source, translator)
        segment.setAttribute("state", "translated")
      }
      return Effect.succeed(xml.serialize(document))
    })
