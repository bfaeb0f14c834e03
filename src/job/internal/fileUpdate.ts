/** Updates of target files. */
import * as Chunk from "effect/Chunk"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Format from "../../format/Format.js"
import { concat } from "../../internal/bytes.js"
import { withBlanksOf } from "../../internal/texts.js"
import { hasSameLists } from "../../internal/unitLists.js"
import type * as Forecast from "../../stream/Forecast.js"
import * as Outcome from "../../stream/Outcome.js"
import type * as Translator from "../../stream/Translator.js"
import type * as FileTranslation from "../FileTranslation.js"
import * as Manifest from "./manifest.js"
import type { Telling } from "./observedOutcomes.js"
import * as partTranslation from "./partTranslation.js"
import { choicesOf } from "./partTranslation.js"
import * as limiting from "./pilotLimit.js"
import * as revision from "./revision.js"

/** What an update needs beside the options of the translation. */
export type Settings = Pick<
  FileTranslation.UpdateOptions,
  "failed" | "limit" | "manifest" | "partial" | "refresh" | "removed" | "target" | "targetFile"
>

/** An update: how its texts are translated, and what else it needs. */
export interface Updating {
  readonly settings: Settings
  readonly options: FileTranslation.Options
}

/** The options of an update in their two parts. */
export const separate = ({
  failed,
  limit,
  manifest,
  partial,
  refresh,
  removed,
  target,
  targetFile,
  ...options
}: FileTranslation.UpdateOptions): Updating => ({
  settings: { failed, limit, manifest, partial, refresh, removed, target, targetFile },
  options
})

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
  {
    options,
    settings
  }: {
    readonly options: partTranslation.Decoding & Pick<FileTranslation.Options, "format">
    readonly settings: Pick<Settings, "manifest" | "target" | "targetFile">
  }
) =>
  Effect.gen(function* () {
    const { manifest = Manifest.empty, target, targetFile } = settings
    const { format } = options
    const languages = partTranslation.decodeOptions(options)
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
    return {
      languages,
      ofSource,
      ofTarget,
      isMerged,
      fail,
      decode: (bytes: Uint8Array) => decode(bytes, keys)
    }
  })

/** What is known of both files, and how a file is read. */
const prepare = <E, R>(source: Stream.Stream<Uint8Array, E, R>, updating: Updating) =>
  Effect.gen(function* () {
    const { options, settings } = updating
    const { manifest = Manifest.empty, refresh = false, removed = "keep", target } = settings
    const { format } = options
    const { decode, fail, isMerged, languages, ofSource, ofTarget } = yield* read(source, updating)
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
            Effect.flatMap(decode)
          )
    const choices = yield* choicesOf(options)
    const plan = yield* planned(
      { choices, format, isMerged, manifest, merged, source: ofSource, target: ofTarget },
      options,
      refresh
    )
    return { plan, ofTarget, decode }
  })

/** What is to be done, with the corrections that the store has. */
const planned = (
  known: revision.Known,
  { sourceLang, store, targetLang }: FileTranslation.Options,
  refresh: boolean
) =>
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
const failedText = ({
  options: { format },
  settings: { failed }
}: Updating): FileTranslation.FileOptions["failedText"] =>
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

/** Updates a target file. A job may halt that, and wants to know of each unit. */
export const update = <E, R, E2, R2, H = never>(
  source: Stream.Stream<Uint8Array, E, R>,
  updating: Updating,
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
): Effect.Effect<
  FileTranslation.Update<E2 | H>,
  E | E2 | H | FileTranslation.FileError,
  R | R2 | Translator.Translator
> =>
  Effect.gen(function* () {
    const { decode, ofTarget, plan } = yield* prepare(source, updating)
    const { options, settings } = updating
    const limit = limiting.make(settings.limit)
    const parts = plan.parts.map(limit.limit)
    const telling = { failedText: failedText(updating), textsOf: plan.textsOf }
    const outcomes: Array<FileTranslation.PartOutcome> = []
    const given = { ...options, failedText: telling.failedText }
    const ended = yield* partTranslation.translate(Stream.fromIterable(parts), given, halted).pipe(
      Stream.runForEachChunk((chunk) => {
        const found = Chunk.toReadonlyArray(chunk)
        outcomes.push(...found)
        return onOutcomes(found, telling)
      }),
      Effect.either
    )
    if (Either.isLeft(ended) && settings.partial !== true) return yield* Effect.fail(ended.left)
    // After an error, outcomes before others may be missing.
    const bySource = new Map(outcomes.map((outcome) => [outcome.source, outcome.value]))
    const written = parts.map((part) => bySource.get(part) ?? leave(part))
    const bytes = yield* bytesOf(written)
    const { target } = settings
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
      isWhole: Either.isRight(ended) && !limit.isCut(),
      error: Either.isLeft(ended) ? ended.left : undefined
    }
  })

/** What an update takes. Nothing is sent. */
export const forecast = <E, R>(
  source: Stream.Stream<Uint8Array, E, R>,
  updating: Updating
): Effect.Effect<Forecast.Forecast, E | FileTranslation.FileError, R | Translator.Translator> =>
  Effect.flatMap(prepare(source, updating), ({ plan }) =>
    partTranslation.forecast(
      Stream.fromIterable(plan.parts.map(limiting.make(updating.settings.limit).limit)),
      updating.options
    )
  )
