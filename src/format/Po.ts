/**
 * Catalogues of gettext: PO files and their templates.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Format from "./Format.js"
import { endWithoutBreaks, newlineOf } from "./internal/edits.js"
import * as icuMessages from "./internal/icuMessages.js"
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

/** The texts of a message, for the number 1 and for others. */
const textsOf = (
  { id, plural = id, strings }: PoEntry,
  { isOfSource }: Pick<Header, "isOfSource">
): { readonly one: string; readonly other: string } =>
  isOfSource
    ? { one: strings[0]!.text || id, other: strings.at(-1)!.text || plural }
    : { one: id, other: plural }

const writeEntry =
  (entry: PoEntry, { header, isFuzzy, newline, text }: Context): NonNullable<Format.Part["write"]> =>
  (translations, marks = []) => {
    const { start, strings } = entry
    if (translations.every((translation) => translation === undefined)) {
      return Either.right(text.slice(start, entry.end))
    }
    const texts = translations.map((translation, index) =>
      translation === undefined
        ? header.isOfTarget
          ? (strings[index]?.text ?? "")
          : ""
        : withBreaksOf(textsOf(entry, header).one, translation)
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
    const isMarked = isFuzzy || marks.includes(true)
    return Either.right(withTranslations(text, entry, written, isMarked || staysFuzzy, newline))
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
  const { one, other } = textsOf(entry, header)
  const isOne = entry.plural === undefined || isSingular(index) || (isOfOne(index) && showsNumber(one))
  return {
    key: unique(entry.plural === undefined ? entry.key : `${entry.key}[${index}]`),
    text: isOne ? one : other,
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

const isName = ({ id }: PoEntry): boolean => !/\s/.test(id)

/** True if ids are names of texts, such as `NhX4DJ` and `home.title`, as most that have no blank have another text. */
const hasNames = (entries: ReadonlyArray<PoEntry>): boolean => {
  const named = entries.filter((entry) => isName(entry) && (entry.strings[0]?.text ?? "") !== "")
  return named.filter(({ id, strings }) => strings[0]!.text !== id).length * 2 > named.length
}

const toSpans = (
  text: string,
  all: ReadonlyArray<PoEntry>,
  options: Format.DecodeOptions,
  isFuzzy: boolean
): ReadonlyArray<Span> => {
  const newline = newlineOf(text)
  const unique = makeUnique()
  const entries = all.filter(({ id, key }) => key === "" || id.trim() !== "")
  const messages = entries.filter(({ key }) => key !== "")
  const named = hasNames(messages)
  const header = readHeader(all.find(({ key }) => key === "")?.strings[0]?.text, options, {
    hasPlurals: messages.some(({ plural }) => plural !== undefined),
    hasTranslations: messages.some(({ strings }) => strings.some(({ text }) => text !== "")),
    hasNames: named
  })
  const context: Context = { text, newline, header, isFuzzy }
  return entries.flatMap((entry): ReadonlyArray<Span> => {
    const { end, start } = entry
    if (entry.key === "") {
      return header.rewritten === undefined ? [] : [writeHeader(entry, text, header.rewritten, newline)]
    }
    if (header.isOfSource && named && isName(entry) && entry.strings.some(({ text }) => text === "")) {
      const message = "its text is missing, and its id is a name: fill in msgstr."
      const problem = Format.formatError("po", options.file, { line: entry.line, key: entry.key, message })
      return [{ start, end, units: [], problem }]
    }
    const count = entry.plural === undefined ? 1 : header.plurals.count
    return [
      {
        start,
        end,
        units: Array.from({ length: count }, (_, index) => toUnit(entry, index, context, unique)),
        context: entry.comments.join("\n").trim() || undefined,
        placeholders: placeholdersOf(entry, Object.values(textsOf(entry, header))),
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
 * - In a file whose `Language` is the source's, `msgstr` holds the texts, as Lingui, next-intl and Symfony have them: it is translated, and
 *   the ids stay. A text that is missing there is told if ids are names, such as `home.title`.
 * - A text that has arguments with branches is an ICU message, as those of `FormatJs`.
 * - Translations are wrapped as `msgmerge` does it, and begin and end with line breaks as their texts do.
 * - A message whose translations are written is not fuzzy any more, and has no previous text (`#|`), unless the options say so. It
 *   stays fuzzy while one of its forms does.
 * - Files are in UTF-8 or an encoding of one byte a character, as their header says; others, messages that are there twice, and malformed lines fail with a
 *   `FormatError`. Obsolete messages (`#~`) stay as they are.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".po", ".pot"],
  ...options
} = {}) =>
  icuMessages.wholeFile({
    name: "po",
    variesPlaceholders: true,
    extensions,
    settings: options,
    isBilingual: true,
    place: "catalogue",
    placeholders: defaults,
    decodeText,
    parse: (text, decoding) =>
      Either.map(parsePo(text), (entries) =>
        toParts(text, toSpans(text, entries, decoding, options.fuzzy ?? false))
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
