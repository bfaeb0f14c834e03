/** What goes into the translation of a file, and what comes out. */
import type * as Effect from "effect/Effect"
import type * as Format from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type { Manifest } from "./manifest.js"
import type { StaleUnit } from "./sourceContract.js"

/**
 * Why a unit of a file is not translated: its text failed, or the file cannot hold the translation.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileError = Outcome.StreamError | Format.FormatError

/**
 * What became of a part of a file. `value` is the part as it is written; a unit without a translation stays as it is in the file.
 * Failures name the keys of units; a line that could not be read is one that failed, named by its number. Units that have a
 * translation already, and are not to be translated, count as skipped.
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
 * The texts of parts: what operators such as `TranslateStream.translateWith` and `WriteStream.rephraseWith` take beside their
 * options. `write` takes the translations from their outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Elements {
  readonly texts: (part: Format.Part) => ReadonlyArray<string | undefined>
  readonly replace: (part: Format.Part) => Format.Part
  readonly maxCharacters: (part: Format.Part, index: number) => number | undefined
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
  /** What is written for a unit that failed; `undefined` leaves it as it is in the file. @default leaves it */
  readonly failedText?: ((unit: Format.Unit) => string | undefined) | undefined
}

/**
 * Which units are sent: those whose translation is missing or fuzzy, or all.
 *
 * @since 0.1.0
 * @category models
 */
export type Units = "untranslated" | "all"

/**
 * How a file is translated: the options of streams, and those of files.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<TranslateStream.Options, "unordered">, FileOptions {
  /** Which units are sent. @default "untranslated" */
  readonly units?: Units | undefined
  /** Sends equal texts once: plural forms of one text, and what a file repeats. @default true */
  readonly dedupe?: TranslateStream.Options["dedupe"]
  /**
   * Sends units with what the file says of them, as `context`. A request has one context, so units with different ones need
   * requests of their own: `forecast` says how many. The option `context` stands in front. @default false
   */
  readonly useContext?: boolean | undefined
}

/**
 * What becomes of the outcomes of a file, while its bytes are written.
 *
 * @since 0.1.0
 * @category models
 */
export interface Observed<E, R> {
  /** Receives each outcome before its bytes leave. @default nothing */
  readonly onOutcome?: ((outcome: PartOutcome) => Effect.Effect<unknown, E, R>) | undefined
}

/**
 * What an update needs beside the options of a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface UpdateOptions extends Omit<Options, "units"> {
  /**
   * The target file as it is. For a file that holds source and translations side by side, and is its own target, none.
   * @default none: everything is translated
   */
  readonly target?: Uint8Array | undefined
  /** What the last update has returned. @default none: all that the target holds counts as a person's */
  readonly manifest?: Manifest | undefined
  /** Names the target in errors. @default the name of the source, if it has one, with `(target)` behind it */
  readonly targetFile?: string | undefined
  /**
   * What becomes of units of the target that the source does not have any more. A file that is written anew from its source never has
   * them. @default "keep"
   */
  readonly removed?: "keep" | "drop" | undefined
  /**
   * What a unit that failed leaves: what the target holds of it, or else the source's text; the source's text; or nothing. In a file
   * that holds both languages the source's text is there anyway. The next update translates it. @default "previous"
   */
  readonly failed?: "previous" | "source" | "empty" | undefined
  /** How many units are translated; the others stay as they are. @default all */
  readonly limit?: number | undefined
  /** Whether an error that ends the translation leaves an update with what there is by then. @default false: it fails */
  readonly partial?: boolean | undefined
  /** Whether what the machine has written is asked for again. @default false */
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
  /** What the next update has to know. */
  readonly manifest: Manifest
  readonly tally: Outcome.Tally
  /** What became of each part in which something was to be translated. */
  readonly outcomes: ReadonlyArray<PartOutcome>
  /** Units whose source has changed since a person wrote their translation, which was left as it is. */
  readonly stale: ReadonlyArray<StaleUnit>
  /** How many translations a person has written, in the target or as a correction. What was there before the first update counts. */
  readonly byPersons: number
  /** Keys of the target that the source does not have any more. */
  readonly removed: ReadonlyArray<string>
  /** Whether all units were translated that had to be, or have failed: no limit and no error was in the way. */
  readonly isWhole: boolean
  /** What has ended the translation, where `partial` asks for what there is by then. */
  readonly error: Outcome.StreamError | E | undefined
}
