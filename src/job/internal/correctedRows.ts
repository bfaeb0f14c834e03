/** The outputs of rows that a person may have corrected: read before they are made anew. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { DecodeOptions, Format, FormatError, Part } from "../../format/Format.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import * as Address from "../../storage/Address.js"
import { none } from "../../store/TranslationStore.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import { OutputAltered, type ReadError, SourceUnreadable } from "../FileSourceError.js"
import type { JudgedPart } from "./fileOptions.js"
import type * as fileReading from "./fileReading.js"
import { pairsOf } from "./findings.js"
import * as keptTexts from "./keptTexts.js"
import * as outputs from "./outputFiles.js"
import * as rowCorrections from "./rowCorrections.js"

/** The file, its output, and what they are compared with. */
export interface Given<R> {
  readonly output: outputs.Output
  readonly source: Pick<fileReading.FileOptions, "existing" | "path">
  readonly format: Format
  readonly options: TranslateStream.Options
  readonly digest: Effect.Effect<string, ReadError, R>
  readonly isStoring: boolean
  /** True if the machine's texts in the output are those that it would get: policies judge them. */
  readonly isAsMade: boolean
  /** The parts of both, with an `id` of this kind. */
  readonly parts: (identity?: "key" | "others") => {
    readonly source: Stream.Stream<Part, ReadError | FormatError, R>
    readonly output: Stream.Stream<Part, OutputAltered | ReadError | FormatError, R>
    /** True if the output has the texts of the source beside their translations. */
    readonly isBilingual: boolean
  }
}

/** A person's texts, and the machine's beside them, for policies. A clone may have no store that knows those. */
const judged = <R>({ output, parts }: Given<R>, corrected: keptTexts.Corrected | undefined) =>
  Effect.map(Effect.context<R>(), (context): keptTexts.Corrected => {
    const { isBilingual, output: written } = parts()
    const texts = written.pipe(
      Stream.mapError(({ message }) => new SourceUnreadable({ path: output.name, reason: message })),
      Stream.provideContext(context)
    )
    return {
      onlyHere: [],
      stale: [],
      ...corrected,
      into: (parts) =>
        keptTexts.intoParts(corrected)(
          Stream.zipWith(
            parts,
            texts,
            (part, target): JudgedPart => ({
              ...part,
              judged: pairsOf(isBilingual, part, target).map(({ translation }) => translation)
            })
          )
        )
    }
  })

/**
 * Finds texts of an output that stay, or are judged: a person's in one that is not as it was written, or that has texts which are in no
 * store; and the machine's for policies that somebody has named.
 */
export const find = <R>(given: Given<R>) =>
  Effect.flatMap(findCorrected(given), (corrected) =>
    given.isAsMade && StreamOptions.treating(given.options) !== undefined
      ? judged(given, corrected)
      : Effect.succeed(corrected)
  )

const findCorrected = <R>(given: Given<R>) =>
  Effect.gen(function* () {
    const { digest, format, isStoring, options, output, source } = given
    const file = Address.shown(source.path)
    const { rows } = format
    if (rows === undefined || source.existing === "overwrite" || output.existing === undefined)
      return undefined
    const { state } = output
    const isAsWritten = (yield* output.hash) === state?.written
    const isSourceUnchanged = state?.made !== undefined && state.made.source === (yield* digest)
    const isOfStore = isAsWritten && state?.onlyHere === undefined
    if (isOfStore) {
      const corrections = yield* options.store?.correctionsRevision(options.targetLang) ?? Effect.void
      if (isSourceUnchanged || corrections === undefined) return undefined
    }
    const all = yield* rowCorrections
      .find({
        rows,
        ...given.parts(rows.key.length > 0 ? "key" : "others"),
        sourceName: file,
        outputName: output.name,
        store: options.store ?? none,
        languages: options,
        isSourceUnchanged,
        isAsWritten,
        onlyHere: state?.onlyHere ?? [],
        isStoring
      })
      .pipe(
        Effect.mapError((error) =>
          error._tag === "BadArgument" || error._tag === "SystemError"
            ? outputs.unusable(output.name)(error)
            : error
        ),
        // An estimate asks no store: it tells what the output costs anew. What the store has is not lost.
        Effect.catchIf(
          (error) => error._tag === "OutputAltered" && (isOfStore || (!isStoring && error.why === "store")),
          () => Effect.succeed(undefined)
        )
      )
    if (all === undefined) return undefined
    const { kept, ...found } = all
    return {
      ...found,
      into: (parts) =>
        keptTexts.into(
          Stream.mapError(
            kept,
            (error) => new SourceUnreadable({ path: file, reason: reasonWithCode(error) })
          )
        )(parts)
    } satisfies keptTexts.Corrected
  })

/** The parts of a file that streams, and of its output. */
export const streamed =
  <R>(
    format: Format,
    languages: DecodeOptions,
    bytes: Readonly<Record<"source" | "output", Stream.Stream<Uint8Array, ReadError, R>>>,
    outputName: string
  ) =>
  (identity?: "key" | "others") => {
    const own = format.isBilingual ? languages : { ...languages, sourceLang: languages.targetLang }
    // An output that is not of the format was not written here.
    const altered = (error: ReadError | FormatError) =>
      error._tag === "FormatError" ? new OutputAltered({ output: outputName, meanwhile: false }) : error
    return {
      source: format.decode({ ...languages, identity })(bytes.source),
      output: Stream.mapError(format.decode({ ...own, file: outputName, identity })(bytes.output), altered),
      isBilingual: format.isBilingual
    }
  }
