/** What a progress has counted, and what it says of it. No stream runs. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import type { Outcome, Progress } from "effect-translate"
import { Counts } from "../../src/stream/internal/progressCounts.js"

const nothing: Outcome.Cost = { characters: 0, ambiguousCharacters: 0 }

const outcome = (texts: Partial<Outcome.Texts>): Outcome.Outcome<string> => ({
  _tag: "Translated",
  source: "a",
  value: "a",
  texts: { translated: 0, cached: 0, skipped: 0, failed: 0, ...texts },
  cost: nothing,
  translations: []
})

const counts = (options: Progress.Options = {}) => new Counts(options)

const stateOf = (counts: Counts, now = 0, rate = 0) => counts.state(now, rate)

describe("the count in flight", () => {
  it("is the number of characters that were sent and sent again, until it has ended", () => {
    const all = counts()
    const de = all.of("de")
    de.sent(3, 30)
    de.sent(1, 7)
    de.repeated(30)
    expect(stateOf(all).inFlight).toEqual({ texts: 4, characters: 67 })
    de.ended({ texts: 3, characters: 60 }, 2, { characters: 30, ambiguousCharacters: 30 }, undefined)
    expect(stateOf(all).inFlight).toEqual({ texts: 1, characters: 7 })
    expect(stateOf(all).targets[0]!.inFlight).toEqual({ texts: 1, characters: 7 })
  })

  it("is added up over languages", () => {
    const all = counts()
    all.of("de").sent(1, 10)
    all.of("fr").sent(2, 20)
    expect(stateOf(all).inFlight).toEqual({ texts: 3, characters: 30 })
  })
})

describe("requests", () => {
  it("are retries but for the first of a batch; a batch that was not sent has none", () => {
    const all = counts()
    const de = all.of("de")
    const end = (requests: number, error?: string) =>
      de.ended({ texts: 0, characters: 0 }, requests, nothing, error)
    end(1)
    end(3)
    end(0, "BudgetExceeded")
    expect(stateOf(all)).toMatchObject({ requests: 4, retries: 2 })
    expect(stateOf(all).refusals).toEqual({})
  })

  it("that fail are counted by the tag of their error, and added up over languages", () => {
    const all = counts()
    const fail = (targetLang: string, error: string) =>
      all.of(targetLang).ended({ texts: 0, characters: 0 }, 1, nothing, error)
    fail("de", "RateLimited")
    fail("de", "RateLimited")
    fail("fr", "RateLimited")
    fail("fr", "BadRequest")
    const state = stateOf(all)
    expect(state.refusals).toEqual({ RateLimited: 3, BadRequest: 1 })
    expect(state.targets.map(({ refusals }) => refusals)).toEqual([
      { RateLimited: 2 },
      { RateLimited: 1, BadRequest: 1 }
    ])
  })
})

describe("texts", () => {
  it("that have left are done, with any outcome", () => {
    const all = counts()
    const de = all.of("de")
    expect(
      de.emitted([outcome({ translated: 1, flagged: 1 }), outcome({ cached: 2, skipped: 3, failed: 4 })])
    ).toEqual({ translated: 1, cached: 2, skipped: 3, failed: 4, flagged: 1 })
    de.emitted([outcome({ translated: 10 })])
    all.of("fr").emitted([outcome({ failed: 5 })])
    expect(all.done).toBe(25)
    expect(stateOf(all)).toMatchObject({
      translated: 11,
      cached: 2,
      skipped: 3,
      failed: 9,
      flagged: 1,
      done: 25,
      targets: [
        { targetLang: "de", done: 20 },
        { targetLang: "fr", done: 5 }
      ]
    })
  })
})

describe("the cost", () => {
  it("is added up, and priced: at least the bill, at most also characters in doubt or in flight", () => {
    const all = counts({ pricePerMillion: 20 })
    const end = (targetLang: string, characters: number, ambiguousCharacters: number) =>
      all.of(targetLang).ended({ texts: 0, characters: 0 }, 1, { characters, ambiguousCharacters }, undefined)
    end("de", 1_000_000, 0)
    end("fr", 500_000, 250_000)
    all.of("fr").sent(1, 100_000)
    expect(stateOf(all)).toMatchObject({
      characters: 1_500_000,
      ambiguousCharacters: 250_000,
      cost: { least: 30, most: 37 }
    })
  })

  it("is not known without a price", () => {
    expect(stateOf(counts()).cost).toBeUndefined()
  })
})

describe("the total", () => {
  const after = (options: Progress.Options, done: number) => {
    const all = counts(options)
    all.of("de").emitted([outcome({ translated: done })])
    return all
  }

  it("is that of all languages, which are listed from the start, by their canonical codes", () => {
    const state = stateOf(counts({ totals: { "EN-us": 10, de: 5 } }))
    expect(state.total).toBe(15)
    expect(state.targets.map(({ targetLang, total }) => [targetLang, total])).toEqual([
      ["en-US", 10],
      ["de", 5]
    ])
  })

  it("that is given wins over that of the languages", () => {
    expect(stateOf(counts({ total: 100, totals: { de: 5 } })).total).toBe(100)
  })

  it("is not known if nobody gives it", () => {
    expect(stateOf(counts(), 0, 3)).toMatchObject({ total: undefined, timeLeft: undefined })
  })

  it("that is an estimate holds until more is done", () => {
    expect(stateOf(after({ total: 10, isEstimate: true }, 10)).total).toBe(10)
    expect(stateOf(after({ total: 10, isEstimate: true }, 11)).total).toBeUndefined()
    expect(stateOf(after({ total: 10 }, 11)).total).toBe(10)
    const ofLanguage = after({ totals: { de: 10 }, isEstimate: true }, 11)
    expect(stateOf(ofLanguage).targets[0]!.total).toBeUndefined()
  })

  it("tells the time that is left, at the rate of now", () => {
    expect(stateOf(after({ total: 100 }, 40), 0, 3).timeLeft).toEqual(Duration.seconds(20))
    expect(stateOf(after({ total: 100 }, 40), 0, 0).timeLeft).toBeUndefined()
    expect(stateOf(after({ total: 10 }, 40), 0, 3).timeLeft).toEqual(Duration.zero)
  })
})

describe("an outage", () => {
  it("is told with its error, and the time until the next try", () => {
    const all = counts()
    expect(stateOf(all)).toMatchObject({ outage: undefined, nextTry: undefined })
    all.outage = { error: "ServerError", retryAt: undefined }
    expect(stateOf(all)).toMatchObject({ outage: "ServerError", nextTry: undefined })
    all.outage = { error: "ServerError", retryAt: 5000 }
    expect(stateOf(all, 2000).nextTry).toEqual(Duration.seconds(3))
    expect(stateOf(all, 9000).nextTry).toEqual(Duration.zero)
  })
})
