/**
 * The progress of a job, its cost so far, and the time that is left: as a state, as a stream of events, and as metrics.
 * It counts texts and never holds one.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { dual } from "effect/Function"
import * as Mailbox from "effect/Mailbox"
import * as Metric from "effect/Metric"
import * as MetricLabel from "effect/MetricLabel"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { millisOf } from "../internal/monotonic.js"
import { Counts } from "./internal/progressCounts.js"
import type { Options, State } from "./internal/progressState.js"
import * as throughput from "./internal/throughput.js"
import * as Outcome from "./Outcome.js"
import { type Batch, type Languages, type Observer, observe } from "./ProgressObserver.js"

/**
 * The progress of a job.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options, State, TargetState } from "./internal/progressState.js"

/**
 * The languages of a stream.
 *
 * @since 0.1.0
 * @category models
 */
export type { Languages } from "./ProgressObserver.js"

/**
 * An event: a batch was sent, was answered or has failed, elements left the stream with their outcomes, or an outage has
 * begun or ended.
 *
 * @since 0.1.0
 * @category models
 */
export type Event = Languages &
  (
    | { readonly _tag: "Sent"; readonly texts: number; readonly characters: number }
    | ({ readonly _tag: "Answered"; readonly texts: number; readonly requests: number } & Outcome.Cost)
    | ({
        readonly _tag: "Failed"
        readonly texts: number
        readonly requests: number
        /** The tag of the error; "Interrupted" if the batch was not sent since the job has ended. */
        readonly error: string
      } & Outcome.Cost)
    | { readonly _tag: "Emitted"; readonly texts: Outcome.Texts }
    | { readonly _tag: "OutageBegan"; readonly error: string }
    | { readonly _tag: "OutageEnded" }
  )

/**
 * The progress of a job, of one stream or of several: the option `progress` of the streams.
 *
 * @since 0.1.0
 * @category models
 */
export interface Progress {
  /** The state now. */
  readonly state: Effect.Effect<State>
  /** The state now, and when it has changed, at most every 100 milliseconds. It does not end by itself: see {@link watch}. */
  readonly changes: Stream.Stream<State>
  /** The events from now on. A reader that is 1,024 events behind misses the oldest. It does not end by itself. */
  readonly events: Stream.Stream<Event>
  /** Makes an observer for a stream of these languages. */
  readonly [observe]: (languages: Languages) => Observer
}

/**
 * Texts that have their outcome, by `outcome`: "translated", "cached", "skipped" or "failed". Like all counters here it
 * is updated by streams with the option `progress`, once for a batch or a chunk, and tagged with `target_lang`.
 *
 * @since 0.1.0
 * @category constants
 */
export const texts: Metric.Metric.Counter<number> = Metric.counter("effect_translate_texts", {
  description: "Texts by outcome",
  incremental: true
})

/**
 * Requests that were sent, repetitions included.
 *
 * @since 0.1.0
 * @category constants
 */
export const requests: Metric.Metric.Counter<number> = Metric.counter("effect_translate_requests", {
  description: "Requests that were sent, repetitions included",
  incremental: true
})

/**
 * Characters (code points) that were billed.
 *
 * @since 0.1.0
 * @category constants
 */
export const characters: Metric.Metric.Counter<number> = Metric.counter("effect_translate_characters", {
  description: "Billed characters",
  incremental: true
})

/**
 * Characters (code points) of attempts whose result is unknown.
 *
 * @since 0.1.0
 * @category constants
 */
export const ambiguousCharacters: Metric.Metric.Counter<number> = Metric.counter(
  "effect_translate_ambiguous_characters",
  { description: "Characters that may have been billed besides", incremental: true }
)

const sampling = Duration.millis(100)
const mostEvents = 1024

const kinds = ["translated", "cached", "skipped", "failed"] as const

const ignored = () => {}

/**
 * Counts the metrics of some languages and nothing else, for a job without a progress.
 *
 * @internal
 */
export const metered: (languages: Languages) => Observer = ({ targetLang }) => {
  const tags = targetLang === undefined ? [] : [MetricLabel.make("target_lang", targetLang)]
  const add = (
    counter: Metric.Metric.Counter<number>,
    amount: number,
    ...more: ReadonlyArray<MetricLabel.MetricLabel>
  ) => counter.unsafeUpdate(amount, [...tags, ...more])
  const batch: Batch = {
    repeated: ignored,
    ended: (count, cost) => {
      add(requests, count)
      add(characters, cost.characters)
      add(ambiguousCharacters, cost.ambiguousCharacters)
    }
  }
  return {
    sent: () => batch,
    emitted: (elements) => {
      const sum = Outcome.sumTexts(elements)
      for (const kind of kinds) if (sum[kind] > 0) add(texts, sum[kind], MetricLabel.make("outcome", kind))
    },
    outage: ignored
  }
}

/** Readers of events. A `PubSub` can't be offered to outside of an effect without losing the newest ones. */
const makeEvents = () => {
  const readers = new Set<Mailbox.Mailbox<Event>>()
  const reader = Effect.acquireRelease(
    Effect.tap(Mailbox.make<Event>({ capacity: mostEvents, strategy: "sliding" }), (reader) =>
      Effect.sync(() => readers.add(reader))
    ),
    (reader) => Effect.sync(() => readers.delete(reader))
  )
  return {
    offer: (event: Event) => {
      for (const reader of readers) reader.unsafeOffer(event)
    },
    stream: Stream.unwrapScoped(Effect.map(reader, Mailbox.toStream))
  }
}

/** Counts the events of a stream of some languages. */
const observer = (
  languages: Languages,
  counts: Counts,
  onChange: () => void,
  onEvent: (event: Event) => void
): Observer => {
  const target = counts.of(languages.targetLang)
  const metrics = metered(languages)
  let isOutage = false
  return {
    sent: (texts, characters) => {
      let held = characters
      const metered = metrics.sent(texts, characters)
      target.sent(texts, characters)
      onEvent({ _tag: "Sent", ...languages, texts, characters })
      return {
        repeated: () => {
          held += characters
          target.repeated(characters)
          onChange()
        },
        ended: (requests, cost, error) => {
          target.ended({ texts, characters: held }, requests, cost, error)
          metered.ended(requests, cost)
          const what = { ...languages, texts, requests, ...cost }
          onEvent(error === undefined ? { _tag: "Answered", ...what } : { _tag: "Failed", ...what, error })
        }
      }
    },
    emitted: (elements) => {
      const texts = target.emitted(elements)
      metrics.emitted(elements)
      onEvent({ _tag: "Emitted", ...languages, texts })
    },
    outage: (error, retryAt) => {
      counts.outage = error === undefined ? undefined : { error, retryAt }
      if (error === undefined) onEvent({ _tag: "OutageEnded", ...languages })
      else if (isOutage) onChange()
      else onEvent({ _tag: "OutageBegan", ...languages, error })
      isOutage = error !== undefined
    }
  }
}

/**
 * The progress of a job that begins.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (options: Options = {}): Effect.Effect<Progress> =>
  Effect.map(Effect.all([Effect.clock, Effect.makeLatch()]), ([clock, changed]) => {
    const counts = new Counts(options)
    const recent = throughput.make()
    const events = makeEvents()
    let version = 0

    const change = () => {
      version++
      recent.mark(millisOf(clock), counts.done)
      changed.unsafeOpen()
    }

    const state = Effect.sync(() => {
      return counts.state(clock.unsafeCurrentTimeMillis(), recent.rate(millisOf(clock), counts.done))
    })

    /** A version after the one that was seen. */
    const newer = (seen: number): Effect.Effect<void> =>
      Effect.suspend(() => {
        if (version !== seen) return Effect.void
        changed.unsafeClose()
        return Effect.zipRight(changed.await, newer(seen))
      })

    const changes = Stream.unfoldEffect(-1, (seen) =>
      Effect.zipRight(
        seen === -1 ? Effect.void : Effect.zipRight(Effect.sleep(sampling), newer(seen)),
        Effect.map(state, (state) => Option.some([state, version] as const))
      )
    )

    const begin = (languages: Languages) => {
      // One that an earlier stream has ended with.
      counts.outage = undefined
      return observer(languages, counts, change, (event) => {
        change()
        events.offer(event)
      })
    }

    return { state, changes, events: events.stream, [observe]: begin }
  })

/**
 * Runs an effect and hands each state to a function meanwhile, at most every 100 milliseconds, and the last state when
 * the effect has ended, has failed or was interrupted.
 *
 * @since 0.1.0
 * @category combinators
 */
export const watch: {
  /**
   * Runs an effect and hands each state to a function meanwhile, at most every 100 milliseconds, and the last state when
   * the effect has ended, has failed or was interrupted.
   */
  <R2>(
    progress: Progress,
    onState: (state: State) => Effect.Effect<void, never, R2>
  ): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R | R2>
  /**
   * Runs an effect and hands each state to a function meanwhile, at most every 100 milliseconds, and the last state when
   * the effect has ended, has failed or was interrupted.
   */
  <A, E, R, R2>(
    self: Effect.Effect<A, E, R>,
    progress: Progress,
    onState: (state: State) => Effect.Effect<void, never, R2>
  ): Effect.Effect<A, E, R | R2>
} = dual(
  3,
  <A, E, R, R2>(
    self: Effect.Effect<A, E, R>,
    progress: Progress,
    onState: (state: State) => Effect.Effect<void, never, R2>
  ): Effect.Effect<A, E, R | R2> =>
    Effect.acquireUseRelease(
      Effect.fork(Effect.interruptible(Stream.runForEach(progress.changes, onState))),
      () => self,
      (fiber) => Effect.zipRight(Fiber.interrupt(fiber), Effect.flatMap(progress.state, onState))
    )
)
