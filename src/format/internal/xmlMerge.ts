import type { XmlElement } from "./xml.js"
import { apply, type Edit, indentOf } from "./xmlEdit.js"

/** Something that a file holds under a key. */
export interface Entry {
  readonly key: string
  /** Where it begins: at its element, or at comments above it that belong to it. */
  readonly start: number
  readonly end: number
}

interface Merge<A extends Entry> {
  readonly sourceText: string
  readonly targetText: string
  readonly source: ReadonlyArray<A>
  readonly target: ReadonlyArray<A>
  readonly removed: "keep" | "drop"
  /** What an entry of both becomes; `undefined` leaves the one of the target. */
  readonly replace: (source: A, target: A) => string | undefined
  /** What entries are written into, at its start, if it has none yet. */
  readonly container: XmlElement
  /** The indentation of entries, if the container has none yet. */
  readonly indent: string
}

/** The edits that give the target the entries of the source, each behind the one it follows there. */
export const editsOf = <A extends Entry>(merge: Merge<A>): ReadonlyArray<Edit> => {
  const { container, removed, source, sourceText, target, targetText } = merge
  const existing = new Map(target.map((entry) => [entry.key, entry]))
  const edits: Array<Edit> = []
  const first = target[0]
  const indent = first === undefined ? merge.indent : indentOf(targetText, first.start)
  let at = first === undefined ? container.openEnd : first.start - indent.length
  let added = ""
  const flush = () => {
    if (added !== "") edits.push({ start: at, end: at, text: added })
    added = ""
  }
  for (const entry of source) {
    const own = existing.get(entry.key)
    if (own === undefined) {
      added += indent + sourceText.slice(entry.start, entry.end)
      continue
    }
    flush()
    at = own.end
    const text = merge.replace(entry, own)
    if (text !== undefined) edits.push({ start: own.start, end: own.end, text })
  }
  flush()
  if (removed === "drop") {
    const kept = new Set(source.map(({ key }) => key))
    for (const entry of target.filter(({ key }) => !kept.has(key))) {
      edits.push({
        start: entry.start - indentOf(targetText, entry.start).length,
        end: entry.end,
        text: ""
      })
    }
  }
  if (container.selfClosing && edits.length > 0) {
    const start = container.openEnd - 2
    const content = apply(targetText, edits, container.openEnd, container.openEnd)
    return [
      {
        start,
        end: container.openEnd,
        text: `>${content}${indentOf(targetText, container.start)}</${container.name}>`
      }
    ]
  }
  return edits
}
