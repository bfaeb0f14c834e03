import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Corpus } from "../../Corpus.js"
import type { Shard, Step } from "../tables/jobTables.js"

/** How many executions a job is cut into at least, if it has the steps: machines are loaded evenly by many. */
const manyShards = 100

const fewestSteps = 5

/** Replays of a shard take a time, and a worker a memory, that grow with its steps. */
const mostSteps = 100

/** Grows with what is behind: a shard is at most a hundredth of its job, and a large job has few of them. */
const sizeAfter = (steps: number): number =>
  Math.min(mostSteps, Math.max(fewestSteps, Math.ceil(steps / manyShards)))

type Shards = Pick<Shard, "steps">

/** Groups steps into shards. */
const grouped = <E, R>(steps: Stream.Stream<Step, E, R>): Stream.Stream<Shards, E, R> =>
  Stream.suspend(() => {
    let seen = 0
    let size = sizeAfter(0)
    let steps_: Array<Step> = []
    const take = (): Shards => {
      const shard = { steps: steps_ }
      steps_ = []
      size = sizeAfter(seen)
      return shard
    }
    return steps.pipe(
      Stream.mapConcat((step): ReadonlyArray<Shards> => {
        seen++
        steps_.push(step)
        return steps_.length >= size ? [take()] : []
      }),
      Stream.concat(Stream.suspend(() => (steps_.length === 0 ? Stream.empty : Stream.succeed(take()))))
    )
  })

/** What is translated first, by all workers: the slices of sources that have some. */
const slices = <E, R>({ sources }: Corpus<E, R>, texts: number): Stream.Stream<Step, E, R> =>
  Stream.flatMap(Stream.fromIterable(sources), ({ slice, slices, source }) =>
    slice === undefined || slices === undefined
      ? Stream.empty
      : Stream.map(slices(texts), ({ reference, texts }) => ({
          source: source.name,
          slice: reference,
          texts
        }))
  )

/** What is translated then: each source as a whole, by one worker. */
const wholes = <E, R>({ sources }: Corpus<E, R>): Stream.Stream<Step> =>
  Stream.map(Stream.fromIterable(sources), ({ source }) => ({ source: source.name }))

/** Where the phases of a job are among its shards, and what it has. */
export interface Plan {
  /** How many shards are of slices; those behind them are of whole sources. */
  readonly slices: number
  readonly shards: number
  /** Texts of slices. */
  readonly texts: number
  readonly sources: number
}

/** Cuts a corpus into shards, and hands each of them to `add`. */
export const make = <E, R, E2, R2>(
  corpus: Corpus<E, R>,
  batchTexts: number,
  add: (shard: Omit<Shard, "execution">) => Effect.Effect<void, E2, R2>
): Effect.Effect<Plan, E | E2, R | R2> =>
  Effect.gen(function* () {
    let number = 0
    let texts = 0
    const run = <E3, R3>(steps: Stream.Stream<Step, E3, R3>) =>
      Stream.runForEach(grouped(steps), (shard) =>
        Effect.suspend(() => {
          for (const step of shard.steps) texts += step.texts ?? 0
          return add({ ...shard, number: number++ })
        })
      )
    yield* run(slices(corpus, batchTexts))
    const ofSlices = number
    yield* run(wholes(corpus))
    return { slices: ofSlices, shards: number, texts, sources: corpus.sources.length }
  })
