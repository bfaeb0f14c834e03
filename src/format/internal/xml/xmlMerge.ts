import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import * as mergeEntries from "../mergeEntries.js"
import { parse, type XmlElement } from "./xml.js"
import { indentOf } from "./xmlEdit.js"

/** The entry of a key in a file. It begins at its element, or at comments above it that belong to it. */
export interface Entry extends mergeEntries.Entry {
  /** True if the target may lack it. @default false */
  readonly isOptional?: boolean | undefined
}

interface Merge<A extends Entry> {
  readonly sourceText: string
  readonly targetText: string
  readonly source: ReadonlyArray<A>
  readonly target: ReadonlyArray<A>
  readonly removed: "keep" | "drop"
  /** The new text of an entry of both; `undefined` leaves the one of the target. */
  readonly replace: (source: A, target: A) => string | undefined
  /** The element that entries are written into, at its start, if it has none yet. */
  readonly container: XmlElement
  /** The indentation of entries, if the container has none yet. */
  readonly indent: string
}

/** The edits that give the target the entries of the source, each behind the one it follows there. */
export const editsOf = <A extends Entry>(merge: Merge<A>): ReadonlyArray<Edit> => {
  const { container, removed, replace, source, sourceText, target, targetText } = merge
  const first = target[0]
  const indent = first === undefined ? merge.indent : indentOf(targetText, first.start)
  const start = first === undefined ? container.openEnd : first.start - indent.length
  const keys = new Set(target.map(({ key }) => key))
  const edits = mergeEntries.entryEdits({
    source: source.filter(({ isOptional, key }) => isOptional !== true || keys.has(key)),
    target,
    add: (entries, behind) => {
      const at = behind?.end ?? start
      const text = entries.map((entry) => indent + sourceText.slice(entry.start, entry.end)).join("")
      return { start: at, end: at, text }
    },
    update: (own, entry) => replace(entry, own),
    remove: (entry) =>
      removed === "keep"
        ? undefined
        : { start: entry.start - indentOf(targetText, entry.start).length, end: entry.end, text: "" }
  })
  if (!container.selfClosing || edits.length === 0) return edits
  const { openEnd } = container
  const content = applyEdits(targetText, edits, { start: openEnd, end: openEnd })
  const text = `>${content}${indentOf(targetText, container.start)}</${container.name}>`
  return [{ start: openEnd - 2, end: openEnd, text }]
}

/** The target with edits that take pieces of the source; `entries` is the plural noun for entries in messages. */
export const apply = (
  target: string,
  edits: ReadonlyArray<Edit>,
  entries: string
): Either.Either<string, Problem> => {
  if (edits.length === 0) return Either.right(target)
  const merged = applyEdits(target, edits)
  return Either.mapBoth(parse(merged), {
    onLeft: (): Problem => ({
      message: `${entries} of the source need namespaces or entities that the target does not declare: declare them there.`
    }),
    onRight: () => merged
  })
}
