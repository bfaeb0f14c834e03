import * as Chunk from "effect/Chunk"
import type * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Part, Placeholders } from "../../format/Format.js"
import * as Budget from "../../stream/Budget.js"
import * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as ServiceLimits from "../../stream/ServiceLimits.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import * as Translator from "../../stream/Translator.js"
import type { Elements } from "./fileTranslationModels.js"
import { sum } from "./forecastSum.js"
import * as halting from "./halting.js"

/** Parts among which those of the same options are looked for. */
const window = 4096

/** What the caller has asked for: his placeholders go before those of parts. */
interface Grouping extends Pick<TranslateStream.Options, "placeholders"> {
  readonly useContext?: boolean | undefined
}

/** Placeholders with the same key are the same. */
const keyOf = (placeholders: Placeholders | undefined): string =>
  placeholders === undefined
    ? ""
    : `${placeholders.kinds} ${placeholders.patterns} ${placeholders.messageFormat !== undefined}`

/** Parts that share their requests, and where each is among those of the window. */
interface Group {
  readonly options: TranslateStream.Options
  readonly parts: Array<Part>
  readonly indices: Array<number>
}

const contextOf = (own: string | undefined, given: string | undefined): string | undefined =>
  own === undefined || own === "" ? given : given === undefined ? own : `${given}\n${own}`

const groupsOf = (
  parts: ReadonlyArray<Part>,
  options: TranslateStream.Options,
  { placeholders: given, useContext }: Grouping
): ReadonlyArray<Group> => {
  const groups = new Map<string, Group>()
  parts.forEach((part, index) => {
    // What is only passed through goes with any others.
    const isText = part.units.length > 0
    const placeholders = isText && given === undefined ? part.placeholders : undefined
    const context = useContext === true && isText ? contextOf(part.context, options.context) : options.context
    const key = `${keyOf(placeholders)}\n${context ?? ""}`
    const group: Group = groups.get(key) ?? {
      options: { ...options, context, placeholders: placeholders ?? options.placeholders },
      parts: [],
      indices: []
    }
    groups.set(key, group)
    group.parts.push(part)
    group.indices.push(index)
  })
  return Array.from(groups.values())
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
export const translate = <E, R, H>(
  self: Stream.Stream<Part, E, R>,
  options: TranslateStream.Options,
  { halted, ...grouping }: Grouping & { readonly halted: Deferred.Deferred<never, H> | undefined },
  elements: Elements
) =>
  Stream.unwrap(
    Effect.gen(function* () {
      // What one stream would have learned and spent, all of them share.
      const serviceLimits = options.serviceLimits ?? (yield* ServiceLimits.make())
      const budget = typeof options.budget === "number" ? yield* Budget.make(options.budget) : options.budget
      const shared = { ...options, serviceLimits, budget }
      const translator = yield* Effect.flatMap(Translator.Translator, Translator.identifyOnce)
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
              { concurrency: options.concurrency ?? TranslateStream.defaultConcurrency, discard: true }
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

/** What such a translation takes: the sum over all groups. */
export const forecast = <E, R>(
  self: Stream.Stream<Part, E, R>,
  options: TranslateStream.Options,
  grouping: Grouping,
  { texts }: Elements
) =>
  self.pipe(
    Stream.rechunk(window),
    Stream.chunks,
    Stream.flatMap((parts) => Stream.fromIterable(groupsOf(Chunk.toReadonlyArray(parts), options, grouping))),
    Stream.mapEffect((group) =>
      Forecast.forecastWith(Stream.fromIterable(group.parts), {
        ...group.options,
        targets: [options.targetLang],
        texts
      })
    ),
    Stream.runFold(sum(options.targetLang, []), (total, [forecast]) =>
      sum(options.targetLang, [total, forecast!])
    )
  )
