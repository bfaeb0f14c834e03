/**
 * Says what is wrong with translated files, without a service, a key or a store: from the files, and from what is remembered of them.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Stream from "effect/Stream"
import type * as LanguageCode from "../api/LanguageCode.js"
import type * as TranslateStream from "../stream/TranslateStream.js"
import type * as Check from "../text/Check.js"
import * as outputCheck from "./internal/outputCheck.js"
import type * as JobSource from "./JobSource.js"

/**
 * Which files are looked at, and how they should have been translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<TranslateStream.Options, "targetLang"> {
  /** The sources, and where their outputs are. */
  readonly files: ReadonlyArray<JobSource.FileOptions>
  /** The languages of the outputs. */
  readonly targets: ReadonlyArray<LanguageCode.TargetLanguage>
  /** What each translation is checked for. @default nothing */
  readonly checks?: ReadonlyArray<Check.Check> | undefined
  /** The entries of the glossary of a language, source to target, for checks. @default none */
  readonly terms?: ((targetLang: string) => ReadonlyMap<string, string> | undefined) | undefined
}

/**
 * What is wrong:
 *
 * - `missing`: there is no translation, or the file says that it is to be looked at;
 * - `failed`: the source's text is in the place of a translation, which has failed or was never asked for (`limit`);
 * - `stale`: it is the translation of an earlier source;
 * - `otherOptions`: the machine has translated with other options;
 * - `flagged`: a check has found something;
 * - `unreadable`: the source or the output can't be read.
 *
 * @since 0.1.0
 * @category models
 */
export type Kind = "missing" | "failed" | "stale" | "otherOptions" | "flagged" | "unreadable"

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
  /** What a check has found. */
  readonly finding?: Check.Finding | undefined
  /** Why a file can't be read, or what it lacks. */
  readonly error?: JobSource.FileError | undefined
}

/**
 * What is wrong with the outputs of files, in their order. Sends nothing, and writes nothing.
 *
 * Files of formats that stream are read piece by piece. Whether a glossary or style rules of the service have changed can't be told
 * without the service, and is not looked at.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run: (options: Options) => Stream.Stream<Problem, never, FileSystem.FileSystem | Path.Path> =
  outputCheck.run
