/** For any corpus, any chunks, any latencies: one outcome each, in order, from requests as full as they can be. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream } from "effect-translate"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"
import { bodyBytes, collect, fake, marked, maxBytes, randomTurns, unavailable } from "./support.js"

const maxTexts = 50

type MaybeText = string | null | undefined

interface Row {
  readonly id: number
  readonly texts: ReadonlyArray<MaybeText>
}

const isText = (text: MaybeText): text is string => typeof text === "string" && text.trim() !== ""

const blank = fc.constantFrom<MaybeText>("", " ", "\u00a0\n", null, undefined)

/** Few values, so that many are repeated. */
const short = fc.constantFrom("a", "b", "🌍", "\ud800", "x\udc00", '"\\', "世界", "é", "\u0001", "a\nb")

const text = fc.oneof(
  { weight: 12, arbitrary: short },
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 4, arbitrary: blank }
)

const large = fc
  .tuple(fc.constantFrom("a", "世", "🌍", "\u0001"), fc.integer({ min: 5_000, max: 60_000 }))
  .map(([unit, bytes]) => unit.repeat(Math.ceil(bytes / (bodyBytes([unit]) - bodyBytes([""])))))

/** It fits in no request. */
const giant = fc.constantFrom("g".repeat(131_072), "世".repeat(44_000))

const rows: fc.Arbitrary<ReadonlyArray<ReadonlyArray<MaybeText>>> = fc.array(
  fc.oneof(
    { weight: 30, arbitrary: fc.array(text, { maxLength: 1, minLength: 1 }) },
    { weight: 10, arbitrary: fc.array(text, { maxLength: 5 }) },
    { weight: 1, arbitrary: fc.array(text, { minLength: 40, maxLength: 260, size: "max" }) },
    { weight: 2, arbitrary: fc.array(large, { minLength: 1, maxLength: 3 }) },
    { weight: 1, arbitrary: fc.tuple(giant) },
    { weight: 1, arbitrary: fc.tuple(text, giant, text) },
    { weight: 2, arbitrary: fc.array(blank, { maxLength: 30, size: "max" }) }
  ),
  { maxLength: 160, size: "max" }
)

interface Scenario {
  readonly rows: ReadonlyArray<ReadonlyArray<MaybeText>>
  /** The sizes of the source's chunks. */
  readonly chunks: ReadonlyArray<number>
  readonly concurrency: number
  /** The most turns that a request takes. */
  readonly turns: number
  /** One request in so many fails. */
  readonly failing: number
}

const scenario: fc.Arbitrary<Scenario> = fc.record({
  rows,
  chunks: fc.array(fc.integer({ min: 0, max: 60 }), { maxLength: 20 }),
  concurrency: fc.integer({ min: 1, max: 16 }),
  turns: fc.constantFrom(0, 3, 30),
  failing: fc.constantFrom(Number.POSITIVE_INFINITY, 3, 1)
})

/** A source of chunks of the given sizes, empty ones too, over and over. */
const chunksOf = <A>(elements: ReadonlyArray<A>, sizes: ReadonlyArray<number>): Stream.Stream<A> => {
  const chunks: Array<Chunk.Chunk<A>> = []
  let start = 0
  for (let index = 0; start < elements.length; index++) {
    const size = sizes.some((size) => size > 0) ? sizes[index % sizes.length]! : 4096
    chunks.push(Chunk.unsafeFromArray(elements.slice(start, start + size)))
    start += size
  }
  return Stream.fromChunks(...chunks)
}

const translated = ({ chunks, concurrency, failing, rows, turns }: Scenario, unordered: boolean) =>
  Effect.gen(function* () {
    const elements = rows.map((texts, id): Row => ({ id, texts }))
    const failedCalls = new Set<number>()
    const translator = fake((_, call) =>
      Effect.zipRight(
        randomTurns(turns),
        Effect.suspend(() => {
          if ((call + 1) % failing !== 0) return Effect.void
          failedCalls.add(call)
          return Effect.fail(unavailable)
        })
      )
    )
    const outcomes = yield* chunksOf(elements, chunks).pipe(
      TranslateStream.translateWith({
        targetLang: "de",
        oversized: "fail",
        concurrency,
        unordered,
        texts: (row: Row) => row.texts,
        replace: ({ id }: Row, texts: ReadonlyArray<MaybeText>): Row => ({ id, texts })
      }),
      collect,
      translator.provide
    )
    return { elements, outcomes, failedCalls, ...translator }
  })

type Run = Effect.Effect.Success<ReturnType<typeof translated>>

const fits = (text: string) => bodyBytes([text.trim()]) <= maxBytes

/** What each row should become, from which texts went into which request. */
const checkOutcomes = ({ calls, elements, failedCalls, outcomes }: Run) => {
  const failedTexts: Array<boolean> = calls.flatMap((texts, call) => texts.map(() => failedCalls.has(call)))
  expect(outcomes).toHaveLength(elements.length)
  let sent = 0
  elements.forEach((row, index) => {
    const outcome = outcomes[index]!
    const failures: Array<readonly [number, string]> = []
    const value = row.texts.map((text, field) => {
      if (!isText(text)) return text
      if (!fits(text)) {
        failures.push([field, "InvalidRequest"])
        return text
      }
      if (failedTexts[sent++]) {
        failures.push([field, "ServerError"])
        return text
      }
      return marked(text)
    })
    const texts = row.texts.filter(isText).length
    expect(outcome.source).toBe(row)
    expect(outcome.value).toEqual({ id: row.id, texts: value })
    expect(outcome._tag).toBe(failures.length > 0 ? "Failed" : texts > 0 ? "Translated" : "Skipped")
    expect(outcome.texts).toEqual({
      translated: texts - failures.length,
      cached: 0,
      skipped: row.texts.length - texts,
      failed: failures.length
    })
    if (Outcome.isFailed(outcome)) {
      const found = outcome.failures.map(({ error, field }) => [field, error._tag] as const)
      expect(found.sort(([a], [b]) => Number(a) - Number(b))).toEqual(failures)
    }
  })
}

/** Rows that surely fill no window: all that stands between a request that is not full and the text after it. */
const mayFillTheWindow = (rows: ReadonlyArray<Row>): boolean =>
  rows.length >= 1000 ||
  rows.reduce((sum, { texts }) => sum + texts.filter(isText).length, 0) >= 2 * maxTexts ||
  rows.reduce((sum, { texts }) => sum + texts.reduce((size, text) => size + (text?.length ?? 0), 0), 0) >=
    2 * maxBytes

/** Each request holds the next texts, within the limits, and could not have taken one more. */
const checkRequests = ({ calls, elements }: Run): number => {
  const texts = elements.flatMap((row) =>
    row.texts
      .filter(isText)
      .filter(fits)
      .map((text) => ({ row, text: text.trim() }))
  )
  let underfull = 0
  let start = 0
  calls.forEach((batch, call) => {
    const end = start + batch.length
    expect(batch).toEqual(texts.slice(start, end).map(({ text }) => text))
    expect(batch.length).toBeGreaterThan(0)
    expect(batch.length).toBeLessThanOrEqual(maxTexts)
    expect(bodyBytes(batch)).toBeLessThanOrEqual(maxBytes)
    if (call < calls.length - 1 && batch.length < maxTexts) {
      const next = texts[end]!
      if (bodyBytes([...batch, next.text]) <= maxBytes) {
        underfull++
        expect(mayFillTheWindow(elements.slice(texts[start]!.row.id, next.row.id))).toBe(true)
      }
    }
    start = end
  })
  expect(start).toBe(texts.length)
  return underfull
}

const checkTally = ({ elements, outcomes }: Run) =>
  Effect.map(Stream.run(Stream.fromIterable(outcomes), Outcome.tally), (sum) => {
    expect(sum.in).toBe(elements.reduce((count, { texts }) => count + texts.length, 0))
    expect(sum.in).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
  })

describe("for any corpus, any chunks and any latencies", () => {
  it("every element has one outcome, in order, of its own texts, from requests as full as they can be", async () => {
    const seen = { requests: 0, underfull: 0, failed: 0 }
    await assertReaching(
      fc.asyncProperty(scenario, (scenario) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const run = yield* translated(scenario, false)
            checkOutcomes(run)
            seen.underfull += checkRequests(run)
            yield* checkTally(run)
            expect(run.state.maxInFlight).toBeLessThanOrEqual(scenario.concurrency)
            expect(run.state.inFlight).toBe(0)
            seen.requests += run.calls.length
            seen.failed += run.failedCalls.size
          })
        )
      ),
      runs(200),
      () => {
        expect(seen.requests).toBeGreaterThan(10)
        expect(seen.failed).toBeGreaterThan(0)
        expect(seen.underfull).toBeLessThan(seen.requests / 20)
      }
    )
  })

  it("unordered outcomes are the same, each once", async () => {
    await fc.assert(
      fc.asyncProperty(scenario, (scenario) =>
        Effect.runPromise(
          Effect.gen(function* () {
            const run = yield* translated(scenario, true)
            const outcomes = [...run.outcomes].sort((a, b) => a.source.id - b.source.id)
            checkOutcomes({ ...run, outcomes })
            checkRequests(run)
            yield* checkTally(run)
            expect(run.state.maxInFlight).toBeLessThanOrEqual(scenario.concurrency)
          })
        )
      ),
      { numRuns: runs(100), endOnFailure: true }
    )
  })
})
