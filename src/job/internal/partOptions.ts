/** The options by which the parts of a file are read and translated. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Format from "../../format/Format.js"
import { hash } from "../../internal/hash.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as Syntax from "../../text/Syntax.js"
import type * as FileTranslation from "./fileOptions.js"

/** Options of reading a source. */
export interface Reading extends Omit<FileTranslation.Options, "options"> {
  readonly file: string
}

/** The options for translating the parts of a source, which hold its texts. */
export const optionsOf = (reading: Reading, options: TranslateStream.Options): FileTranslation.Options => ({
  ...reading,
  options,
  failed: reading.failed === "source" ? "previous" : reading.failed
})

/** The error of a file whose failed records are to be left out, and that has no records. */
export const noRecords = ({ name }: Format.Format, file: string): Format.FormatError =>
  Format.formatError(name, file, {
    message: `it has no records of which one could be left out: choose another "failed" than "drop", which is for CSV, TSV, JSON Lines and lines of text.`
  })

/** The placeholders of a file: those of its format, and those of the framework that its path is of. */
const placeholdersOf = ({ placeholders, place }: Format.Format, file: string | undefined) => {
  const own = place !== "catalogue" || file === undefined ? [] : Syntax.knownAt(file)
  return placeholders === undefined || own.length === 0
    ? placeholders
    : { ...placeholders, kinds: [...placeholders.kinds, ...own] }
}

/** True if a format has marks, and they are wanted. */
export const isMarking = ({ format, mark }: Pick<FileTranslation.Options, "format" | "mark">): boolean =>
  mark === "flagged" && format.isBilingual

/** The options of the stream, with the format's placeholders and units. To be marked, translations that are there are looked at. */
export const streamOptions = ({
  file,
  format,
  mark,
  options
}: Pick<FileTranslation.Options, "file" | "format" | "mark" | "options">): TranslateStream.Options => ({
  ...options,
  ...(isMarking({ format, mark }) && options.verify !== undefined && options.verify.checksKnown !== true
    ? { verify: { ...options.verify, checksKnown: true } }
    : undefined),
  dedupe: options.dedupe ?? true,
  placeholders: options.placeholders ?? placeholdersOf(format, file),
  syntax: { place: format.place, html: true, ...options.syntax },
  tagHandling: options.tagHandling ?? format.tagHandling
})

/** True if units of the file may need requests with other options than their neighbours. */
export const isGrouped = ({ format, options, useContext }: FileTranslation.Options): boolean =>
  useContext === true || (format.variesPlaceholders === true && options.placeholders === undefined)

const withContext = (useContext: boolean | undefined, options: string): string =>
  useContext === true ? hash(`${options} with the context of units`) : options

/** The choices for the translations of a file, as hashes: when they change, all texts of the machine are translated anew. */
export const choicesOf = (options: FileTranslation.Options) =>
  Effect.map(StreamOptions.choicesOf(streamOptions(options)), (choices) => ({
    ...choices,
    named: { ...choices.named, ...(options.useContext === true ? { useContext: true } : undefined) },
    options: withContext(options.useContext, choices.options)
  }))

/** The hash of the options among them. */
export const hashOfOptions = (options: FileTranslation.Options): string =>
  withContext(options.useContext, StreamOptions.hashOfOptions(streamOptions(options)))

/** Which units of parts leave a stream as they are: they are blank, or nothing but placeholders. */
export const passes = (
  options: FileTranslation.Options,
  parts: ReadonlyArray<Format.Part>
): ((unit: Format.Unit) => boolean) => {
  const given = streamOptions(options)
  const common = StreamOptions.passes(given)
  const own = new Map<string, (text: string) => boolean>()
  for (const { placeholders, units } of options.options.placeholders === undefined ? parts : []) {
    if (placeholders === undefined) continue
    const passes = StreamOptions.passes({ ...given, placeholders })
    for (const { key } of units) own.set(key, passes)
  }
  return ({ key, text }) => (own.get(key) ?? common)(text)
}

/** The options for decoding a file. */
export interface Decoding extends Pick<FileTranslation.Options, "file" | "isOneOfSeveral" | "maxFileBytes"> {
  readonly options: Pick<TranslateStream.Options, "sourceLang" | "targetLang">
}

/** The options by which a format decodes a file for a translation. */
export const decodeOptions = ({
  file,
  isOneOfSeveral,
  maxFileBytes,
  options: { sourceLang, targetLang }
}: Decoding): Format.DecodeOptions => ({
  targetLang: LanguageCode.canonical(targetLang),
  sourceLang: sourceLang === undefined ? undefined : LanguageCode.canonical(sourceLang),
  file,
  isOneOfSeveral,
  maxBytes: maxFileBytes
})

/** Parts of a file, which fails if it lacks something that was chosen and no other file may have it. */
export const ofWhole =
  ({ file, format, isOneOfSeveral }: Pick<FileTranslation.Options, "file" | "format" | "isOneOfSeveral">) =>
  <E, R>(self: Stream.Stream<Format.Part, E, R>): Stream.Stream<Format.Part, E | Format.FormatError, R> =>
    isOneOfSeveral === true
      ? self
      : Stream.mapChunksEffect(self, (parts) => {
          const {
            known,
            lacks = [],
            option
          } = Chunk.toReadonlyArray(parts).find(isSelecting)?.selection ?? {}
          const [value] = lacks
          if (option === undefined || value === undefined) return Effect.succeed(parts)
          const message =
            option === "select"
              ? `no text is at ${value}, but at ${known}: correct \`select\`.`
              : `it has no column ${JSON.stringify(value)}, but ${known}: correct \`columns\`.`
          return Effect.fail(
            Format.formatError(format.name, file, { choice: { option, value, known }, message })
          )
        })

const isSelecting = ({ selection }: Format.Part): boolean => selection !== undefined

/** The texts of parts, for operators of streams. */
export const elements = (units: FileTranslation.Units = "untranslated"): FileTranslation.Elements => ({
  texts: (part) =>
    part.units.map(({ state, text }) => (units === "all" || state !== "translated" ? text : undefined)),
  replace: identity,
  maxCharacters: ({ units }, index) => units[index]?.maxCharacters,
  known: ({ judged }, index) => judged?.[index]
})
