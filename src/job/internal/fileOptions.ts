/** Options and results of the translation of a file. */
import type * as Effect from "effect/Effect"
import type * as Format from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type { OtherChoices, StaleUnit } from "./contract.js"
import type { OutputRecord } from "./record.js"

/**
 * Why a unit of a file is not translated: its text failed, or the file cannot hold the translation.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileError = Outcome.StreamError | Format.FormatError

/**
 * The outcome of a part of a file. `value` is the part as it is written; a unit without a translation stays as it is in
 * the file. Failures name the keys of units; a line that could not be read is one that failed, named by its number.
 * Units that have a translation already, and are not to be translated, count as skipped.
 *
 * @since 0.1.0
 * @category models
 */
export type PartOutcome<E = Outcome.StreamError> = Outcome.Outcome<
  Format.Part,
  Format.Part,
  E | Format.FormatError
>

/**
 * The texts of parts, as operators such as `TranslateStream.translateWith` and `WriteStream.rephraseWith` take them
 * beside their options. `write` takes the translations from their outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Elements {
  readonly texts: (part: Format.Part) => ReadonlyArray<string | undefined>
  readonly replace: (part: Format.Part) => Format.Part
  readonly maxCharacters: (part: Format.Part, index: number) => number | undefined
  readonly known: (part: JudgedPart, index: number) => string | undefined
}

/**
 * A part with translations of an output that are judged once more.
 *
 * @since 0.1.0
 * @category models
 */
export interface JudgedPart extends Format.Part {
  /** By the places of its units. @default none */
  readonly judged?: ReadonlyArray<string | undefined> | undefined
}

/**
 * The format of a file, and its name.
 *
 * @since 0.1.0
 * @category models
 */
export interface FileOptions {
  /** The format that the file is read and written in. */
  readonly format: Format.Format
  /** Names the file in errors. @default none */
  readonly file?: string | undefined
  /** The largest file, in bytes, of formats that read files as a whole. @default 16777216, which is 16 MiB */
  readonly maxFileBytes?: number | undefined
  /** Other files may have the columns or paths that this one lacks. @default false: it fails */
  readonly isOneOfSeveral?: boolean | undefined
  /**
   * The text in place of a unit that failed: the one of the file, the source's text, or nothing. `drop` leaves out the record that has it, or
   * that can't be read: a row of CSV, a line of JSON Lines or of text. @default "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | "drop" | undefined
  /**
   * Marks translations of the machine that look wrong to a check for a person to look at, in formats that can say that: PO, XLIFF and string
   * catalogues. Programs do not show what is marked in PO. A mark is no reason to send a text again. @default "none"
   */
  readonly mark?: "flagged" | "none" | undefined
}

/**
 * Which units are sent: those whose translation is missing or fuzzy, or all.
 *
 * @since 0.1.0
 * @category models
 */
export type Units = "untranslated" | "all"

/**
 * Options for translating a file: those of streams, and those of files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends FileOptions {
  /**
   * The options of the stream. Equal texts are sent once, unless `dedupe` says otherwise: plural forms of one text, and what a file repeats.
   * Placeholders and tags are those of the format, unless they are given.
   */
  readonly options: Omit<TranslateStream.Options, "unordered">
  /** Which units are sent. @default "untranslated" */
  readonly units?: Units | undefined
  /**
   * Sends units with the file's notes on them, as `context`. A request has one context, so units with different ones
   * need requests of their own: `forecast` says how many. The `context` of the options stands in front. @default false
   */
  readonly useContext?: boolean | undefined
}

/**
 * The bytes of a file while they are written, and the outcomes of its parts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed<E, R> {
  /** Receives each outcome before its bytes leave. @default nothing */
  readonly onOutcome?: ((outcome: PartOutcome) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * Options of an update, apart from those of a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface UpdateOptions extends Omit<Options, "failed" | "units"> {
  /**
   * The target file as it is. For a file that holds source and translations side by side, and is its own target, none.
   * @default none: everything is translated
   */
  readonly target?: Uint8Array | undefined
  /** The record of the last update. @default none: nothing says who has written the texts of the target */
  readonly record?: OutputRecord | undefined
  /** Names the target in errors. @default the name of the source, if it has one, with `(target)` behind it */
  readonly targetFile?: string | undefined
  /**
   * Keeps or drops units of the target that the source no longer has. A file that is written anew from its source never
   * has them. @default "keep"
   */
  readonly removed?: "keep" | "drop" | undefined
  /**
   * The text in place of a unit that failed: the target's, or else the source's text; the source's text; or nothing. In
   * a file that holds both languages the source's text is there anyway. The next update translates it. @default
   * "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | undefined
  /** The number of units to translate; the others stay as they are. @default all */
  readonly limit?: number | undefined
  /** Returns a partial update if an error ends the translation. @default false: it fails */
  readonly partial?: boolean | undefined
  /** Asks for the machine's translations again. @default false */
  readonly refresh?: boolean | undefined
}

/**
 * An updated target file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Update<E = never> {
  /** The target file: the very bytes of the one that was given, if there was nothing to do. */
  readonly bytes: Uint8Array
  /** The record for the next update. */
  readonly record: OutputRecord
  readonly tally: Outcome.Tally
  /** The outcome of each part with units to translate. */
  readonly outcomes: ReadonlyArray<PartOutcome>
  /** Units whose source has changed since a person wrote their translation, which was left as it is. */
  readonly stale: ReadonlyArray<StaleUnit>
  /** Units of the target whose author is not known: they stay as they are, and are not sent. */
  readonly unknown: ReadonlyArray<string>
  /** Texts of a person that the target has no place for any more: they are in the store as corrections. */
  readonly deleted: ReadonlyArray<StaleUnit>
  /** Texts of the machine that were made with other options, and are translated again. */
  readonly otherChoices: ReadonlyArray<OtherChoices>
  /** The number of a person's translations, in the target or as corrections. */
  readonly byPersons: number
  /** The fit of the chosen columns or languages, if the source has it: see `Format.Part`. */
  readonly selection: Format.Selection | undefined
  /** Keys of the target that the source does not have any more. */
  readonly removed: ReadonlyArray<string>
  /** True if all units that had to be were translated, or have failed: no limit and no error was in the way. */
  readonly isWhole: boolean
  /** The error that has ended the translation, if `partial` is set. */
  readonly error: Outcome.StreamError | E | undefined
}
