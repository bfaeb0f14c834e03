import {
  DOMParser,
  type Document,
  type Element,
  type Node,
  onErrorStopParsing,
  XMLSerializer
} from "@xmldom/xmldom"
import type * as Effect from "effect/Effect"
import { encoder } from "../../../internal/utf8.js"
import { attempt, DocumentFailure } from "./fileTranslator.js"

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** A parsed document takes some twenty times as much memory. */
export const maxBytes = 32_000_000

/** The document of a file, or of a part of one. Nothing outside of it is loaded. */
export const parse = (content: Uint8Array, name: string): Effect.Effect<Document, DocumentFailure> =>
  content.length > maxBytes
    ? new DocumentFailure({
        message: `${name} holds ${content.length} bytes of XML; the emulator reads at most ${maxBytes}`
      })
    : attempt(`${name} is no well-formed XML in UTF-8`, () =>
        new DOMParser({ onError: onErrorStopParsing, locator: false }).parseFromString(
          utf8.decode(content),
          "text/xml"
        )
      )

/** The bytes of a document. */
export const serialize = (document: Document): Uint8Array =>
  encoder.encode(new XMLSerializer().serializeToString(document))

/** The elements of a name in one of the namespaces, in the order of the document. */
export const elements = (
  within: Document | Element,
  namespaces: ReadonlyArray<string>,
  name: string
): ReadonlyArray<Element> =>
  namespaces.flatMap((namespace) => Array.from(within.getElementsByTagNameNS(namespace, name)))

/** Whether a node is an element. */
export const isElement = (node: Node): node is Element => node.nodeType === node.ELEMENT_NODE

/** The innermost element around a node that has one of these local names. */
export const closest = (node: Node, names: ReadonlyArray<string>): Element | undefined => {
  for (let up = node.parentNode; up !== null; up = up.parentNode) {
    if (isElement(up) && names.includes(up.localName ?? "")) return up
  }
  return undefined
}
