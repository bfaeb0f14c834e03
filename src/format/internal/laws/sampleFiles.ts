/** The files of a sample: how they are read, translated and merged. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { concat } from "../../../internal/bytes.js"
import { hasSameLists } from "../../../internal/unitLists.js"
import * as Format from "../../Format.js"
import * as charset from "../charset.js"

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
  /** The language of `target`, and of the translations by `translate`. @default "de" */
  readonly targetLang?: string | undefined
  /** The language of the document. @default "en" */
  readonly sourceLang?: string | undefined
  /** The most bytes that may be read and not handed on as parts, beside the last piece. @default 65536 */
  readonly readAhead?: number | undefined
}

const piecesOf = (bytes: Uint8Array, cuts: ReadonlyArray<number> = []): ReadonlyArray<Uint8Array> => {
  const ends = [...new Set([...cuts, bytes.length])].filter((cut) => cut > 0 && cut <= bytes.length)
  return ends
    .sort((one, other) => one - other)
    .map((end, index, sorted) => bytes.subarray(sorted[index - 1] ?? 0, end))
}

export const arriving = (bytes: Uint8Array, cuts?: ReadonlyArray<number>): Stream.Stream<Uint8Array> =>
  Stream.rechunk(Stream.fromIterable(piecesOf(bytes, cuts)), 1)

const collect = <A, E>(stream: Stream.Stream<A, E>): Effect.Effect<ReadonlyArray<A>, E> =>
  Effect.map(Stream.runCollect(stream), Chunk.toReadonlyArray)

export const bytesOf = (parts: ReadonlyArray<Format.Part>): Uint8Array =>
  concat(parts.map(({ encoding = "utf-8", raw }) => charset.encode(raw, encoding)))

const textOf = (parts: ReadonlyArray<Format.Part>): string => parts.map(({ raw }) => raw).join("")

export const unitsOf = (parts: ReadonlyArray<Format.Part>): ReadonlyArray<Format.Unit> =>
  parts.flatMap(({ units }) => units)

export const byKey = (units: ReadonlyArray<Format.Unit>): ReadonlyMap<string, Format.Unit> =>
  new Map(units.map((unit) => [unit.key, unit]))

/** The files of a sample are named in refusals. */
export const file = "document"

export const languagesOf = ({ sourceLang = "en", targetLang = "de" }: Sample): Format.DecodeOptions => ({
  file,
  sourceLang,
  targetLang
})

export const decodeSource = (format: Format.Format, sample: Sample, cuts?: ReadonlyArray<number>) =>
  collect(format.decode(languagesOf(sample))(arriving(sample.document, cuts)))

/** A file that has been translated is in the target language, unless it holds both. */
export const decodeTarget = (
  format: Format.Format,
  sample: Sample,
  bytes: Uint8Array,
  keys: ReadonlyArray<string>
) => {
  const languages = languagesOf(sample)
  const sourceLang = format.isBilingual ? languages.sourceLang : languages.targetLang
  return collect(format.decode({ ...languages, sourceLang, keys: new Set(keys) })(arriving(bytes)))
}

/** The text of a unit in the target language. */
export const heldBy = (format: Format.Format, unit: Format.Unit | undefined): string | undefined =>
  format.isBilingual ? unit?.translation : unit?.text

export type Translate = (unit: Format.Unit) => string | undefined

/** The parts with translations of their units by a function. */
export const written = (
  format: Format.Format,
  parts: ReadonlyArray<Format.Part>,
  translate: Translate
): Effect.Effect<ReadonlyArray<Format.Part>, Format.FormatError> =>
  Effect.mapError(
    Effect.forEach(parts, (part) => Format.write(part, part.units.map(translate))),
    (problem) => Format.formatError(format.name, file, problem)
  )

export const marked = ({ text }: Pick<Format.Unit, "text">): string => `\u00ab${text}\u00bb`

/** The document as a person has translated it. */
export const translated = (format: Format.Format, sample: Sample, parts: ReadonlyArray<Format.Part>) =>
  Effect.map(written(format, parts, sample.translate ?? marked), bytesOf)

/** A source and a target that a format merges. */
export interface Merging {
  readonly source: ReadonlyArray<Format.Unit>
  readonly target: ReadonlyArray<Format.Unit>
  /** The text of the target, or of the merged file, with the source's additions. */
  readonly merge: (
    removed: Removed,
    target?: string,
    source?: string
  ) => Either.Either<string, Format.FormatError>
  /** The text of a file in which some units are blank. */
  readonly emptied: (
    file: "source" | "target",
    isEmptied: (unit: Format.Unit) => boolean
  ) => Effect.Effect<string, Format.FormatError>
  readonly unitsIn: (text: string) => Effect.Effect<ReadonlyArray<Format.Unit>, Format.FormatError>
}

export type Removed = Format.MergeOptions["removed"]

/** The files of a sample that are merged; nothing where jobs write such a target anew. */
export const merging = (
  format: Format.Format,
  sample: Sample
): Effect.Effect<Merging | undefined, Format.FormatError> =>
  Effect.gen(function* () {
    const { sourceLang, targetLang } = languagesOf(sample)
    const ofSource = yield* decodeSource(format, sample)
    const source = unitsOf(ofSource)
    const keys = source.map(({ key }) => key)
    const decode = (bytes: Uint8Array) => decodeTarget(format, sample, bytes, keys)
    const ofTarget = yield* decode(sample.target ?? (yield* translated(format, sample, ofSource)))
    const target = unitsOf(ofTarget)
    const { merge } = format
    const isAnew = !hasSameLists(format.listOf ?? (() => undefined), keys, byKey(target).keys())
    if (merge === undefined || isAnew) return undefined
    const text = textOf(ofSource)
    const encoding = ofTarget[0]?.encoding ?? "utf-8"
    return {
      source,
      target,
      merge: (removed, into = textOf(ofTarget), from = text) =>
        merge(from, into, { sourceLang, targetLang, removed }).pipe(
          Either.flatMap((merged) => charset.check(merged, encoding)),
          Either.mapLeft((problem) => Format.formatError(format.name, file, problem))
        ),
      emptied: (file, isEmptied) =>
        Effect.map(
          written(format, file === "source" ? ofSource : ofTarget, (unit) =>
            isEmptied(unit) ? "" : undefined
          ),
          textOf
        ),
      unitsIn: (merged) => Effect.map(decode(charset.encode(merged, encoding)), unitsOf)
    }
  })
