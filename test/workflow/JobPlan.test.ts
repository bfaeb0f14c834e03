/** How a corpus is cut into steps. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Corpus, SliceSize, Source } from "../../src/workflow/Corpus.js"
import * as jobPlan from "../../src/workflow/internal/steps/jobPlan.js"
import { runs } from "../support/long.js"

/** Texts of a source, which is cut wherever it is asked to; `undefined` is one that can't be cut. */
const sourceOf = (texts: number | undefined, index: number): Source => {
  const source = {
    name: `source ${index}`,
    translate: () => Effect.succeed([]),
    forecast: () => Effect.succeed([])
  }
  const slices = (size: SliceSize) =>
    Stream.unfold(0, (from) => {
      const to = Math.min(texts ?? 0, from + size())
      return from === to
        ? Option.none()
        : Option.some([{ reference: [from, to], texts: to - from }, to] as const)
    })
  return texts === undefined ? { source } : { source, slices, slice: () => source }
}

const planOf = (
  texts: ReadonlyArray<number | undefined>,
  options: Partial<jobPlan.Options> = {},
  corpus: Corpus = { sources: texts.map(sourceOf) }
) =>
  Effect.gen(function* () {
    const given = { batchTexts: undefined, workers: 1, targets: 1, ...options }
    const { steps, ...totals } = yield* jobPlan.make(corpus, given, Effect.void)
    const first = steps.filter(({ kind }) => kind !== "output")
    return { totals, steps, first, last: steps.slice(first.length) }
  })

describe("the plan of a job", () => {
  it.effect.prop(
    "has every text in one slice of a source or every source in one step, and writes sources that were cut at the end",
    {
      texts: FastCheck.array(FastCheck.option(FastCheck.nat(12_000), { nil: undefined }), { maxLength: 30 }),
      batchTexts: FastCheck.option(FastCheck.integer({ min: 40, max: 3000 }), { nil: undefined }),
      workers: FastCheck.nat(4)
    },
    ({ batchTexts, texts, workers }) =>
      Effect.gen(function* () {
        const { first, last, steps, totals } = yield* planOf(texts, { batchTexts, workers })
        const sum = texts.reduce<number>((sum, count = 0) => sum + count, 0)
        const share = sum / (4 * Math.max(1, workers))
        const most = batchTexts ?? Math.max(2000, Math.min(50_000, share))
        const cut = texts.flatMap((count = 0, index) =>
          count > most ? [[`source ${index}`, count] as const] : []
        )
        expect(totals).toEqual({ texts: sum, sources: texts.length })
        expect(steps.reduce((sum, step) => sum + step.texts, 0)).toBe(sum)
        expect(last.map(({ kind, sources }) => [kind, ...sources])).toEqual(
          cut.map(([name]) => ["output", name])
        )
        for (const [name, count] of cut) {
          const slices = first.flatMap(({ kind, slice, sources }) =>
            kind === "slice" && sources[0] === name ? [slice as readonly [number, number]] : []
          )
          expect(slices[0]![0]).toBe(0)
          expect(slices.at(-1)![1]).toBe(count)
          expect(slices.slice(1).map(([from]) => from)).toEqual(slices.slice(0, -1).map(([, to]) => to))
        }
        const whole = first.flatMap(({ kind, sources }) => (kind === "sources" ? sources : []))
        expect([...whole, ...cut.map(([name]) => name)].sort()).toEqual(
          texts.map((_, n) => `source ${n}`).sort()
        )
      }),
    { fastCheck: { numRuns: runs(100) } }
  )

  it.effect(
    "gives each of several workers some steps of a job of few texts, and few steps to a large one",
    () =>
      Effect.gen(function* () {
        const small = yield* planOf([2100], { workers: 3 })
        expect(small.first.length).toBeGreaterThanOrEqual(12)
        const large = yield* planOf([1_000_000], { workers: 3 })
        expect(large.first.length).toBeLessThan(600)
        expect(Math.max(...large.steps.map(({ texts }) => texts))).toBe(2000)
      })
  )

  it.effect("does not cut small sources, and has several small sources in a step if there are many", () =>
    Effect.gen(function* () {
      const few = yield* planOf([2000, 3, undefined])
      expect(few.steps.map(({ kind, sources }) => [kind, sources.length])).toEqual([
        ["sources", 1],
        ["sources", 1],
        ["sources", 1]
      ])
      const many = yield* planOf(Array.from({ length: 1000 }, () => 3))
      expect(many.steps).toHaveLength(100)
      expect(many.totals).toEqual({ texts: 3000, sources: 1000 })
    })
  )

  it.effect(
    "does not cut a source that is one of enough steps, unless it is large or for many languages",
    () =>
      Effect.gen(function* () {
        const kindsOf = ({ steps }: Effect.Effect.Success<ReturnType<typeof planOf>>) => [
          ...new Set(steps.map(({ kind }) => kind))
        ]
        const four = [50_000, 50_000, 50_000, 50_000]
        expect(kindsOf(yield* planOf(four))).toEqual(["sources"])
        expect(kindsOf(yield* planOf(four, { targets: 2 }))).toEqual(["slice", "output"])
        expect(kindsOf(yield* planOf(four.slice(1)))).toEqual(["slice", "output"])
        expect(kindsOf(yield* planOf(four.map((texts) => texts + 1)))).toEqual(["slice", "output"])
        const eight = Array.from({ length: 8 }, () => 20_000)
        expect(kindsOf(yield* planOf(eight, { workers: 2 }))).toEqual(["sources"])
        expect(kindsOf(yield* planOf(eight, { workers: 3 }))).toEqual(["slice", "output"])
        expect(kindsOf(yield* planOf(eight, { workers: 2, batchTexts: 2000 }))).toEqual(["slice", "output"])
      })
  )

  it.effect("reads no further than it is told", () =>
    Effect.gen(function* () {
      let left = 3
      let read = 0
      const goOn = Effect.suspend(() => (left-- > 0 ? Effect.void : Effect.fail("enough")))
      const source = {
        ...sourceOf(0, 0),
        slices: () =>
          Stream.map(Stream.rechunk(Stream.range(0, 99), 1), (reference) => {
            read++
            return { reference, texts: 1000 }
          })
      }
      const options = { batchTexts: undefined, workers: 1, targets: 1 }
      const failed = yield* Effect.flip(jobPlan.make({ sources: [source] }, options, goOn))
      expect(failed).toBe("enough")
      expect(read).toBeLessThan(10)
    })
  )

  it.effect("cuts a source of few texts that are long", () =>
    Effect.gen(function* () {
      const source = sourceOf(0, 0)
      const slices = () =>
        Stream.map(Stream.range(0, 9), (reference) => ({ reference, texts: 10, bytes: 1_000_000 }))
      const { first, last, totals } = yield* planOf([], { workers: 3 }, { sources: [{ ...source, slices }] })
      expect([first.length, last.length]).toEqual([10, 1])
      expect(totals).toEqual({ texts: 100, sources: 1 })
    })
  )
})
