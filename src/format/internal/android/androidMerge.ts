import * as Either from "effect/Either"
import type { MergeOptions, Problem } from "../../Format.js"
import { applyEdits } from "../edits.js"
import * as edit from "../xml/xmlEdit.js"
import * as xmlMerge from "../xml/xmlMerge.js"
import { type Entry, type Resources, read } from "./android.js"

/** The element without what follows the items that both have, or with those that only the source has. */
const withItems = (
  source: Resources,
  target: Resources,
  ours: Entry,
  theirs: Entry,
  removed: MergeOptions["removed"]
): string | undefined => {
  const values = [...theirs.values.values()]
  const missing = [...ours.values.values()].slice(values.length)
  const surplus = removed === "drop" ? values.slice(ours.values.size) : []
  if (missing.length === 0 && surplus.length === 0) return undefined
  const last = values.at(-1)!.element
  const indent = edit.indentOf(target.text, last.start)
  const added = missing.map(({ element }) => indent + source.text.slice(element.start, element.end)).join("")
  return applyEdits(
    target.text,
    [
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
        ours.isOptional || theirs.isOptional
          ? undefined
          : isEmpty(theirs)
            ? source.slice(ours.start, ours.end)
            : ours.type === "string-array"
              ? withItems(from, to, ours, theirs, removed)
              : undefined,
      container: to.root,
      indent: edit.indentOf(source, from.entries[0]?.start ?? 0)
    })
    return xmlMerge.apply(target, edits, "entries")
  })
