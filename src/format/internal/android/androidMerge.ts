import * as Either from "effect/Either"
import type { MergeOptions, Problem } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import * as edit from "../xml/xmlEdit.js"
import * as xmlMerge from "../xml/xmlMerge.js"
import { type Entry, type Resources, read } from "./android.js"

/** Fills empty values of the target from the source. */
const filled = ({ text }: Resources, ours: Entry, theirs: Entry): ReadonlyArray<Edit> =>
  Array.from(theirs.values).flatMap(([id, value]) => {
    const own = ours.values.get(id)
    if (own === undefined || value.start !== value.end || own.start === own.end) return []
    const { end, start } = value.element
    return [{ start, end, text: text.slice(own.element.start, own.element.end) }]
  })

/**
 * Fills empty values of the target's element, adds the items that only the source has, and removes surplus ones if
 * asked; `undefined` if nothing changes.
 */
const withItems = (
  source: Resources,
  target: Resources,
  ours: Entry,
  theirs: Entry,
  removed: MergeOptions["removed"]
): string | undefined => {
  const values = [...theirs.values.values()]
  const isList = ours.type === "string-array"
  const missing = isList ? [...ours.values.values()].slice(values.length) : []
  const surplus = isList && removed === "drop" ? values.slice(ours.values.size) : []
  const fills = filled(source, ours, theirs)
  if (missing.length === 0 && surplus.length === 0 && fills.length === 0) return undefined
  const last = values.at(-1)!.element
  const indent = edit.indentOf(target.text, last.start)
  const added = missing.map(({ element }) => indent + source.text.slice(element.start, element.end)).join("")
  return applyEdits(
    target.text,
    [
      ...fills,
      { start: last.end, end: last.end, text: added },
      ...surplus.map(({ element: { end, start } }) => ({
        start: start - edit.indentOf(target.text, start).length,
        end,
        text: ""
      }))
    ],
    theirs
  )
}

const hasText = ({ values }: Entry): boolean => [...values.values()].some(({ isText }) => isText)

const isEmpty = ({ values }: Entry): boolean => [...values.values()].every(({ end, start }) => start === end)

/** The target with the entries of the source. */
export const merge = (
  source: string,
  target: string,
  { removed }: MergeOptions
): Either.Either<string, Problem> =>
  Either.flatMap(Either.all([read(source), read(target)]), ([from, to]) => {
    const edits = xmlMerge.editsOf({
      sourceText: source,
      targetText: target,
      source: from.entries.map((entry) => ({ ...entry, isOptional: entry.isOptional || !hasText(entry) })),
      target: to.entries,
      removed,
      replace: (ours, theirs) =>
        theirs.isOptional
          ? undefined
          : (isEmpty(theirs) && !isEmpty(ours)) || (!ours.isOptional && !hasText(theirs))
            ? source.slice(ours.start, ours.end)
            : ours.type === "string"
              ? undefined
              : withItems(from, to, ours, theirs, removed),
      container: to.root,
      indent: edit.indentOf(source, from.entries[0]?.start ?? 0)
    })
    return xmlMerge.apply(target, edits, "entries")
  })
