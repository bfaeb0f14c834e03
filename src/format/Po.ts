/**
 * Catalogues of gettext: PO files and their templates.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Format from "./Format.js"
import { endWithoutBreaks, newlineOf } from "./internal/edits.js"
import { type Span, toParts } from "./internal/parts.js"
import { showsNumber } from "./internal/plurals/plurals.js"
import { defaults, limitOf, placeholdersOf } from "./internal/po/poFlags.js"
import { decodeText, type Header, readHeader } from "./internal/po/poHeader.js"
import { mergePo } from "./internal/po/poMerge.js"
import { type PoEntry, parsePo } from "./internal/po/poParser.js"
import { withTranslations, writeTranslation } from "./internal/po/poWriter.js"
import { makeUnique } from "./internal/unitKeys.js"

/**
 * Options for writing translations into PO files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /** Marks translations as fuzzy, for a person to look at. Programs do not show fuzzy translations. @default false */
  readonly fuzzy?: boolean | undefined
}

interface Context {
  readonly text: string
  readonly newline: string
  readonly header: Header
  readonly isFuzzy: boolean
}

/** `msgfmt --check` wants a translation to begin and end with a line break if its text does, and only then. */
const withBreaksOf = (id: string, translation: string): string => {
  if (translation === "") return translation
  const begun = id.startsWith("\n")
    ? translation.startsWith("\n")
      ? translation
      : `\n${translation}`
    : translation.replace(/^\n+/, "")
  return id.endsWith("\n")
    ? begun.endsWith("\n")
      ? begun
      : `${begun}\n`
    : begun.slice(0, endWithoutBreaks(begun))
}

const refused = (text: string, { isAscii }: Header): string | undefined =>
  text.includes("\0")
    ? "the translation holds the character U+0000, at which gettext ends a text: remove it."
    : isAscii && /[^\u0000-\u007f]/.test(text)
      ? "the header says that all is ASCII: convert the file with msgconv -t UTF-8."
      : undefined

const writeEntry =
  (entry: PoEntry, { header, isFuzzy, newline, text }: Context): NonNullable<Format.Part["write"]> =>
  (translations) => {
    const { start, strings } = entry
    if (translations.every((translation) => translation === undefined)) {
      return Either.right(text.slice(start, entry.end))
    }
    const texts = translations.map((translation, index) =>
      translation === undefined
        ? header.isOfTarget
          ? (strings[index]?.text ?? "")
          : ""
        : withBreaksOf(entry.id, translation)
    )
    for (const written of texts) {
      const message = refused(written, header)
      if (message !== undefined) return Either.left({ message })
    }
    const written = texts.map((string, index) => {
      const existing = strings[index]
      return existing?.text === string
        ? text.slice(existing.start, existing.end)
        : writeTranslation(entry, index, string, newline)
    })
    // A form that stays as it was is fuzzy still.
    const staysFuzzy =
      header.isOfTarget &&
      entry.flags.includes("fuzzy") &&
      strings.some((string, index) => string.text !== "" && translations[index] === undefined)
    return Either.right(withTranslations(text, entry, written, isFuzzy || staysFuzzy, newline))
  }

const toUnit = (
  entry: PoEntry,
  index: number,
  { header }: Context,
  unique: (key: string) => string
): Format.Unit => {
  const existing = header.isOfTarget ? entry.strings[index]?.text : undefined
  const translation = existing === "" ? undefined : existing
  const { isOfOne, isSingular } = header.plurals
  const isFromId =
    entry.plural === undefined || isSingular(index) || (isOfOne(index) && showsNumber(entry.id))
  return {
    key: unique(entry.plural === undefined ? entry.key : `${entry.key}[${index}]`),
    text: isFromId ? entry.id : entry.plural!,
    line: entry.line,
    state: translation === undefined ? "missing" : entry.flags.includes("fuzzy") ? "fuzzy" : "translated",
    translation,
    ...limitOf(entry.flags)
  }
}

const writeHeader = (entry: PoEntry, text: string, header: string, newline: string): Span => ({
  start: entry.start,
  end: entry.end,
  units: [],
  write: () =>
    Either.right(withTranslations(text, entry, [writeTranslation(entry, 0, header, newline)], false, newline))
})

const toSpans = (
  text: string,
  entries: ReadonlyArray<PoEntry>,
  targetLang: string,
  isFuzzy: boolean
): ReadonlyArray<Span> => {
  const newline = newlineOf(text)
  const unique = makeUnique()
  const header = readHeader(entries.find(({ key }) => key === "")?.strings[0]?.text, targetLang, {
    hasPlurals: entries.some(({ plural }) => plural !== undefined),
    hasTranslations: entries.some(({ key, strings }) => key !== "" && strings.some(({ text }) => text !== ""))
  })
  const context: Context = { text, newline, header, isFuzzy }
  return entries.flatMap((entry): ReadonlyArray<Span> => {
    const { end, start } = entry
    if (entry.key === "") {
      return header.rewritten === undefined ? [] : [writeHeader(entry, text, header.rewritten, newline)]
    }
    if (entry.id.trim() === "") return []
    const count = entry.plural === undefined ? 1 : header.plurals.count
    return [
      {
        start,
        end,
        units: Array.from({ length: count }, (_, index) => toUnit(entry, index, context, unique)),
        context: entry.comments.join("\n").trim() || undefined,
        placeholders: placeholdersOf(entry),
        write: writeEntry(entry, context)
      }
    ]
  })
}

/**
 * The format of PO files and of their templates.
 *
 * - Each message is a unit, its key `msgctxt`, U+0004 and `msgid`, or `msgid` alone. A message with a plural has a unit for each
 *   form of the target language, `key[0]`; that for the number 1 comes from `msgid`, others from `msgid_plural`. If it is for other
 *   numbers, too, as in French and Russian, it comes from `msgid` only where this has a placeholder or a digit: "%d file".
 * - Comments for translators (`#.` and `#`) are the context. Flags such as `c-format` say which placeholders a text has.
 * - The forms are those of the header's `Plural-Forms` if it names the target language, or else those of gettext, which are
 *   written into the header with `Language`. Translations into another language that the file has count as missing.
 * - Translations are wrapped as `msgmerge` does it, and begin and end with line breaks as their texts do.
 * - A message whose translations are written is not fuzzy any more, and has no previous text (`#|`), unless the options say so. It
 *   stays fuzzy while one of its forms does.
 * - Files are in UTF-8 or ISO-8859-1, as their header says; others, messages that are there twice, and malformed lines fail with a
 *   `FormatError`. Obsolete messages (`#~`) stay as they are.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".po", ".pot"],
  ...options
} = {}) =>
  Format.wholeFile({
    name: "po",
    variesPlaceholders: true,
    extensions,
    settings: options,
    isBilingual: true,
    placeholders: defaults,
    decodeText,
    parse: (text, { targetLang }) =>
      Either.map(parsePo(text), (entries) =>
        toParts(text, toSpans(text, entries, targetLang, options.fuzzy ?? false))
      ),
    merge: mergePo
  })

/**
 * PO files and their templates; translations are not fuzzy.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
