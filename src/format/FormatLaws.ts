/**
 * Laws that every format keeps, to be asked of a format of one's own by the tests of any runner.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as Format from "./Format.js"
import * as lawFaults from "./internal/laws/lawFaults.js"
import type { Sample } from "./internal/laws/sampleFiles.js"

/**
 * The names of the laws.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Name = Schema.Literal(
  "identity",
  "refusal",
  "memory",
  "update",
  "merge",
  "mergeTwice",
  "emptied"
)

/**
 * The name of a law.
 *
 * @since 0.1.0
 * @category models
 */
export type Name = typeof Name.Type

/**
 * A format does not keep a law.
 *
 * The message has the difference and its place. It never holds a text of the file; a key it may hold.
 *
 * @since 0.1.0
 * @category errors
 */
export class LawBroken extends TaggedError<LawBroken>()("LawBroken", {
  law: Name,
  /** The name of the format. */
  format: Schema.String,
  /** The unit that is at fault. */
  key: Schema.optional(Schema.String),
  /** Counts from 1. */
  line: Schema.optional(Schema.Number),
  /** The first byte that differs, from 0. */
  offset: Schema.optional(Schema.Number),
  message: Schema.String
}) {}

/**
 * Returns true for a `LawBroken`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isLawBroken = is(LawBroken)

/**
 * Inputs that laws are tried with.
 *
 * @since 0.1.0
 * @category models
 */
export type { Sample } from "./internal/laws/sampleFiles.js"

/**
 * A law: it fails with the cause of the breach, or with the refusal of a document that it cannot be checked on.
 *
 * @since 0.1.0
 * @category models
 */
export interface Law {
  readonly name: Name
  /** Returns `true` if the law applies to a format, by its fields. */
  readonly appliesTo: (format: Format.Format) => boolean
  readonly check: (
    format: Format.Format,
    sample: Sample
  ) => Effect.Effect<void, LawBroken | Format.FormatError>
}

const broken = (law: Name, format: string, { key, line, message, offset }: lawFaults.Fault): LawBroken => {
  const place = [
    format,
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(key === undefined ? [] : [`key ${JSON.stringify(key)}`]),
    ...(offset === undefined ? [] : [`byte ${offset}`])
  ].join(", ")
  return new LawBroken({ law, format, key, line, offset, message: `${place}: ${message}` })
}

const make = (name: Name, appliesTo: Law["appliesTo"], faults: lawFaults.Faults): Law => ({
  name,
  appliesTo,
  check: (format, sample) =>
    Effect.flatMap(faults(format, sample), ([fault]) =>
      fault === undefined ? Effect.void : Effect.fail(broken(name, format.name, fault))
    )
})

const isDecoded = ({ columnar }: Format.Format): boolean => columnar === undefined

const isMerged = ({ merge }: Format.Format): boolean => merge !== undefined

/**
 * The parts of a file are the file, byte for byte, and its units are the same, however its bytes are cut. No two units have
 * the same key, and a part of which no unit is translated stays.
 *
 * @since 0.1.0
 * @category constants
 */
export const identity: Law = make("identity", isDecoded, lawFaults.identity)

/**
 * A file that is refused is refused with its name and a place in it: a line, a column, a key, or the choice that is at
 * fault. The refusal is the same, however the bytes are cut.
 *
 * @since 0.1.0
 * @category constants
 */
export const refusal: Law = make("refusal", isDecoded, lawFaults.refusal)

/**
 * A format refuses a file that is larger than `maxBytes`, or holds no more than `readAhead` bytes of it: only a larger document can show
 * that. It says nothing about a format's own treatment of the bytes that it holds.
 *
 * @since 0.1.0
 * @category constants
 */
export const memory: Law = make("memory", isDecoded, lawFaults.memory)

/**
 * The texts that a person has written into a file are found there by the keys of its source, and are the same when they are
 * written again. In formats that merge, they stay if others are translated.
 *
 * @since 0.1.0
 * @category constants
 */
export const update: Law = make(
  "update",
  (format) => isDecoded(format) && format.isStreamed !== true,
  lawFaults.update
)

/**
 * A merged file has all units of its source where they belong, with the texts of the target, or of the source where the
 * target has none. Units that the source does not have stay or go, as is asked.
 *
 * @since 0.1.0
 * @category constants
 */
export const merge: Law = make("merge", isMerged, lawFaults.merge)

/**
 * A merged file that is merged again with its source stays as it is.
 *
 * @since 0.1.0
 * @category constants
 */
export const mergeTwice: Law = make("mergeTwice", isMerged, lawFaults.mergeTwice)

/**
 * Where the source has an entry without a text, the text of the target stays, also if units are dropped that the source does
 * not have; a blank one does not. Where only the target is blank, a merged file has the text of the source.
 *
 * @since 0.1.0
 * @category constants
 */
export const emptied: Law = make(
  "emptied",
  (format) => isMerged(format) && !format.isBilingual,
  lawFaults.emptied
)

/**
 * All laws.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Law> = [identity, refusal, memory, update, merge, mergeTwice, emptied]
