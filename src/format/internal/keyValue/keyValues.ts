/** Files of keys and values: the spans of their entries, and an output that gets the entries of its source. */
import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import type { Format, Problem } from "../../Format.js"
import { type Entry, mergeEntries } from "../mergeEntries.js"
import { type Span, single } from "../parts.js"

/** A key and its value, with the comments above it. */
export interface KeyValue extends Entry {
  readonly line: number
  /** The value as it is written, from here to `valueEnd`. */
  readonly valueStart: number
  readonly valueEnd: number
  readonly text: string
  readonly comments: ReadonlyArray<string>
}

/** Each value that is not blank, with the function that writes a translation in place of it. */
export const toSpans = <E extends KeyValue>(
  text: string,
  entries: ReadonlyArray<E>,
  write: (entry: E, raw: string, translation: string) => string
): ReadonlyArray<Span> =>
  entries
    .filter((entry) => !isBlank(entry.text))
    .map((entry) => {
      const raw = text.slice(entry.valueStart, entry.valueEnd)
      return single(text, {
        start: entry.valueStart,
        end: entry.valueEnd,
        unit: { key: entry.key, text: entry.text, line: entry.line, state: "missing" },
        context: entry.comments.join("\n").trim() || undefined,
        write: (translation) =>
          Either.right(translation === entry.text ? raw : write(entry, raw, translation))
      })
    })

/** Adds the source's entries that an output lacks, and its values where the output has blank ones. */
export const merging =
  <E extends KeyValue>(
    parse: (text: string) => Either.Either<ReadonlyArray<E>, Problem>,
    /** Characters between the key and the value of an entry that has none. */
    separatorOf: (entry: E) => string = () => ""
  ): NonNullable<Format["merge"]> =>
  (source, target, { removed }) =>
    Either.map(Either.all([parse(source), parse(target)]), ([entries, existing]) =>
      mergeEntries({
        source: { text: source, entries },
        target: { text: target, entries: existing },
        newlines: 1,
        update: (own, entry) =>
          isBlank(own.text) && !isBlank(entry.text)
            ? target.slice(own.start, own.valueStart) +
              separatorOf(own) +
              source.slice(entry.valueStart, entry.valueEnd) +
              target.slice(own.valueEnd, own.end)
            : undefined,
        remove: (entry) => (removed === "keep" ? target.slice(entry.start, entry.end) : undefined)
      })
    )
