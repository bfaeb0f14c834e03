/** How a corpus is cut into shards. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Stream from "effect/Stream"
import type { Corpus } from "../../src/workflow/Corpus.js"
import * as plans from "../../src/workflow/internal/steps/jobShards.js"
import type { Shard } from "../../src/workflow/internal/tables/jobTables.js"

/** Sources with so many slices; `undefined` is one that is not cut. */
const corpusOf = (slices: ReadonlyArray<number | undefined>): Corpus => ({
  sources: slices.map((count, index) => {
    const source = {
      name: `source ${index}`,
      translate: () => Effect.succeed([]),
      forecast: () => Effect.succeed([])
    }
    return count === undefined
      ? { source }
      : {
          source,
          slice: () => source,
          slices: (texts: number) =>
            Stream.map(count === 0 ? Stream.empty : Stream.range(0, count - 1), (reference) => ({
              reference,
              texts
            }))
        }
  })
})

const planOf = (slices: ReadonlyArray<number | undefined>) =>
  Effect.gen(function* () {
    const shards: Array<Omit<Shard, "execution">> = []
    const plan = yield* plans.make(corpusOf(slices), 50, (shard) => Effect.sync(() => shards.push(shard)))
    return { plan, shards }
  })

describe("the plan of a job", () => {
  it.effect.prop(
    "has every slice once, in order, and then every source",
    { slices: FastCheck.array(FastCheck.option(FastCheck.nat(400), { nil: undefined }), { maxLength: 8 }) },
    ({ slices }) =>
      Effect.gen(function* () {
        const { plan, shards } = yield* planOf(slices)
        const steps = (from: number, to: number) =>
          shards
            .slice(from, to)
            .flatMap(({ steps }) => steps.map(({ slice, source }) => [source, slice] as const))
        expect(shards.map(({ number }) => number)).toEqual(shards.map((_, index) => index))
        expect(steps(0, plan.slices)).toEqual(
          slices.flatMap((count, index) =>
            Array.from({ length: count ?? 0 }, (_, slice) => [`source ${index}`, slice])
          )
        )
        expect(steps(plan.slices, plan.shards)).toEqual(
          slices.map((_, index) => [`source ${index}`, undefined])
        )
        expect(plan.sources).toBe(slices.length)
        expect(plan.texts).toBe(50 * slices.reduce<number>((sum, count) => sum + (count ?? 0), 0))
      })
  )

  it.effect("cuts a small job into many shards, so that machines are loaded evenly", () =>
    Effect.gen(function* () {
      const { plan } = yield* planOf([800])
      expect(plan.slices).toBeGreaterThanOrEqual(100)
    })
  )

  it.effect("cuts a large job into shards of up to 100 steps", () =>
    Effect.gen(function* () {
      const { plan, shards } = yield* planOf([40_000])
      const sizes = shards.slice(0, plan.slices).map(({ steps }) => steps.length)
      expect(Math.max(...sizes)).toBe(100)
      expect(plan.slices).toBeLessThan(800)
    })
  )
})
