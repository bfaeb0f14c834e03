/** The ledger of one process, by itself: which requests it tells of, and their sums. */
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { MemoryLedger } from "../../src/store/internal/inMemoryLedger.js"

const at = (millis: number) => DateTime.unsafeMake(millis)

const begin = (ledger: MemoryLedger, id: string, millis = 0, characters = 10) =>
  ledger.begin({ id, namespace: "n", texts: 2, characters, at: at(millis) })

const one = (attempts: number, characters = 10 * attempts) => ({ attempts, characters })

describe("a request", () => {
  it("is in flight until it has ended, and is counted once, by its ending", () => {
    const ledger = new MemoryLedger("me")
    begin(ledger, "a")
    expect(ledger.isInFlight("a")).toBe(true)
    expect(ledger.stats()).toMatchObject({ inFlight: one(1), answered: one(0) })
    ledger.end("a", "answered")
    expect(ledger.isInFlight("a")).toBe(false)
    expect(ledger.stats()).toMatchObject({ inFlight: one(0), answered: one(1) })
    expect(ledger.rows()).toEqual([
      { id: "a", namespace: "n", texts: 2, characters: 10, at: at(0), owner: "me", state: "answered" }
    ])
  })

  it("that nobody has begun, or that has ended, ends no more", () => {
    const ledger = new MemoryLedger("me")
    ledger.end("a", "answered")
    begin(ledger, "b")
    ledger.end("b", "rejected")
    ledger.end("b", "answered")
    expect(ledger.stats()).toMatchObject({ inFlight: one(0), answered: one(0), rejected: one(1) })
  })

  it("that is repeated is in doubt, and another one of the same texts is in flight", () => {
    const ledger = new MemoryLedger("me")
    begin(ledger, "a")
    expect(ledger.repeat("a", "b", at(5))).toBe(true)
    expect(ledger.rows().map(({ at, id, state, texts }) => [id, state, texts, at.epochMillis])).toEqual([
      ["a", "unknown", 2, 0],
      ["b", "inFlight", 2, 5]
    ])
    expect(ledger.stats()).toMatchObject({ inFlight: one(1), unknown: one(1) })
    expect(ledger.repeat("a", "c", at(6))).toBe(false)
  })
})

describe("the requests that are told of", () => {
  it("are in the order of their beginning, in flight or not", () => {
    const ledger = new MemoryLedger("me")
    begin(ledger, "b", 2)
    begin(ledger, "a", 1)
    begin(ledger, "c", 3)
    ledger.end("c", "answered")
    expect(ledger.rows().map(({ id }) => id)).toEqual(["a", "b", "c"])
  })

  it("are the last thousand at least; the sums stay those of all", () => {
    const ledger = new MemoryLedger("me")
    for (let i = 0; i < 2000; i++) {
      begin(ledger, `${i}`, i)
      ledger.end(`${i}`, "answered")
    }
    expect(ledger.rows()).toHaveLength(2000)
    begin(ledger, "last", 2000)
    ledger.end("last", "answered")
    expect(ledger.rows()).toHaveLength(1000)
    expect(ledger.rows().at(-1)!.id).toBe("last")
    expect(ledger.stats().answered).toEqual(one(2001))
  })

  it("are summed from a time on, by their endings", () => {
    const ledger = new MemoryLedger("me")
    begin(ledger, "a", 1)
    begin(ledger, "b", 2, 5)
    begin(ledger, "c", 3, 7)
    ledger.end("a", "answered")
    ledger.end("b", "answered")
    expect(ledger.sumsSince(at(2))).toMatchObject({ answered: one(1, 5), inFlight: one(1, 7) })
  })

  it("are forgotten if they have ended and began before a time, and counted no more", () => {
    const ledger = new MemoryLedger("me")
    begin(ledger, "old", 1)
    begin(ledger, "at that time", 2)
    begin(ledger, "in flight", 1)
    ledger.end("old", "unknown")
    ledger.end("at that time", "answered")
    expect(ledger.prune(2)).toBe(1)
    expect(ledger.rows().map(({ id }) => id)).toEqual(["in flight", "at that time"])
    expect(ledger.stats()).toMatchObject({ unknown: one(0), answered: one(1), inFlight: one(1) })
  })
})
