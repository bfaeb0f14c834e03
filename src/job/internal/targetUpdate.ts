/** Updates of target files. */
import * as Chunk from "effect/Chunk"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import * as Format from "../../format/Format.js"
import { concat } from "../../internal/bytes.js"
import { withWhitespaceOf } from "../../internal/texts.js"
import { hasSameLists } from "../../internal/unitLists.js"
import type * as Forecast from "../../stream/Forecast.js"
import * as Outcome from "../../stream/Outcome.js"
import type { SharedForecast, SharedRequests } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import * as Manifest from "./manifest.js"
import type { Telling } from "./observedOutcomes.js"
import { choicesOf, decodeOptions, ofWhole, passes } from "./partOptions.js"
import { forecast as forecastParts, limiting, translate } from "./partStream.js"
import * as updatePlan from "./updatePlan.js"

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

/** Both files. */
export const read = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: FileTranslation.Options & Pick<FileTranslation.UpdateOptions, "manifest" | "target" | "targetFile">
) =>
  Effect.gen(function* () {
    const { format, manifest = Manifest.empty, target, targetFile } = options
    const languages = decodeOptions(options)
    const ofSource = yield* collect(source.pipe(format.decode(languages), ofWhole(options)))
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

    const merge = (target: ReadonlyArray<Format.Part>, removed: Format.MergeOptions["removed"]) =>
      format.merge!(textOf(ofSource), textOf(target), { ...languages, removed }).pipe(
        // The encoding of the target may lack characters of the source.
        Either.flatMap((raw) =>
          Format.write(
            { raw: "", units: [], encoding: ofTarget[0]?.encoding, write: () => Either.right(raw) },
            []
          )
        ),
        Either.mapLeft(fail),
        Effect.flatMap((part) => bytesOf([part])),
        Effect.flatMap((bytes) => decode(bytes, keys))
      )
    const inTarget = keysOf(ofTarget)
    const gone = Array.from(inTarget).filter((key) => !keys.has(key) && manifest.units.has(key))
    const textless =
      format.merge === undefined || gone.length === 0
        ? new Set<string>()
        : yield* merge(ofTarget, "drop").pipe(
            Effect.map(keysOf),
            Effect.map((left) => new Set(gone.filter((key) => left.has(key)))),
            Effect.orElseSucceed(() => new Set<string>())
          )
    const items = Array.from(inTarget).filter((key) => !textless.has(key))
    const isMerged =
      format.merge !== undefined && hasSameLists(format.listOf ?? (() => undefined), keys, items)
    if (target !== undefined && !isMerged && !format.isBilingual && manifest.units.size === 0) {
      yield* Effect.mapError(sameKeys(keys, keysOf(ofTarget)), fail)
    }
    return {
      languages,
      ofSource,
      ofTarget,
      isMerged,
      passes: passes(options, ofSource),
      /** Units that are not in the source, and stay where such are dropped: their entries are there, and hold no text. */
      textless,
      merge,
      decode: (bytes: Uint8Array) => decode(bytes, keys)
    }
  })

/** A target without the texts of some units, so that it gets those of the source in their place. */
const emptied = (
  parts: ReadonlyArray<Format.Part>,
  isLeft: (unit: Format.Unit) => boolean
): ReadonlyArray<Format.Part> =>
  parts.map((part) =>
    part.units.every(isLeft)
      ? part
      : Either.getOrElse(
          Format.write(
            part,
            part.units.map((unit) => (isLeft(unit) ? undefined : ""))
          ),
          () => part
        )
  )

/** Reads both files, and makes the functions for the format. */
const prepare = <E, R>(source: Stream.Stream<Uint8Array, E, R>, options: FileTranslation.UpdateOptions) =>
  Effect.gen(function* () {
    const { format, manifest = Manifest.empty, refresh = false, removed = "keep", target } = options
    const { decode, isMerged, merge, ofSource, ofTarget, passes, textless } = yield* read(source, options)
    const isLeft = ({ key, text, translation }: Format.Unit) =>
      !textless.has(key) || !updatePlan.isOfNobody(manifest, key, format.isBilingual ? translation : text)
    const merged =
      target === undefined || !isMerged ? ofSource : yield* merge(emptied(ofTarget, isLeft), removed)
    const inMerged = keysOf(merged)
    const isLost = (key: string) => manifest.units.has(key) && !inMerged.has(key)
    const lost =
      isMerged && removed === "keep" && !format.isBilingual ? [...keysOf(ofTarget)].filter(isLost) : []
    const choices = yield* choicesOf(options)
    const plan = yield* planned(
      {
        choices,
        format,
        isMerged,
        manifest,
        merged,
        passes,
        source: ofSource,
        target: ofTarget,
        textless: new Set([...textless, ...lost])
      },
      options.options,
      refresh
    )
    return { plan, ofTarget, decode, selection: ofSource.find(({ selection }) => selection)?.selection }
  })

/** The plan, with the corrections of the store. */
const planned = (
  known: updatePlan.Known,
  { sourceLang, store, targetLang }: FileTranslation.Options["options"],
  refresh: boolean
) =>
  Effect.gen(function* () {
    const texts = store === undefined ? [] : Array.from(updatePlan.correctable(known))
    const found = texts.length === 0 ? [] : yield* store!.corrected(texts, { sourceLang, targetLang })
    const corrections = new Map<string, string>()
    texts.forEach((text, index) => {
      const correction = found[index]
      if (correction !== undefined) corrections.set(text, withWhitespaceOf(text, correction))
    })
    return updatePlan.plan(known, { refresh, corrections })
  })

/** A part of which nothing was translated, as it is written. */
const leave = (part: Format.Part): Format.Part =>
  Either.getOrElse(
    Format.write(
      part,
      part.units.map(() => undefined)
    ),
    () => part
  )

/** Updates a target file. A job may halt that, and wants to know of each unit. */
export const update = <E, R, E2, R2, H = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: FileTranslation.UpdateOptions,
  {
    halted,
    shared,
    onOutcomes
  }: {
    readonly halted?: Deferred.Deferred<never, H> | undefined
    readonly shared?: SharedRequests<H> | undefined
    readonly onOutcomes: (
      outcomes: ReadonlyArray<FileTranslation.PartOutcome>,
      textsOf: Telling["textsOf"]
    ) => Effect.Effect<unknown, E2, R2>
  }
): Effect.Effect<
  FileTranslation.Update<E2 | H>,
  E | E2 | H | FileTranslation.FileError,
  R | R2 | Translator.Translator
> =>
  Effect.gen(function* () {
    const { decode, ofTarget, plan, selection } = yield* prepare(source, options)
    const limit = limiting(options.limit)
    const parts = plan.parts.map(limit.limit)
    const outcomes: Array<FileTranslation.PartOutcome> = []
    const ended = yield* translate(Stream.fromIterable(parts), options, { halted, shared }).pipe(
      Stream.runForEachChunk((chunk) => {
        const found = Chunk.toReadonlyArray(chunk)
        outcomes.push(...found)
        return onOutcomes(found, plan.textsOf)
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
    const manifest = plan.next(isSame ? ofTarget : yield* decode(bytes), outcomes)
    return {
      bytes: isSame ? target : bytes,
      manifest,
      byPersons: plan.byPersons(manifest),
      tally: outcomes.reduce(Outcome.add, Outcome.zero),
      outcomes: outcomes.filter(({ _tag }) => _tag !== "Skipped"),
      stale: plan.stale,
      removed: plan.removed,
      selection,
      isWhole: Either.isRight(ended) && !limit.isCut(),
      error: Either.isLeft(ended) ? ended.left : undefined
    }
  })

/** Forecasts an update. Nothing is sent. */
export const forecast = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  options: FileTranslation.UpdateOptions,
  shared?: SharedForecast | undefined
): Effect.Effect<Forecast.Forecast, E | FileTranslation.FileError, R | Translator.Translator> =>
  Effect.flatMap(prepare(source, options), ({ plan }) =>
    forecastParts(Stream.fromIterable(plan.parts.map(limiting(options.limit).limit)), options, shared)
  )
