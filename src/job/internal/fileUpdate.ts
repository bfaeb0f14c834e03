/**
 * Translates what is missing in an existing target file, or has changed in its source since. What a person has written there
 * stays, and so do order, comments and formatting of the target.
 *
 * @since 0.1.0
 */
import * as Chunk from "effect/Chunk"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Format from "../format/Format.js"
import { concat } from "../internal/bytes.js"
import { withBlanksOf } from "../internal/texts.js"
import type * as Forecast from "../stream/Forecast.js"
import * as Outcome from "../stream/Outcome.js"
import type * as Translator from "../stream/Translator.js"
import * as FileTranslation from "./FileTranslation.js"
import * as limiting from "./internal/limiting.js"
import type { Telling } from "./internal/observing.js"
import { hasSameLists } from "./internal/origins.js"
import * as revision from "./internal/revision.js"
import type { StaleUnit } from "./JobSource.js"
import * as TranslationManifest from "./TranslationManifest.js"

/**
 * What an update needs beside the options of a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<FileTranslation.Options, "units"> {
  /**
   * The target file as it is. For a file that holds source and translations side by side, and is its own target, none.
   * @default none: everything is translated
   */
  readonly target?: Uint8Array | undefined
  /** What the last update has returned. @default none: all that the target holds counts as a person's */
  readonly manifest?: TranslationManifest.TranslationManifest | undefined
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
  readonly manifest: TranslationManifest.TranslationManifest
  readonly tally: Outcome.Tally
  /** What became of each part in which something was to be translated. */
  readonly outcomes: ReadonlyArray<FileTranslation.PartOutcome>
  /** Units whose source has changed since a person wrote their translation, which was left as it is. */
  readonly stale: ReadonlyArray<StaleUnit>
  /** Keys of the target that the source does not have any more. */
  readonly removed: ReadonlyArray<string>
  /** Whether all units were translated that had to be, or have failed: no limit and no error was in the way. */
  readonly isWhole: boolean
  /** What has ended the translation, where `partial` asks for what there is by then. */
  readonly error: Outcome.StreamError | E | undefined
}

const collect = <A, E, R>(self: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(self), Chunk.toReadonlyArray)

const textOf = (parts: ReadonlyArray<Format.Part>): string => parts.map(({ raw }) => raw).join("")

const bytesOf = (parts: ReadonlyArray<Format.Part>): Effect.Effect<Uint8Array> =>
  Effect.map(collect(Format.encode(Stream.fromIterable(parts))), concat)

const keysOf = (parts: ReadonlyArray<Format.Part>): ReadonlySet<string> =>
  new Set(parts.flatMap(({ units }) => units.map(({ key }) => key)))

/** Where keys are places, only files of the same length say which unit is which. Some of the target may be blank. */
const sameKeys = (
  source: ReadonlySet<string>,
  target: ReadonlySet<string>
): Either.Either<void, Format.Problem> =>
  target.size === 0 ||
  (target.has(Array.from(source).at(-1) ?? "") && Array.from(target).every((key) => source.has(key)))
    ? Either.void
    : Either.left({
        message: `it has ${target.size} units and its source ${source.size}, and there is no manifest that says which is which: make both equal, or translate the file without this target.`
      })

/** What is known of both files, and how a file is read. */
const prepare = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  { manifest = TranslationManifest.empty, removed = "keep", target, targetFile, ...options }: Options
) =>
  Effect.gen(function* () {
    const { format } = options
    const languages = FileTranslation.decodeOptions(options)
    const ofSource = yield* collect(format.decode(languages)(source))
    // In a file of the target language, the plural forms are those of that language.
    const file = targetFile ?? (options.file === undefined ? "target" : `${options.file} (target)`)
    const own: Format.DecodeOptions = format.isBilingual
      ? { ...languages, file }
      : { ...languages, sourceLang: languages.targetLang, file }
    const decode = (bytes: Uint8Array, keys: ReadonlySet<string>) =>
      collect(format.decode({ ...own, keys })(Stream.succeed(bytes)))
    const keys = keysOf(ofSource)
    const known = manifest.units.size === 0 ? keys : new Set(manifest.units.keys())
    const ofTarget = target === undefined ? [] : yield* decode(target, known)
    const fail = (problem: Format.Problem) => Format.formatError(format.name, file, problem)

    const isMerged =
      format.merge !== undefined && hasSameLists(format.listOf ?? (() => undefined), keys, keysOf(ofTarget))
    if (target !== undefined && !isMerged && !format.isBilingual && manifest.units.size === 0) {
      yield* Effect.mapError(sameKeys(keys, keysOf(ofTarget)), fail)
    }
    const merged =
      target === undefined || !isMerged
        ? ofSource
        : yield* format.merge!(textOf(ofSource), textOf(ofTarget), { ...languages, removed }).pipe(
            // The encoding of the target may lack characters of the source.
            Either.flatMap((raw) =>
              Format.write(
                { raw: "", units: [], encoding: ofTarget[0]?.encoding, write: () => Either.right(raw) },
                []
              )
            ),
            Either.mapLeft(fail),
            Effect.flatMap((part) => bytesOf([part])),
            Effect.flatMap((merged) => decode(merged, keys))
          )
    const plan = yield* planned(
      { format, isMerged, manifest, merged, source: ofSource, target: ofTarget },
      options
    )
    return { plan, ofTarget, decode: (bytes: Uint8Array) => decode(bytes, keys) }
  })

/** What is to be done, with the corrections that the store has. */
const planned = (known: revision.Known, { refresh = false, sourceLang, store, targetLang }: Options) =>
  Effect.gen(function* () {
    const texts = store === undefined ? [] : Array.from(revision.correctable(known))
    const found = texts.length === 0 ? [] : yield* store!.corrected(texts, { sourceLang, targetLang })
    const corrections = new Map<string, string>()
    texts.forEach((text, index) => {
      const correction = found[index]
      if (correction !== undefined) corrections.set(text, withBlanksOf(text, correction))
    })
    return revision.plan(known, { refresh, corrections })
  })

/** What is written for a unit that failed. What the target holds of it is in the part already. */
const failedText = ({ failed, format }: Options): FileTranslation.FileOptions["failedText"] =>
  failed === "empty" ? () => "" : failed === "source" && !format.isBilingual ? ({ text }) => text : undefined

/** A part of which nothing was translated, as it is written. */
const leave = (part: Format.Part): Format.Part =>
  Either.getOrElse(
    Format.write(
      part,
      part.units.map(() => undefined)
    ),
    () => part
  )

/** The options of the translation alone. */
const streamOptions = ({
  failed: _failed,
  limit: _limit,
  manifest: _manifest,
  partial: _partial,
  refresh: _refresh,
  removed: _removed,
  target: _target,
  targetFile: _targetFile,
  ...options
}: Options): FileTranslation.Options => options

/**
 * Updates a target file from its source.
 *
 * A unit is translated if the target does not have it, if only the source's text stands there because its translation failed, or
 * if the source has changed since the machine translated it. A translation that a person has written or corrected is never
 * written over, which is known by the hashes of the manifest: if its source changes, it is reported as stale until the person has
 * changed it.
 *
 * A correction of the source in the `store` takes the place of what the machine has written, and of a stale translation. What a person
 * has written in the target since the last update stays.
 *
 * Formats without `merge` are written anew from the source, and so are files whose lists have other items than those of the source:
 * their units are known by the texts that they were translated from, as the manifest says. Without a manifest, source and target
 * must have the same units.
 *
 * Source and target are read as a whole. Fails with a `FormatError` where one of them is not of the format, and as
 * `TranslateStream.translate` does; then nothing was written.
 *
 * @since 0.1.0
 * @category combinators
 */
export const update = <E, R, E2 = never, R2 = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  { onOutcome, ...options }: Options & FileTranslation.Observed<E2, R2>
): Effect.Effect<Update<E2>, E | E2 | FileTranslation.FileError, R | R2 | Translator.Translator> =>
  updateUntil<E, R, E2, R2>(source, options, {
    onOutcomes: (outcomes) =>
      onOutcome === undefined ? Effect.void : Effect.forEach(outcomes, onOutcome, { discard: true })
  })

/**
 * An update for a job, which may halt it and wants to know of each unit.
 *
 * @internal
 */
export const updateUntil = <E, R, E2, R2, H = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: Options,
  {
    halted,
    onOutcomes
  }: {
    readonly halted?: Deferred.Deferred<never, H> | undefined
    readonly onOutcomes: (
      outcomes: ReadonlyArray<FileTranslation.PartOutcome>,
      telling: Pick<Telling, "failedText" | "textsOf">
    ) => Effect.Effect<unknown, E2, R2>
  }
): Effect.Effect<Update<E2 | H>, E | E2 | H | FileTranslation.FileError, R | R2 | Translator.Translator> =>
  Effect.gen(function* () {
    const { decode, ofTarget, plan } = yield* prepare(source, options)
    const limit = limiting.make(options.limit)
    const parts = plan.parts.map(limit.limit)
    const telling = { failedText: failedText(options), textsOf: plan.textsOf }
    const outcomes: Array<FileTranslation.PartOutcome> = []
    const given = { ...streamOptions(options), failedText: telling.failedText }
    const ended = yield* FileTranslation.translateUntil(Stream.fromIterable(parts), given, halted).pipe(
      Stream.runForEachChunk((chunk) => {
        const found = Chunk.toReadonlyArray(chunk)
        outcomes.push(...found)
        return onOutcomes(found, telling)
      }),
      Effect.either
    )
    if (Either.isLeft(ended) && options.partial !== true) return yield* Effect.fail(ended.left)
    // After an error, outcomes before others may be missing.
    const bySource = new Map(outcomes.map((outcome) => [outcome.source, outcome.value]))
    const written = parts.map((part) => bySource.get(part) ?? leave(part))
    const bytes = yield* bytesOf(written)
    const { target } = options
    const isSame = target !== undefined && textOf(written) === textOf(ofTarget)
    return {
      bytes: isSame ? target : bytes,
      manifest: plan.next(isSame ? ofTarget : yield* decode(bytes), outcomes),
      tally: outcomes.reduce(Outcome.add, Outcome.zero),
      outcomes: outcomes.filter(({ _tag }) => _tag !== "Skipped"),
      stale: plan.stale,
      removed: plan.removed,
      isWhole: Either.isRight(ended) && !limit.isCut(),
      error: Either.isLeft(ended) ? ended.left : undefined
    }
  })

/**
 * What an update takes: units that the target has already count as skipped. Nothing is sent.
 *
 * @since 0.1.0
 * @category combinators
 */
export const forecast = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: Options
): Effect.Effect<Forecast.Forecast, E | FileTranslation.FileError, R | Translator.Translator> =>
  Effect.flatMap(prepare(source, options), ({ plan }) =>
    FileTranslation.forecastParts(
      Stream.fromIterable(plan.parts.map(limiting.make(options.limit).limit)),
      streamOptions(options)
    )
  )
