/**
 * Every way in which a file of a job can't be read or written. None of these errors holds a text.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import * as Address from "../storage/Address.js"
import type { StorageError } from "../storage/StorageError.js"

/** Why, as the file system says it. */
const reason = Schema.String

/**
 * The source can't be read.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourceUnreadable extends TaggedError<SourceUnreadable>()(
  "SourceUnreadable",
  { path: Schema.String, reason },
  ({ path, reason }) =>
    // A fault of an address has its own advice.
    Address.isAddress(path)
      ? `${path} can't be read: ${reason}.`
      : `${path} can't be read (${reason}): check its name, and that it may be read.`
) {}

/**
 * Somebody has written the source while it was read. No output was published.
 *
 * @since 0.1.0
 * @category errors
 */
export class SourceChanged extends TaggedError<SourceChanged>()(
  "SourceChanged",
  { path: Schema.String },
  ({ path }) => `${path} was changed while it was read: run the job again once it stays as it is.`
) {}

/**
 * An output can't be written. Nothing is left of it.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputUnusable extends TaggedError<OutputUnusable>()(
  "OutputUnusable",
  {
    output: Schema.String,
    reason,
    /** True if its disk is full, or its user's share of that. @default false */
    isFull: Schema.optional(Schema.Boolean)
  },
  ({ output, reason }) =>
    Address.isAddress(output)
      ? `${output} can't be written: ${reason}.`
      : `${output} can't be written (${reason}): make its folder writable, make room on its disk, or choose another output.`
) {}

/**
 * The store of a source or an output does not answer for now. Nothing is left of an output.
 *
 * @since 0.1.0
 * @category errors
 */
export class StorageUnavailable extends TaggedError<StorageUnavailable>()(
  "StorageUnavailable",
  {
    path: Schema.String,
    reason,
    /** Says that only a person can mend it, as where the proxy before it refuses the password. @default false */
    isLasting: Schema.optional(Schema.Boolean)
  },
  ({ isLasting, path, reason }) =>
    `${path} can't be reached (${reason})${isLasting === true ? "" : ": run the same again later"}. Finished translations are stored.`,
  { isRetryable: true }
) {}

/**
 * The error of a store, or of a proxy before it, that can't be reached; `undefined` if it has answered.
 *
 * @internal
 */
export const unavailable: (path: string, storageError: StorageError) => StorageUnavailable | undefined = (
  path,
  { detail, reason }
) =>
  reason === "unavailable"
    ? new StorageUnavailable({ path, reason: detail })
    : reason === "proxyRefused"
      ? new StorageUnavailable({ path, reason: detail, isLasting: true })
      : undefined

/**
 * Two languages have the same output.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputTaken extends TaggedError<OutputTaken>()(
  "OutputTaken",
  { output: Schema.String, targets: Schema.Array(Schema.String) },
  ({ output, targets }) =>
    `${output} would be the output of ${targets.join(" and ")}: write {lang} into \`output\`.`
) {}

/**
 * An output is its source, of a format that does not hold a text and its translation side by side, or that streams.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputIsSource extends TaggedError<OutputIsSource>()(
  "OutputIsSource",
  { output: Schema.String, targetLang: Schema.String },
  ({ output, targetLang }) =>
    `${output} is the source, and would be overwritten by its translation into ${targetLang}: give another \`output\`, or leave that language out of \`targets\`.`
) {}

/**
 * The output is not as it was written here: it was altered since, or was never written here. It was left alone.
 *
 * @since 0.1.0
 * @category errors
 */
export class OutputAltered extends TaggedError<OutputAltered>()(
  "OutputAltered",
  {
    output: Schema.String,
    /** True if it was altered while the job ran. */
    meanwhile: Schema.Boolean,
    /**
     * The reason why a person's corrections in it can't be told from the machine's translations: the store knows none of its translations,
     * its rows are not those of the source at their places, or its record is one of texts, of a format without rows.
     * @default its format takes none
     */
    why: Schema.optional(Schema.Literal("store", "places", "format"))
  },
  ({ meanwhile, output, why }) => {
    if (meanwhile)
      return `${output} was altered while its translation ran, and was left alone: run the same again.`
    const altered = `${output} was altered since it was written here, or was never written here`
    const replace = `move it away, or replace it with \`existing: "overwrite"\`. What a person has written in it is lost then: give that to the store first, as corrections.`
    switch (why) {
      case undefined:
        return `${altered}: ${replace}`
      case "store":
        return `${altered}, and the store knows none of its translations, so that a person's corrections can't be told from them: use the store with which it was made, ${replace}`
      case "format":
        return `${output} was written with another format: name that format, ${replace}`
      case "places":
        return `${altered}, and its rows are not those of its source in the same order, so that a person's corrections can't be found: name the columns that tell rows apart as \`key\`, ${replace}`
    }
  }
) {}

/**
 * Two rows of a file have the same key, by which a person's corrections are found again.
 *
 * @since 0.1.0
 * @category errors
 */
export class DuplicateKeys extends TaggedError<DuplicateKeys>()(
  "DuplicateKeys",
  {
    path: Schema.String,
    /** The names of the columns of the key. */
    key: Schema.Array(Schema.String),
    /** Both rows, from 1. */
    rows: Schema.Tuple(Schema.Number, Schema.Number)
  },
  ({ key, path, rows: [one, other] }) =>
    `${path}: rows ${one} and ${other} have the same ${key.join(", ")}, which is to tell rows apart: correct one of them, or name more columns as \`key\`.`
) {}

/**
 * The state of an output can't be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export class StateUnusable extends TaggedError<StateUnusable>()(
  "StateUnusable",
  { path: Schema.String, reason },
  ({ path, reason }) =>
    `${path} can't be used (${reason}): restore it, or make it readable and writable. Without it, nothing says who has written the texts of the output.`
) {}

/**
 * Why a file of a job can't be read or written.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FileSourceError = Schema.Union(
  SourceUnreadable,
  SourceChanged,
  OutputUnusable,
  OutputTaken,
  OutputIsSource,
  OutputAltered,
  DuplicateKeys,
  StateUnusable,
  StorageUnavailable
)

/**
 * Why a source can't be read.
 *
 * @since 0.1.0
 * @category errors
 */
export type ReadError = SourceUnreadable | SourceChanged | StorageUnavailable

/**
 * Why a file of a job can't be read or written.
 *
 * @since 0.1.0
 * @category errors
 */
export type FileSourceError = typeof FileSourceError.Type

/**
 * Returns `true` for an error of a file of a job.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFileSourceError = is(FileSourceError)
