import { applyEdits, type Edit, newlineOf, withNewline } from "./edits.js"

/** Something that a file holds under a key, with the comments that belong to it. */
export interface Entry {
  readonly key: string
  readonly start: number
  readonly end: number
}

export interface EntryEditsOptions<in out E extends Entry> {
  readonly source: ReadonlyArray<E>
  readonly target: ReadonlyArray<E>
  /** Adds entries in a row, behind an entry of the target or in front of all. */
  readonly add: (entries: ReadonlyArray<E>, behind: E | undefined) => Edit
  /** The new text of an entry of both; `undefined` keeps it. */
  readonly update: (target: E, source: E) => string | undefined
  /** The edit of an entry that the source does not have; `undefined` keeps it. */
  readonly remove: (entry: E) => Edit | undefined
}

/** The edits that add the source's entries which the target lacks, each behind the entry that it follows in the source. */
export const entryEdits = <E extends Entry>({
  add,
  remove,
  source,
  target,
  update
}: EntryEditsOptions<E>): ReadonlyArray<Edit> => {
  const existing = new Map(target.map((entry) => [entry.key, entry]))
  const edits: Array<Edit> = []
  let behind: E | undefined
  let missing: Array<E> = []
  const flush = () => {
    if (missing.length > 0) edits.push(add(missing, behind))
    missing = []
  }
  for (const entry of source) {
    const own = existing.get(entry.key)
    if (own === undefined) {
      missing.push(entry)
      continue
    }
    flush()
    behind = own
    const text = update(own, entry)
    if (text !== undefined) edits.push({ start: own.start, end: own.end, text })
  }
  flush()
  const kept = new Set(source.map(({ key }) => key))
  for (const entry of target) {
    const edit = kept.has(entry.key) ? undefined : remove(entry)
    if (edit !== undefined) edits.push(edit)
  }
  return edits
}

/** A file without nesting. Its entries end before the newline behind them. */
export interface Entries<out E extends Entry> {
  readonly text: string
  readonly entries: ReadonlyArray<E>
}

export interface MergeEntriesOptions<in out E extends Entry> {
  readonly source: Entries<E>
  readonly target: Entries<E>
  /** The number of line ends between entries if the files do not show it. */
  readonly newlines: 1 | 2
  /** The entry as the target gets it. @default as it is in the source */
  readonly insert?: ((entry: E) => string) | undefined
  /** The new text of an entry that the source does not have: `undefined` removes it. */
  readonly remove: (entry: E) => string | undefined
  /** The new text of an entry that both have; `undefined` keeps it. @default it stays */
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
  const { entries, text } = target
  const newline = newlineOf(text === "" ? source.text : text)
  const previous = new Map(source.entries.map((entry, index) => [entry.key, source.entries[index - 1]]))
  const written = (entry: E) =>
    withNewline(insert?.(entry) ?? source.text.slice(entry.start, entry.end), newline)
  const gapBefore = (entry: E) => {
    const before = previous.get(entry.key)
    const isApart =
      newlines === 2 || (before !== undefined && blankLine.test(source.text.slice(before.end, entry.start)))
    return isApart ? newline + newline : newline
  }
  const add = (added: ReadonlyArray<E>, behind: E | undefined): Edit => {
    if (behind !== undefined) {
      const insertion = added.map((entry) => gapBefore(entry) + written(entry)).join("")
      return { start: behind.end, end: behind.end, text: insertion }
    }
    const first = entries[0]
    if (first !== undefined) {
      const insertion = added.map((entry) => written(entry) + newline.repeat(newlines)).join("")
      return { start: first.start, end: first.start, text: insertion }
    }
    const insertion = added
      .map((entry, index) => (index === 0 ? "" : gapBefore(entry)) + written(entry))
      .join("")
    const isAtLineStart = text === "" || /[\r\n\uFEFF]$/.test(text)
    return {
      start: text.length,
      end: text.length,
      text: `${isAtLineStart ? "" : newline}${insertion}${newline}`
    }
  }
  return applyEdits(
    text,
    entryEdits({
      source: source.entries,
      target: entries,
      add,
      update: update ?? (() => undefined),
      remove: (entry) => {
        const left = remove(entry)
        return left === undefined ? removal(text, entry) : { start: entry.start, end: entry.end, text: left }
      }
    })
  )
}
