import * as Either from "effect/Either"
import type * as Format from "../../Format.js"
import { type Span, toParts } from "../parts.js"
import type { JsonDocument, ObjectNode } from "./jsonDocument.js"
import * as jsonDocument from "./jsonDocument.js"

/** Reads a document whose root is an object. */
export const parse =
  (
    spansOf: (document: JsonDocument, root: ObjectNode, options: Format.DecodeOptions) => ReadonlyArray<Span>
  ) =>
  (text: string, options: Format.DecodeOptions): Either.Either<ReadonlyArray<Format.Part>, Format.Problem> =>
    Either.flatMap(jsonDocument.parse(text), (document) => {
      const { root } = document
      return root.tag === "object"
        ? Either.right(toParts(text, spansOf(document, root, options)))
        : Either.left({
            ...document.position(root.start),
            message: "the document is no object: a catalogue has its messages by their keys, within { and }."
          })
    })

/** True if the values of a beginning satisfy a condition. */
export const shows = (head: string, condition: (root: jsonDocument.Node) => boolean): boolean => {
  const root = jsonDocument.parseHead(head)
  return root !== undefined && condition(root)
}

/** The context for a translator, in lines; nothing if there are none. */
export const contextOf = (lines: ReadonlyArray<string | undefined>): string | undefined => {
  const told = lines.filter((line) => line !== undefined && line.trim() !== "")
  return told.length === 0 ? undefined : told.join("\n")
}

/** An example of each placeholder that has one. */
export const examplesOf = (
  placeholders: jsonDocument.Node | undefined,
  name: (key: string) => string
): ReadonlyArray<string> =>
  placeholders?.tag !== "object"
    ? []
    : placeholders.properties.flatMap(({ key, value }) => {
        const example = jsonDocument.getString(value, "example")
        return example === undefined ? [] : [`${name(key)}: ${example}`]
      })
