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

/**
 * The names of the laws.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Name = Schema.Literal("identity", "refusal", "memory", "update", "merge", "mergeTwice")

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
 * The message says what differs and where. It never holds a text of the file; a key it may hold.
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
 * The sample that a law is checked with.
 *
 * @since 0.1.0
 * @category models
 */
export interface Sample {
  /** The bytes of a file of the format. Those of `refusal` may be damaged. */
  readonly document: Uint8Array
  /** Where the bytes are cut into the pieces that arrive, as offsets. @default nowhere */
  readonly cuts?: ReadonlyArray<number> | undefined
  /** A translation of some version of the document, to be merged with it. @default the document as `translate` translates it */
  readonly target?: Uint8Array | undefined
  /** The text that a person writes for a unit. @default the text between two marks */
  readonly translate?: ((unit: Format.Unit) => string) | undefined
  /** The language of `target`, and of what `translate` writes. @default "de" */
  readonly targetLang?: string | undefined
  /** The language of the document. @default "en" */
  readonly sourceLang?: string | undefined
  /** The most bytes that may be read and not handed on as parts, beside the last piece. @default 65536 */
  readonly readAhead?: number | undefined
}

/**
 * A law: it fails with what breaks it, or with the refusal of a document that it cannot be asked of.
 *
 * @since 0.1.0
 * @category models
 */
export interface Law {
  readonly name: Name
  /** Says by the fields of a format whether the law is asked of it. */
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
 * The parts of a file are the file, byte for byte, and its units are the same, however its bytes are cut. No two units have the same key, and a
 * part of which no unit is translated stays.
 *
 * @since 0.1.0
 * @category constants
 */
export const identity: Law = make("identity", isDecoded, lawFaults.identity)

/**
 * A file that is refused is refused with its name and a place in it: a line, a column, a key, or the choice that is at fault. The refusal is
 * the same, however the bytes are cut.
 *
 * @since 0.1.0
 * @category constants
 */
export const refusal: Law = make("refusal", isDecoded, lawFaults.refusal)

/**
 * A format refuses a file that is larger than `maxBytes`, or holds no more than `readAhead` bytes of it: only a larger document can show
 * that. It says nothing of what a format makes of the bytes that it holds.
 *
 * @since 0.1.0
 * @category constants
 */
export const memory: Law = make("memory", isDecoded, lawFaults.memory)

/**
 * The texts that a person has written into a file are found there by the keys of its source, and are the same when they are written again. In
 * formats that merge, they stay if others are translated.
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
 * A merged file has all units of its source where they belong, with the texts of the target, or of the source where the target has none. Units
 * that the source does not have stay or go, as is asked.
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
 * All laws.
 *
 * @since 0.1.0
 * @category constants
 */
export const all: ReadonlyArray<Law> = [identity, refusal, memory, update, merge, mergeTwice]
