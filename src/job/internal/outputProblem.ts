import type * as TranslationStore from "../../store/TranslationStore.js"
import type { FailedUnit } from "../../stream/FailedUnits.js"
import type * as Check from "../../text/Check.js"
import type { FileError, FileOptions } from "./fileReading.js"
import type { StreamOptions } from "./jobOptions.js"
import type * as jobTarget from "./jobTarget.js"
import type { Place } from "./recordPlaces.js"

/**
 * Which files are looked at, and how they should have been translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The sources, and where their outputs are. */
  readonly files: ReadonlyArray<FileOptions>
  /** The languages of the outputs. */
  readonly targets: ReadonlyArray<jobTarget.Target>
  /** The options of the streams of the job that has translated. @default those of streams */
  readonly options?: StreamOptions | undefined
  /** The checks of each translation. @default nothing */
  readonly checks?: ReadonlyArray<Check.Check> | undefined
  /**
   * Asks checks that ask somebody about translations without a verdict in the store. Without it these are `unasked`, one for each question.
   * @default false
   */
  readonly ask?: boolean | undefined
  /** The entries of the glossary of a language, source to target, for checks. @default none */
  readonly terms?: ((targetLang: string) => ReadonlyMap<string, string> | undefined) | undefined
  /** The store of the job, which knows texts of the machine that no record tells of. @default such texts are `unknown` */
  readonly store?: TranslationStore.Service | undefined
  /**
   * Tells the sources of this check by their absolute paths, of those that are not there any more. Outputs in a folder of the outputs of
   * `files` belong to it too. @default no others
   */
  readonly isSource?: ((path: string) => boolean) | undefined
}

/**
 * The files of which texts are accepted, and their keys.
 *
 * @since 0.1.0
 * @category models
 */
export interface AcceptOptions extends Omit<Options, "isSource"> {
  /**
   * The keys of the texts. @default all texts that no record tells of, all of a person whose sources have changed, and all in which a check
   * finds something
   */
  readonly keys?: ReadonlyArray<string> | undefined
  /** The names of checks: their findings are accepted, and nothing else. @default all that there is to accept */
  readonly only?: ReadonlyArray<string> | undefined
}

/**
 * Listed texts whose findings are accepted, and the folder of the records of their outputs.
 *
 * @since 0.1.0
 * @category models
 */
export interface AcceptUnitsOptions extends Place {
  /** The texts: those with `accepted` count. Their sources are addresses, or paths from the root of the records. */
  readonly units: ReadonlyArray<FailedUnit>
}

/**
 * The texts and findings of an output that were accepted.
 *
 * @since 0.1.0
 * @category models
 */
export interface Accepted {
  /** The path of the output. */
  readonly output: string
  /** The language of the output; `mul` of one that has several. */
  readonly targetLang: string
  /** The texts that are a person's now. */
  readonly keys: ReadonlyArray<string>
  /** The findings that are no more told of. */
  readonly findings: ReadonlyArray<{ readonly key: string; readonly check: string }>
}

/**
 * The fault:
 *
 * - `missing`: there is no translation;
 * - `failed`: the source's text is in the place of a translation, which has failed or was never asked for (`limit`);
 * - `stale`: it is the translation of an earlier source;
 * - `unknown`: no record tells who has written it;
 * - `orphaned`: no text, or no file, of the sources belongs to it;
 * - `otherOptions`: the machine has translated with other options;
 * - `otherTerms`: the machine has translated with other terms of the glossary than those that the text holds now;
 * - `flagged`: a check has found something;
 * - `unasked`: a check that asks somebody has not looked at it: it was not asked, or has failed;
 * - `marked`: its file says that a person should look at it, as `fuzzy` of PO does;
 * - `unreadable`: the source or the output can't be read; or a value that was chosen is no text, or is in no file.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind =
  | "missing"
  | "failed"
  | "stale"
  | "unknown"
  | "orphaned"
  | "otherOptions"
  | "otherTerms"
  | "flagged"
  | "unasked"
  | "marked"
  | "unreadable"

/**
 * Something that is wrong with an output.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  readonly kind: Kind
  /** The path of the source. */
  readonly source: string
  /** The path of the output. */
  readonly output: string
  /** The language of the output, if one is at fault and not the source. */
  readonly targetLang: string | undefined
  /** The unit. @default the output as a whole */
  readonly key?: string | undefined
  /** Where the unit is in the source, from 1. */
  readonly line?: number | undefined
  /** Where the unit is in the output, from 1, if it is there. */
  readonly outputLine?: number | undefined
  /** The finding of a check. */
  readonly finding?: Check.Finding | undefined
  /** The check that has not looked at it. */
  readonly unasked?: Check.Unasked | undefined
  /** The path of the record of an output whose source is gone. */
  readonly record?: string | undefined
  /** The reason for which a file can't be read, or its missing choice. */
  readonly error?: FileError | undefined
}
