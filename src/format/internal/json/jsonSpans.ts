import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import type { Problem, Unit } from "../../Format.js"
import { type Span, single } from "../parts.js"
import { type State, stepKey } from "../selector.js"
import type { JsonDocument, Node, Range, StringNode } from "./jsonDocument.js"

/** A string as a unit; nothing if it is blank. */
export const ofString = (
  document: JsonDocument,
  node: StringNode,
  key: string,
  context?: string | undefined,
  limit?: Pick<Unit, "maxCharacters"> | undefined
): ReadonlyArray<Span> =>
  isBlank(node.value)
    ? []
    : [
        single(document.text, {
          start: node.start,
          end: node.end,
          unit: {
            key,
            text: node.value,
            line: document.position(node.start).line,
            state: "missing",
            ...limit
          },
          context,
          write: (translation) => Either.right(document.write(translation, node))
        })
      ]

/** The strings below a value that a selector takes. */
export const ofSelected = (document: JsonDocument, root: Node, selector: State): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const walk = (node: Node, key: string, state: State): void => {
    if (node.tag === "string") {
      if (state.isSelected) spans.push(...ofString(document, node, key))
    } else if (!state.isDead) {
      const visit = (step: string | number, name: string | number, child: Node) =>
        walk(child, stepKey(key, name), state.step(step))
      if (node.tag === "object") for (const { key, name, value } of node.properties) visit(key, name, value)
      if (node.tag === "array") for (const [index, item] of node.items.entries()) visit(index, index, item)
    }
  }
  walk(root, "", selector)
  return spans
}

/** Pieces one behind the other, each written with the translations of its units; the first that cannot be written fails all. */
export const writeAll = (
  pieces: ReadonlyArray<Pick<Span, "units" | "write"> & { readonly raw: string }>,
  translations: ReadonlyArray<string | undefined>
): Either.Either<string, Problem> => {
  let written = ""
  let at = 0
  for (const { raw, units, write } of pieces) {
    const piece = write?.(translations.slice(at, at + units.length)) ?? Either.right(raw)
    if (Either.isLeft(piece)) return piece
    written += piece.right
    at += units.length
  }
  return Either.right(written)
}

/** Joins spans and the text between them to one span. */
export const joined = (text: string, { end, start }: Range, spans: ReadonlyArray<Span>): Span => {
  const pieces: Array<Pick<Span, "units" | "write"> & { readonly raw: string }> = []
  let at = start
  for (const span of spans) {
    pieces.push({ raw: text.slice(at, span.start), units: [] })
    pieces.push({ raw: text.slice(span.start, span.end), units: span.units, write: span.write })
    at = span.end
  }
  pieces.push({ raw: text.slice(at, end), units: [] })
  return {
    start,
    end,
    units: spans.flatMap(({ units }) => units),
    write: (translations) => writeAll(pieces, translations)
  }
}
