/** Updates of target files. */
import * as Chunk from "effect/Chunk"
import * as DateTime from "effect/DateTime"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import * as Format from "../../format/Format.js"
import { concat } from "../../internal/bytes.js"
import { withWhitespaceOf } from "../../internal/texts.js"
import { hasSameLists } from "../../internal/unitLists.js"
import * as Outcome from "../../stream/Outcome.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type { SharedForecast, SharedRequests, SourceForecast, StaleUnit } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import type { Telling } from "./observedOutcomes.js"
import { forecast as forecastParts } from "./partForecast.js"
import { choicesOf, decodeOptions, isMarking, ofWhole, passes, streamOptions } from "./partOptions.js"
import { limiting, translate } from "./partStream.js"
import * as Record from "./record.js"
import * as targetLosses from "./targetLosses.js"
import * as unitMatching from "./unitMatching.js"
import * as unitStatus from "./unitStatus.js"
import * as updatePlan from "./updatePlan.js"

const collect = <A, E, R>(self: Stream.Stream<A, E, R>): Effect.Effect<ReadonlyArray<A>, E, R> =>
  Effect.map(Stream.runCollect(self), Chunk.toReadonlyArray)

const textOf = (parts: ReadonlyArray<Format.Part>): string => parts.map(({ raw }) => raw).join("")

const bytesOf = (parts: ReadonlyArray<Format.Part>): Effect.Effect<Uint8Array> =>
  Effect.map(collect(Format.encode(Stream.fromIterable(parts))), concat)

/** Where keys are places, only files of the same length say which unit is which. Some of the target may be blank. */
const sameKeys = (
  source: ReadonlySet<string>,
  target: ReadonlySet<string>
): Either.Either<void, Format.Problem> =>
  target.size === 0 ||
  (target.has(Array.from(source).at(-1) ?? "") && Array.from(target).every((key) => source.has(key)))
    ? Either.void
    : Either.left({
        message: `it has ${target.size} units and its source ${source.size}, and there is no record that says which is which: make both equal, or translate the file without this target.`
      })

/** The parts of an output, decoded by the keys with which most of its texts are those of its record. */
const firstFitting = <E, R>(
  { units }: Record.OutputRecord,
  places: ReadonlyArray<Iterable<string> | undefined>,
  decode: (keys: Iterable<string> | undefined) => Effect.Effect<ReadonlyArray<Format.Part>, E, R>
) =>
  Effect.gen(function* () {
    const known = new Set(Array.from(units.values()).flatMap((all) => all.map(({ target }) => target)))
    let best: { readonly parts: ReadonlyArray<Format.Part>; readonly others: number } | undefined
    for (const keys of places) {
      const parts = yield* decode(keys)
      const texts = parts.flatMap(({ units }) => units)
      const others = texts.filter(({ text }) => !known.has(Record.hashOf(text))).length
      if (best === undefined || others < best.others) best = { parts, others }
      if (others === 0 || known.size === 0) break
    }
    return best!.parts
  })

/** Options of reading both files. */
export type Reading = FileTranslation.Options &
  Pick<FileTranslation.UpdateOptions, "record" | "target" | "targetFile">

/** Both files. */
export const read = <E, R>(source: Stream.Stream<Uint8Array, E, R>, options: Reading) =>
  Effect.gen(function* () {
    const { format, record = Record.empty, target, targetFile } = options
    const languages = decodeOptions(options)
    const ofSource = yield* collect(source.pipe(format.decode(languages), ofWhole(options)))
    // In a file of the target language, the plural forms are those of that language.
    const file = targetFile ?? (options.file === undefined ? "target" : `${options.file} (target)`)
    const own: Format.DecodeOptions = format.isBilingual
      ? { ...languages, file }
      : { ...languages, sourceLang: languages.targetLang, file }
    const decode = (bytes: Uint8Array, keys: Iterable<string> | undefined) =>
      collect(format.decode({ ...own, keys: keys && new Set(keys) })(Stream.succeed(bytes)))
    const keys = unitMatching.keysOf(ofSource)
    const places = unitMatching.isAnew(format)
      ? [...(record.places === undefined ? [] : [record.places]), keys, undefined]
      : [keys]
    const ofTarget =
      target === undefined ? [] : yield* firstFitting(record, places, (keys) => decode(target, keys))
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
    const inTarget = unitMatching.keysOf(ofTarget)
    const gone = Array.from(inTarget).filter((key) => !keys.has(key))
    const textless =
      format.merge === undefined || gone.length === 0
        ? new Set<string>()
        : yield* merge(ofTarget, "drop").pipe(
            Effect.map(unitMatching.keysOf),
            Effect.map((kept) => new Set(gone.filter((key) => kept.has(key)))),
            Effect.orElseSucceed(() => new Set<string>())
          )
    const items = Array.from(inTarget).filter((key) => !textless.has(key))
    const isMerged =
      format.merge !== undefined && hasSameLists(format.listOf ?? (() => undefined), keys, items)
    if (target !== undefined && !isMerged && !format.isBilingual && record.units.size === 0) {
      yield* Effect.mapError(sameKeys(keys, unitMatching.keysOf(ofTarget)), fail)
    }
    const matched = { format, isMerged, record, source: ofSource, target: ofTarget }
    const known = {
      ...matched,
      matching: unitMatching.make(matched),
      passes: passes(options, ofSource),
      languages: options.options,
      found: new Map<string, Record.Entry>()
    }
    return {
      known,
      /** Units that are not in the source, and stay where such are dropped: their entries are there, and hold no text. */
      textless,
      merge,
      fail,
      decode: (bytes: Uint8Array) => decode(bytes, keys)
    }
  })

/**
 * The entries of texts of which the record does not tell, as far as the record of others and the store know them: the machine's translations,
 * also those of other sources that a tool has copied as fuzzy ones, and corrections.
 */
export const find = (
  known: unitStatus.Inspecting,
  { sourceLang, store, targetLang }: FileTranslation.Options["options"]
) =>
  Effect.gen(function* () {
    const texts = unitStatus.unrecorded(known)
    const found = new Map<string, Record.Entry>()
    if (texts.length === 0) return found
    const recorded = texts.some(({ isFuzzy }) => isFuzzy) ? Record.machineTexts(known.record) : new Set()
    const corrections =
      store &&
      (yield* store.corrected(
        texts.map(({ source }) => source),
        { sourceLang, targetLang }
      ))
    const origins = store && (yield* store.origins(texts, targetLang))
    texts.forEach(({ isFuzzy, key, source, translation }, index) => {
      const target = Record.hashOf(translation)
      const entry = { source: Record.hashOf(source), target }
      if (corrections?.[index] === translation.trim())
        found.set(key, { ...entry, by: "correction", text: source })
      else if (origins?.[index] === "same") found.set(key, { ...entry, by: "machine" })
      else if (isFuzzy && (origins?.[index] === "other" || recorded.has(target)))
        found.set(key, { source: "", target, by: "machine" })
    })
    return found
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
    const { format, refresh = false, removed = "keep", target } = options
    const { decode, fail, known, merge, textless } = yield* read(source, options)
    const { isMerged, matching, source: ofSource, target: ofTarget } = known
    const choices = yield* choicesOf(options)
    const isLeft = ({ key }: Format.Unit) => !textless.has(key) || !unitStatus.isOfNobody(matching, key)
    const mergeWith = (removed: Format.MergeOptions["removed"]) => merge(emptied(ofTarget, isLeft), removed)
    const isUpdated = target !== undefined && isMerged
    const wanted = isUpdated ? yield* mergeWith(removed) : ofSource
    const { deleted, unkept } = targetLosses.find(known, wanted, options.options.store !== undefined)
    const isKept = isUpdated && unkept !== undefined
    const merged = isKept ? yield* mergeWith("keep") : wanted
    // A merged file has no room for a text where the source has an object or a list now.
    const unplaced = !isMerged
      ? unkept
      : format.isBilingual
        ? undefined
        : targetLosses.find(known, merged, true).unknown
    if (unplaced !== undefined) {
      return yield* fail({
        line: unplaced.line,
        key: unplaced.key,
        message:
          'no text of the source belongs to this one, and the machine has not written it: it would be lost. Delete it here, or write the file anew by existing: "overwrite".'
      })
    }
    const inMerged = unitMatching.keysOf(merged)
    const isLost = (key: string) => matching.entryOf(key) !== undefined && !inMerged.has(key)
    const lost =
      isMerged && (isKept || removed === "keep") && !format.isBilingual
        ? [...unitMatching.keysOf(ofTarget)].filter(isLost)
        : []
    const treatmentOf = StreamOptions.treating(streamOptions(options))
    const plan = yield* planned(
      {
        ...known,
        found: yield* find({ ...known, choices }, options.options),
        choices,
        termsOf: StreamOptions.termsOf(options.options),
        merged,
        textless: new Set([...textless, ...lost]),
        isMarking: isMarking(options),
        treatmentOf:
          treatmentOf &&
          (({ maxCharacters, text }, translation) =>
            treatmentOf(text.trim(), translation.trim(), maxCharacters))
      },
      options.options,
      refresh
    )
    return {
      plan,
      ofTarget,
      decode,
      deleted: [...(isKept ? [] : deleted), ...plan.replaced],
      selection: ofSource.find(({ selection }) => selection)?.selection
    }
  })

/** The plan, with the corrections of the store. */
const planned = (
  known: updatePlan.Known,
  { sourceLang, store, targetLang }: FileTranslation.Options["options"],
  refresh: boolean
) =>
  Effect.gen(function* () {
    const units = unitStatus.make(known)
    const texts = store === undefined ? [] : Array.from(updatePlan.correctable(known, units))
    const found = texts.length === 0 ? [] : yield* store!.corrected(texts, { sourceLang, targetLang })
    const corrections = new Map<string, string>()
    texts.forEach((text, index) => {
      const correction = found[index]
      if (correction !== undefined) corrections.set(text, withWhitespaceOf(text, correction))
    })
    return updatePlan.plan(known, units, { refresh, corrections })
  })

/** Gives texts that an output has no place for any more to the store. */
const keep = (
  deleted: ReadonlyArray<StaleUnit>,
  { sourceLang, store, targetLang }: FileTranslation.Options["options"]
) =>
  store === undefined || deleted.length === 0
    ? Effect.void
    : Effect.flatMap(DateTime.now, (at) =>
        store.correct(
          deleted.flatMap(({ text, translation }) =>
            text === "" ? [] : [{ source: text, translation, sourceLang, targetLang, at }]
          )
        )
      )

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
    const { decode, deleted, ofTarget, plan, selection } = yield* prepare(source, options)
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
    const { byPersons, record } = plan.next(isSame ? ofTarget : yield* decode(bytes), outcomes)
    yield* keep(deleted, options.options)
    return {
      bytes: isSame ? target : bytes,
      record,
      byPersons,
      tally: outcomes.reduce(Outcome.add, Outcome.zero),
      outcomes: outcomes.filter(({ _tag }) => _tag !== "Skipped"),
      stale: plan.stale,
      unknown: plan.unknown,
      deleted,
      otherChoices: plan.otherChoices,
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
): Effect.Effect<SourceForecast, E | FileTranslation.FileError, R | Translator.Translator> =>
  Effect.flatMap(prepare(source, options), ({ plan, selection }) =>
    Effect.map(
      forecastParts(Stream.fromIterable(plan.parts.map(limiting(options.limit).limit)), options, shared),
      (forecast): SourceForecast => ({
        ...forecast,
        selection,
        stale: plan.stale.length,
        unknown: plan.unknown.length,
        orphaned: plan.removed.length,
        otherChoices: plan.otherChoices,
        otherTerms: plan.otherTerms
      })
    )
  )
