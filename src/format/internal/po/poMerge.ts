import * as Either from "effect/Either"
import type { MergeOptions, Problem } from "../../Format.js"
import { newlineOf } from "../edits.js"
import { isSameLanguage } from "../languageTag.js"
import { mergeEntries } from "../mergeEntries.js"
import { readHeader } from "./poHeader.js"
import { type PoEntry, parsePo } from "./poParser.js"
import { withTranslations, writeTranslation } from "./poWriter.js"

const headerOf = (entries: ReadonlyArray<PoEntry>) => entries.find(({ key }) => key === "")?.strings[0]?.text

/** The entry with other translations, and the mark `fuzzy` or not. */
const withStrings = (
  text: string,
  entry: PoEntry,
  strings: ReadonlyArray<string>,
  isFuzzy: boolean,
  newline: string
): string => {
  const written = strings.map((string, index) => writeTranslation(entry, index, string, newline))
  return withTranslations(text, entry, written, isFuzzy, newline)
}

/** As `msgmerge` keeps an entry that is not used any more; `undefined` if it has no translation. */
const obsolete = (text: string, entry: PoEntry, newline: string): string | undefined =>
  entry.strings.every((string) => string.text === "")
    ? undefined
    : text
        .slice(entry.start, entry.end)
        .split(/\r?\n/)
        .filter((line) => line.trim() !== "" && !/^\s*#[.:]/.test(line))
        .map((line) =>
          line.startsWith("#|") ? `#~${line.slice(1)}` : line.startsWith("#") ? line : `#~ ${line}`
        )
        .join(newline)

/**
 * The target with the messages that it lacks. Messages that it has stay as they are; where the plural of one has changed, its
 * translations are fuzzy.
 */
export const mergePo = (
  source: string,
  target: string,
  { removed, targetLang }: MergeOptions
): Either.Either<string, Problem> =>
  Either.map(Either.all([parsePo(source), parsePo(target)]), ([entries, existing]) => {
    const newline = newlineOf(target === "" ? source : target)
    const { plurals } = readHeader(
      headerOf(existing) ?? headerOf(entries),
      { targetLang },
      {
        hasPlurals: true,
        hasTranslations: true,
        hasNames: false
      }
    )
    const language = /^Language:[ \t]*(\S+)/im.exec(headerOf(entries) ?? "")?.[1]
    const isTranslated = language !== undefined && isSameLanguage(language, targetLang)
    const stringsOf = (entry: PoEntry, strings: PoEntry["strings"] | undefined) =>
      Array.from(
        { length: entry.plural === undefined ? 1 : plurals.count },
        (_, index) => strings?.[index]?.text ?? ""
      )
    return mergeEntries({
      source: { text: source, entries },
      target: { text: target, entries: existing },
      newlines: 2,
      insert: (entry) =>
        entry.key === "" || isTranslated
          ? source.slice(entry.start, entry.end)
          : withStrings(source, entry, stringsOf(entry, undefined), false, newline),
      update: (old, entry) => {
        if (old.plural === entry.plural) return undefined
        const isFuzzy = old.strings.some(({ text }) => text !== "")
        return withStrings(source, entry, stringsOf(entry, old.strings), isFuzzy, newline)
      },
      remove: (entry) =>
        entry.key === ""
          ? target.slice(entry.start, entry.end)
          : removed === "keep"
            ? obsolete(target, entry, newline)
            : undefined
    })
  })
