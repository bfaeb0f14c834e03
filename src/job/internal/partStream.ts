/** Parts of files through the streams, and the job's view of them. */
import * as Chunk from "effect/Chunk"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import * as Translator from "../../client/Translator.js"
import type * as Format from "../../format/Format.js"
import type { Part, Unit } from "../../format/Format.js"
import * as Budget from "../../stream/Budget.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as ServiceLimits from "../../stream/ServiceLimits.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import type { JobStopped, SharedRequests, Translation, Written } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import type { Elements } from "./fileOptions.js"
import * as findings from "./findings.js"
import * as halting from "./halting.js"
import { observedAll, telling, tellingOfParts } from "./observedOutcomes.js"
import { collect, type Group, type Grouping, groupsOf, sharedGroupsOf, window } from "./partGroups.js"
import { elements, isGrouped, optionsOf, type Reading, streamOptions } from "./partOptions.js"
import { finish } from "./partWriting.js"

/** Lets some units be translated. Those behind them say that they are translated already, so they stay as they are. */
interface Limiting {
  readonly limit: <P extends Part>(part: P) => P
  /** Returns `true` if a unit was left. */
  readonly isCut: () => boolean
}

export const limiting = (limit: number = Number.POSITIVE_INFINITY): Limiting => {
  let remaining = limit
  let isCut = false
  return {
    isCut: () => isCut,
    limit: (part) => {
      let count = 0
      for (const { state } of part.units) if (state !== "translated") count++
      if (count <= remaining) {
        remaining -= count
        return part
      }
      isCut = true
      const units = part.units.map((unit): Unit => {
        if (unit.state === "translated") return unit
        if (remaining === 0) return { ...unit, state: "translated" }
        remaining--
        return unit
      })
      return { ...part, units }
    }
  }
}

const nothing = {
  texts: { translated: 0, cached: 0, skipped: 0, failed: 0 },
  cost: { characters: 0, ambiguousCharacters: 0 }
}

/** The outcomes up to the last known one. Parts between them that have none are left as they are. */
const withoutHoles = (
  outcomes: ReadonlyArray<Outcome.Outcome<Part, Part> | undefined>,
  parts: ReadonlyArray<Part>
): ReadonlyArray<Outcome.Outcome<Part, Part>> =>
  Array.from(outcomes, (outcome, index) => {
    const part = parts[index]!
    return outcome ?? { _tag: "Skipped", source: part, value: part, ...nothing }
  })

/**
 * Translates parts of which some have a context, or placeholders, of their own. The parts of a window that have the same ones
 * share requests; the outcomes keep the order of the parts. After an error, those that there are come first: a part between them that
 * has none is skipped, and counts as no text.
 */
const translateGroups = <E, R, H>(
  self: Stream.Stream<Part, E, R>,
  options: TranslateStream.Options,
  { halted, ...grouping }: Grouping & { readonly halted: Deferred.Deferred<never, H> | undefined },
  elements: Elements
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      // All of them share one stream's findings and budget.
      const serviceLimits = options.serviceLimits ?? (yield* ServiceLimits.make())
      const budget = typeof options.budget === "number" ? yield* Budget.make(options.budget) : options.budget
      const shared = { ...options, serviceLimits, budget }
      const translator = yield* Effect.flatMap(Translator.Translator, StreamOptions.cacheIdentity)
      const translateWindow = (parts: Chunk.Chunk<Part>) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const outcomes: Array<Outcome.Outcome<Part, Part> | undefined> = []
            let ended: { readonly error: H | Outcome.StreamError } | undefined
            const translateGroup = ({ indices, options, parts }: Group) => {
              // All others would meet the error too.
              if (ended !== undefined) return Effect.void
              let next = 0
              return halting.failing(Stream.fromIterable(parts), halted).pipe(
                TranslateStream.translateWith({ ...options, ...elements }),
                Stream.runForEach((outcome) =>
                  Effect.sync(() => {
                    outcomes[indices[next++]!] = outcome
                  })
                ),
                Effect.catchAll((error) =>
                  Effect.sync(() => {
                    ended ??= { error }
                  })
                )
              )
            }
            yield* Effect.forEach(
              groupsOf(Chunk.toReadonlyArray(parts), shared, grouping),
              (group) => Effect.suspend(() => translateGroup(group)),
              { concurrency: options.concurrency ?? StreamOptions.defaultConcurrency, discard: true }
            )
            const known = Stream.fromIterable(withoutHoles(outcomes, Chunk.toReadonlyArray(parts)))
            return ended === undefined ? known : Stream.concat(known, Stream.fail(ended.error))
          })
        )
      return self.pipe(
        Stream.rechunk(window),
        Stream.chunks,
        Stream.flatMap((parts) => translateWindow(parts)),
        Stream.provideService(Translator.Translator, translator)
      )
    })
  )

/** The needs of a translation of parts beside its options. */
interface Running<H> {
  readonly halted: Deferred.Deferred<never, H> | undefined
  readonly shared: SharedRequests<H> | undefined
}

/** The outcomes of the texts of a small source, which is read first. */
const sharedOutcomes = <E, R, H>(
  self: Stream.Stream<Part, E, R>,
  options: FileTranslation.Options,
  shared: SharedRequests<H>
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { end, parts } = yield* collect(self)
      const groups = sharedGroupsOf(parts, options)
      const all = yield* shared.translate(groups.map(({ texts }) => texts))
      const outcomes: Array<Outcome.Outcome<Part, Part> | undefined> = []
      all.forEach((found, group) => {
        found.outcomes.forEach((outcome, place) => {
          outcomes[groups[group]!.indices[place]!] = outcome
        })
      })
      const ended = all.find(({ error }) => error !== undefined)
      const known: Stream.Stream<
        Outcome.Outcome<Part, Part>,
        E | H | Outcome.StreamError
      > = Stream.fromIterable(withoutHoles(outcomes, parts))
      if (ended !== undefined)
        return Stream.concat(known, Stream.fail(ended.error as H | Outcome.StreamError))
      return Either.isLeft(end) ? Stream.concat(known, Stream.fail(end.left)) : known
    })
  )

/**
 * Translates the texts of parts until `halted` fails: then those that were read get their outcomes, and the stream fails
 * with its error. `finish` writes the translations into the parts.
 */
export const outcomes = <E, R, H>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  { halted, shared }: Running<H>
): Stream.Stream<
  Outcome.Outcome<Format.Part, Format.Part>,
  E | H | Outcome.StreamError,
  R | Translator.Translator
> => {
  const found = elements(options.units)
  const parts = halting.failing(self, halted, options.options)
  if (shared !== undefined) return sharedOutcomes(parts, options, shared)
  return isGrouped(options)
    ? translateGroups(parts, streamOptions(options), { ...options, halted }, found)
    : TranslateStream.translateWith(parts, { ...streamOptions(options), ...found })
}

/** Translates the parts of a file until `halted` fails, as `outcomes` does. */
export const translate = <E, R, H>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  running: Running<H>
): Stream.Stream<FileTranslation.PartOutcome, E | H | Outcome.StreamError, R | Translator.Translator> =>
  Stream.map(outcomes(self, options, running), finish(options))

/**
 * Translates parts, of which the job is told before they are written. The rest behind an error is taken from `rest`, if there is one and
 * something was translated.
 */
export const translatedParts = <E, R, E3, R3>(
  source: Reading,
  { faultless, halted, limit, observe, options, partial, shared, includeUnits }: Translation,
  decoded: Stream.Stream<Format.Part, E, R>,
  rest: Stream.Stream<Format.Part, E3, R3> | undefined
) => {
  const given = optionsOf(source, options)
  const { failed, format } = given
  const textsOf = ({ state, text, translation }: Format.Unit) => ({
    text,
    translation: translation ?? (format.isBilingual ? undefined : text),
    isTranslated: state === "translated" && translation !== undefined
  })
  const limited = limiting(limit)
  const written = finish(given)
  let selection: Written["selection"]
  let ended: E | Outcome.StreamError | JobStopped | undefined
  let isRead = false
  /** The number of parts that have left, and of their texts with a translation. */
  const count = { parts: 0, translated: 0 }
  const counted = (outcome: Outcome.Outcome<Format.Part, Format.Part>) => {
    const finished = written(outcome)
    selection ??= outcome.source.selection
    count.parts++
    count.translated += finished.texts.translated + finished.texts.cached
    return finished
  }
  const parts = limit === undefined ? decoded : Stream.map(decoded, limited.limit)
  return {
    parts: outcomes(parts, given, { halted, shared }).pipe(
      tellingOfParts(
        observe,
        { includeUnits, textsOf, failed, format, ...findings.of(given), faultless },
        counted
      ),
      Stream.catchAll((error): Stream.Stream<Format.Part, E | E3 | Outcome.StreamError | JobStopped, R3> => {
        ended = error
        return rest !== undefined && partial && count.translated > 0
          ? Stream.drop(rest, count.parts)
          : Stream.fail(error)
      }),
      Stream.concat(
        Stream.execute(
          Effect.sync(() => {
            isRead = true
          })
        )
      )
    ),
    ended: () => ended,
    selection: () => selection,
    isWhole: () => isRead && ended === undefined && !limited.isCut()
  }
}

/** Translates parts that are written nowhere: of their texts the job is told figures. */
export const fillParts = <E3, R3>(
  source: Reading,
  { halted, observe, options }: Translation,
  parts: Stream.Stream<Format.Part, E3, R3>
) =>
  outcomes(parts, optionsOf(source, options), { halted, shared: undefined }).pipe(
    telling(observe, (outcomes) => ({
      seen: Effect.succeed(
        observedAll(outcomes, false, ({ cost, texts }) => ({ cost, texts, failures: [] }))
      ),
      values: []
    })),
    Stream.runDrain,
    Effect.as<Written>({ state: "written", stale: [] })
  )
