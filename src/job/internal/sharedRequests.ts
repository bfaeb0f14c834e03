/**
 * Small sources that fill requests together: their parts are read first, and then go through one stream for all that have
 * the same options.
 */
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Stream from "effect/Stream"
import * as Translator from "../../client/Translator.js"
import * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as TranslateStream from "../../stream/TranslateStream.js"
import {
  type JobSource,
  JobStopped,
  type SharedForecast,
  type SharedOutcomes,
  type SharedRequests,
  type SharedTexts
} from "./contract.js"
import * as halting from "./halting.js"

/** The most bytes of a source that shares requests: one of more fills its own. */
const smallBytes = 65_536

/** The most bytes of sources that are read before their texts are sent. */
const mostBytes = 262_144

/** The most outputs that are open at a time: systems allow some 1,000 files. */
const mostOutputs = 128

/** The sources that share requests, in their order; others stand alone. */
export const groupsOf = <E, R>(
  sources: ReadonlyArray<JobSource<E, R>>,
  languages: number
): Effect.Effect<ReadonlyArray<ReadonlyArray<JobSource<E, R>>>, never, R> =>
  Effect.gen(function* () {
    if (sources.length < 2) return sources.map((source) => [source])
    const groups: Array<Array<JobSource<E, R>>> = []
    let open: Array<JobSource<E, R>> | undefined
    let bytes = 0
    for (const source of sources) {
      const size = yield* Effect.orElseSucceed(source.size ?? Effect.succeed(undefined), () => undefined)
      if (size === undefined || size > smallBytes) {
        groups.push([source])
        continue
      }
      const isFull =
        open !== undefined && (bytes + size > mostBytes || (open.length + 1) * languages > mostOutputs)
      if (open === undefined || isFull) {
        open = []
        bytes = 0
        groups.push(open)
      }
      open.push(source)
      bytes += size
    }
    return groups
  })

/** Placeholders with the same key are the same. */
export const keyOfPlaceholders = (
  placeholders:
    | Pick<TranslateStream.Placeholders, "apart" | "kinds" | "messageFormat" | "patterns">
    | undefined
): string =>
  placeholders === undefined
    ? ""
    : `${placeholders.kinds} ${placeholders.patterns} ${placeholders.messageFormat !== undefined} ${placeholders.apart === true}`

/** The options of a stream, beside those that find its texts. */
interface Options extends TranslateStream.Options {
  readonly known?: unknown
  readonly maxCharacters?: unknown
  readonly replace?: unknown
  readonly texts?: unknown
}

const areSame = (first: object, second: object): boolean => {
  const names = new Set([...Object.keys(first), ...Object.keys(second)]) as Set<never>
  return Array.from(names).every((name) => first[name] === second[name])
}

/** The options that texts of one request have in common, and of one session of the store. */
const inCommon = ({
  known: _,
  maxCharacters: _1,
  placeholders,
  replace: _2,
  syntax = {},
  texts: _3,
  ...options
}: Options) => [{ placeholders: keyOfPlaceholders(placeholders) }, syntax, options] as const

const agree = (first: Options, second: Options): boolean => {
  const others = inCommon(second)
  return inCommon(first).every((options, index) => areSame(options, others[index]!))
}

/** Texts by the streams that they go through. */
const byOptions = <T extends { readonly options: Options }>(
  all: ReadonlyArray<T>
): ReadonlyArray<ReadonlyArray<T>> => {
  const groups: Array<Array<T>> = []
  for (const texts of all) {
    const group = groups.find(([first]) => agree(first!.options, texts.options))
    if (group === undefined) groups.push([texts])
    else group.push(texts)
  }
  return groups
}

/** Texts of a source on their way. */
interface Entry extends SharedTexts<unknown> {
  readonly outcomes: Array<Outcome.Outcome<unknown, unknown>>
  readonly done: Deferred.Deferred<SharedOutcomes<unknown, JobStopped>>
}

/** Texts whose elements are read by their own options only. */
const anyOf = <A>(texts: ReadonlyArray<SharedTexts<A>>) =>
  texts as ReadonlyArray<unknown> as ReadonlyArray<SharedTexts<unknown>>

/** An element of the stream that several sources share. */
interface Shared {
  readonly entry: Entry
  readonly element: unknown
}

const makeEntry = (texts: SharedTexts<unknown>): Effect.Effect<Entry> =>
  Effect.map(Deferred.make<SharedOutcomes<unknown, JobStopped>>(), (done) => ({
    ...texts,
    outcomes: [],
    done
  }))

const end = ({ done, outcomes }: Entry, error?: Outcome.StreamError | JobStopped): Effect.Effect<unknown> =>
  Deferred.succeed(done, { outcomes, error })

/** Signals that end the streams of a job before their ends. */
export interface Signals {
  readonly halted: Deferred.Deferred<never, JobStopped> | undefined
  /** Tells whether the job has ended, also for these texts, whose sources were not told of them yet. */
  readonly isStopped: (untold: ReadonlyArray<Pick<Outcome.Common<unknown, unknown>, "texts">>) => boolean
}

/** The options of the stream of several sources: each knows its own elements. */
const optionsOf = ({
  options
}: Entry): TranslateStream.OptionsWith<Shared, ReadonlyArray<string | undefined>, Shared> => ({
  ...options,
  texts: ({ element, entry }) => entry.options.texts(element),
  replace: ({ element, entry }, texts) => ({ entry, element: entry.options.replace(element, texts) }),
  maxCharacters: ({ element, entry }, index) => entry.options.maxCharacters?.(element, index),
  known: ({ element, entry }, index) => entry.options.known?.(element, index)
})

/** Puts an outcome, which is not shared yet, to the texts that it is of. */
const take = (outcome: Outcome.Outcome<Shared, Shared>): void => {
  const { source, value } = outcome
  source.entry.outcomes.push(Object.assign(outcome, { source: source.element, value: value.element }))
}

/** True if a text has met the error that ends its stream. */
const hasEnded = (outcome: Outcome.Outcome<unknown, unknown>): boolean =>
  outcome._tag === "Failed" && outcome.failures.some(({ error }) => error.isFatal)

/** True if all texts have outcomes, and none of them has ended the stream, which fails after its last outcome. */
const isWhole = ({ elements, outcomes }: Entry): boolean =>
  outcomes.length === elements.length && !outcomes.some(hasEnded)

/**
 * Sends texts that have the same options. An error fails the source that it has met; the others go on unless they would
 * meet it too.
 */
const send = (
  entries: ReadonlyArray<Entry>,
  signals: Signals
): Effect.Effect<void, never, Translator.Translator> =>
  Effect.suspend(() => {
    const [first] = entries
    if (first === undefined) return Effect.void
    let next = 0
    const endWhole = Effect.suspend(() => {
      const begun = next
      while (next < entries.length && isWhole(entries[next]!)) next++
      return Effect.forEach(entries.slice(begun, next), (entry) => end(entry), { discard: true })
    })
    /** Ends the texts of sources that have all outcomes, or the stream if the job has ended. */
    const proceed = Effect.suspend(() => {
      const isStopped = signals.isStopped(entries.slice(next).flatMap(({ outcomes }) => outcomes))
      return Effect.zipRight(endWhole, isStopped ? Effect.fail(new JobStopped()) : Effect.void)
    })
    const elements = entries.flatMap((entry) => entry.elements.map((element): Shared => ({ entry, element })))
    return halting.failing(Stream.fromIterable(elements), signals.halted, first.options).pipe(
      TranslateStream.translateWith(optionsOf(first)),
      Stream.runForEachChunk((outcomes) => {
        for (const outcome of Chunk.toReadonlyArray(outcomes)) take(outcome)
        return proceed
      }),
      Effect.zipRight(
        Effect.suspend(() => Effect.forEach(entries.slice(next), (entry) => end(entry), { discard: true }))
      ),
      Effect.catchAll((error) =>
        Effect.suspend(() => {
          const [met, ...others] = entries.slice(next)
          if (met === undefined) return Effect.void
          const rest = error.isFatal
            ? Effect.forEach(others, (entry) => end(entry, new JobStopped()), { discard: true })
            : send(others, signals)
          return Effect.zipRight(end(met, error), rest)
        })
      ),
      Effect.onExit((exit) =>
        Exit.isSuccess(exit)
          ? Effect.void
          : Effect.forEach(entries, ({ done }) => Deferred.failCause(done, exit.cause), { discard: true })
      )
    )
  })

/** A language whose texts are sent once all sources have read theirs. */
interface Language {
  waiting: number
  readonly entries: Array<ReadonlyArray<Entry>>
}

/** Requests of `sources` sources into `languages` languages: those of a source in a language, by their places. */
export const make = (sources: number, languages: number, signals: Signals) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const translator = yield* Translator.Translator
    const all = Array.from({ length: languages }, (): Language => ({ waiting: sources, entries: [] }))
    const sendAll = (entries: ReadonlyArray<Entry>) =>
      Effect.forEach(byOptions(entries), (group) => send(group, signals), {
        concurrency: "unbounded",
        discard: true
      }).pipe(Effect.provideService(Translator.Translator, translator), Effect.forkIn(scope))
    return (source: number, index: number): SharedRequests<JobStopped> => {
      const language = all[index]!
      let isSettled = false
      const settle = (entries: ReadonlyArray<Entry>) =>
        Effect.suspend((): Effect.Effect<unknown> => {
          if (isSettled) return sendAll(entries)
          isSettled = true
          language.entries[source] = entries
          return --language.waiting === 0 ? sendAll(language.entries.flat()) : Effect.void
        })
      return {
        translate: <A>(texts: ReadonlyArray<SharedTexts<A>>) =>
          Effect.forEach(anyOf(texts), makeEntry).pipe(
            Effect.tap(settle),
            Effect.flatMap((entries) => Effect.forEach(entries, ({ done }) => Deferred.await(done))),
            Effect.map((found) => found as ReadonlyArray<SharedOutcomes<A, JobStopped>>)
          ),
        leave: Effect.suspend(() => (isSettled ? Effect.void : settle([])))
      }
    }
  })

/** Takes the texts of several sources, and forecasts the requests that they fill together. */
export const makeForecast = (): SharedForecast & {
  readonly forecasts: Effect.Effect<
    ReadonlyArray<Forecast.Forecast>,
    Outcome.StreamError,
    Translator.Translator
  >
} => {
  const all: Array<SharedTexts<unknown>> = []
  return {
    add: (texts) => void all.push(...anyOf(texts)),
    forecasts: Effect.suspend(() =>
      Effect.forEach(byOptions(all), (group) => {
        const { replace: _, ...options } = group[0]!.options
        const found = group.flatMap(({ elements, options }) =>
          elements.map((element) => ({ element, options }))
        )
        return Forecast.forecastWith(Stream.fromIterable(found), {
          ...options,
          targets: [options.targetLang],
          texts: ({ element, options }) => options.texts(element),
          maxCharacters: ({ element, options }, index) => options.maxCharacters?.(element, index),
          known: ({ element, options }, index) => options.known?.(element, index)
        })
      })
    ).pipe(Effect.map((found) => found.flat()))
  }
}
