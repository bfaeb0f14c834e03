import { applyEdits, type Edit, newlineOf, withNewline } from "./edits.js"

/** An entry of a file without nesting, with the comments that belong to it and without the newline behind it. */
export interface Entry {
  readonly key: string
  readonly start: number
  readonly end: number
}

/** A file without nesting. */
export interface Entries<out E extends Entry> {
  readonly text: string
  readonly entries: ReadonlyArray<E>
}

export interface MergeEntriesOptions<in out E extends Entry> {
  readonly source: Entries<E>
  readonly target: Entries<E>
  /** What stands between entries if the files do not tell. */
  readonly newlines: 1 | 2
  /** The entry as the target gets it. @default as it is in the source */
  readonly insert?: ((entry: E) => string) | undefined
  /** What becomes of an entry that the source does not have: `undefined` removes it. */
  readonly remove: (entry: E) => string | undefined
  /** What becomes of an entry that both have; `undefined` keeps it. @default it stays */
  readonly update?: ((target: E, source: E) => string | undefined) | undefined
}

const blankLine = /(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)/
const lineEnd = /[ \t]*(?:\r\n?|\n|$)/y
const blankLines = /(?:[ \t]*(?:\r\n?|\n))*/y

const matchEnd = (pattern: RegExp, text: string, position: number): number => {
  pattern.lastIndex = position
  return pattern.test(text) ? pattern.lastIndex : position
}

const blankLinesBefore = /(?:^|\r\n|\r|\n)((?:[ \t]*(?:\r\n?|\n))+)$/

/** An entry goes with its line, and with the blank lines behind it, or at the end in front of it, if there are on both sides. */
const removal = (text: string, { end, start }: Entry): Edit => {
  const next = matchEnd(lineEnd, text, end)
  const before = blankLinesBefore.exec(text.slice(Math.max(0, start - 100), start))?.[1]?.length ?? 0
  return next === text.length
    ? { start: start - before, end: next, text: "" }
    : { start, end: before > 0 || start === 0 ? matchEnd(blankLines, text, next) : next, text: "" }
}

/**
 * The target with the entries of the source that it lacks, each after the one that it follows in the source. The rest of the
 * target stays as it is.
 */
export const mergeEntries = <E extends Entry>({
  insert,
  newlines,
  remove,
  source,
  target,
  update
}: MergeEntriesOptions<E>): string => {
  const newline = newlineOf(target.text === "" ? source.text : target.text)
  const known = new Map(target.entries.map((entry) => [entry.key, entry]))
  const edits: Array<Edit> = []
  const first = target.entries[0]
  let anchor: E | undefined
  let atStart = ""
  source.entries.forEach((entry, index) => {
    const existing = known.get(entry.key)
    if (existing !== undefined) {
      anchor = existing
      const text = update?.(existing, entry)
      if (text !== undefined) edits.push({ start: existing.start, end: existing.end, text })
      return
    }
    const raw = withNewline(insert?.(entry) ?? source.text.slice(entry.start, entry.end), newline)
    const previous = source.entries[index - 1]
    const isApart =
      newlines === 2 ||
      (previous !== undefined && blankLine.test(source.text.slice(previous.end, entry.start)))
    const gap = isApart ? newline + newline : newline
    if (anchor !== undefined) edits.push({ start: anchor.end, end: anchor.end, text: gap + raw })
    else atStart += first === undefined ? (atStart === "" ? "" : gap) + raw : raw + newline.repeat(newlines)
  })
  if (first !== undefined) edits.push({ start: first.start, end: first.start, text: atStart })
  else if (atStart !== "") {
    const end = target.text.length
    const isAtLineStart = end === 0 || /[\r\n\uFEFF]$/.test(target.text)
    edits.push({ start: end, end, text: `${isAtLineStart ? "" : newline}${atStart}${newline}` })
  }
  const kept = new Set(source.entries.map(({ key }) => key))
  for (const entry of target.entries) {
    if (kept.has(entry.key)) continue
    const text = remove(entry)
    edits.push(
      text === undefined ? removal(target.text, entry) : { start: entry.start, end: entry.end, text }
    )
  }
  return applyEdits(target.text, edits)
}
