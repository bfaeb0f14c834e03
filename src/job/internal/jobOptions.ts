import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as LanguageSupport from "../../client/LanguageSupport.js"
import type * as GlossarySync from "../../glossary/GlossarySync.js"
import type { FailedUnit } from "../../stream/FailedUnits.js"
import type * as Progress from "../../stream/Progress.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as Verification from "../../stream/Verification.js"
import type { JobSource, UnitOutcome } from "./contract.js"
import type * as jobTarget from "./jobTarget.js"
import type { JobReport } from "./reportSchema.js"

/**
 * The options of the streams of a job: they share the budget and their findings about the service.
 *
 * @since 0.1.0
 * @category models
 */
export interface StreamOptions
  extends Omit<TranslateStream.Options, "targetLang" | "unordered" | "store" | "progress" | "verify"> {}

/**
 * Options of a job beside those of its streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The options of all its streams. @default those of the service and of streams */
  readonly options?: StreamOptions | undefined
  /** Checks translations, and how to treat those with findings. @default `Check.defaults` */
  readonly verify?: Verification.Options | undefined
  /**
   * A glossary, which is made equal to these dictionaries first: targets that it has a dictionary for are translated with it, unless they have
   * one of their own. It needs `sourceLang`. @default none
   */
  readonly glossary?: GlossarySync.Options | undefined
  /** The treatment of a formality that a target does not have: fail, or prefer it where there is one. @default "fail" */
  readonly onUnsupportedFormality?: LanguageSupport.CheckSettings["onUnsupportedFormality"]
  /**
   * The most sources that are translated at the same time, each into all languages; small local files, which share requests,
   * count as one together. Each stream has the `concurrency` of its own. @default 1
   */
  readonly sourceConcurrency?: number | undefined
  /** A pilot: translates this number of texts of each source into each language. The store keeps the paid translations. @default all */
  readonly limit?: number | undefined
  /**
   * Sends texts again whose translations the machine has stored before the job began, or before a time: with a time, a job that
   * was killed goes on where it was. @default false
   */
  readonly refresh?: boolean | DateTime.Utc | undefined
  /**
   * Sends texts again that have failed before the job began, or before a time: those that the service has failed with alone, while it
   * answered others, and those whose translations checks have refused. @default false: they are `Failed` with `FailedBefore` and
   * `TranslationRefused`, at no cost
   */
  readonly retryFailed?: boolean | DateTime.Utc | undefined
  /**
   * Asks once more for those translations of the machine, in the store or in outputs, that look wrong to a check, and keeps the better one:
   * the one in which less is found, or else the former. A person's stay as they are. @default false
   */
  readonly retryFlagged?: boolean | undefined
  /**
   * Ends the job with `TooManyFailed` once a larger share of all texts has failed, from 0 to 1: judged from 100 texts on, and at the
   * end. @default 1: never
   */
  readonly maxFailedShare?: number | undefined
  /** Publishes outputs that are not whole. @default false */
  readonly partial?: boolean | undefined
  /** The price of a million billed characters, for the report. @default unknown */
  readonly pricePerMillion?: number | undefined
}

/**
 * Sources, the languages to translate them into, and how. The errors of callbacks end the job.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationJob<S extends JobSource<unknown, unknown>, E = never, R = never> extends Options {
  readonly sources: ReadonlyArray<S>
  /** The languages, in any casing; or each with its name in paths, and options that differ from those of the job. */
  readonly targets: ReadonlyArray<jobTarget.Target>
  /** Receives texts that were not translated, one at a time. @default nothing */
  readonly onFailed?: ((unit: FailedUnit) => Effect.Effect<unknown, E, R>) | undefined
  /**
   * Receives texts whose translations look wrong and were kept, one at a time, with the reason `Flagged`: those of this run, and those that
   * outputs have, unless `OutputCheck.accept` has accepted them. @default nothing
   */
  readonly onFlagged?: ((unit: FailedUnit) => Effect.Effect<unknown, E, R>) | undefined
  /** Called with every text and its outcome, in groups: those of a source in one language in its order. @default nothing */
  readonly onUnits?: ((units: ReadonlyArray<UnitOutcome>) => Effect.Effect<unknown, E, R>) | undefined
  /**
   * Ends the job in good order once this effect has ended: it reads no further texts, translates and stores those it has
   * read, and fails with `JobHalted`, unless none were left. Waits for a quota, an outage or a repetition go on:
   * interrupt the job to end them. @default never
   */
  readonly haltWhen?: Effect.Effect<unknown> | undefined
  /** Receives the report, however the job ends: also if it fails or is interrupted. @default nothing */
  readonly onEnd?: ((report: JobReport) => Effect.Effect<unknown, E, R>) | undefined
  /** Receives the progress of all streams of the job. {@link makeProgress} makes one that knows the total. @default none */
  readonly progress?: Progress.Progress | undefined
}

/** A job of sources whose errors and needs are known. */
export type Job<E, R, E2, R2> = TranslationJob<JobSource<E, R>, E2, R2>
