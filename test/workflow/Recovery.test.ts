/** What the campaign of faults (`scripts/durable.ts faults`) reads out of the log of its service. */
import { describe, expect, it } from "vitest"
import type { Entry } from "./chaos/log.js"
import * as recovery from "./chaos/recovery.js"

/** A request of fifty texts that takes a second. */
const request = (worker: number, arrived: number, first: number, more: Partial<Entry> = {}): Entry => ({
  arrived,
  ended: arrived + 1000,
  status: 200,
  texts: 50,
  characters: 500,
  worker,
  first,
  numbers: Array.from({ length: 50 }, (_, index) => first + index),
  lang: "DE",
  isLost: false,
  ...more
})

describe("the time until a job goes on after a fault", () => {
  const kill = { what: "kill", at: 10_500, from: 10_500, pids: [1] }
  const struck = request(1, 10_000, 100, { isLost: true })

  it("ends when another process sends a text that was in flight", () => {
    const log = [struck, request(2, 11_000, 5000), request(2, 13_500, 120)]
    expect(recovery.secondsOf(log, kill)).toEqual([3])
  })

  it("ends when the next texts of the step are sent, as texts in flight may be leased", () => {
    const log = [struck, request(2, 12_500, 150), request(2, 40_000, 100)]
    expect(recovery.secondsOf(log, kill)).toEqual([2])
  })

  it("does not end with a text that was sent before, nor with one of another step", () => {
    const before = request(2, 9000, 150)
    const log = [before, struck, request(2, 11_000, 150), request(2, 11_500, 2000)]
    expect(recovery.secondsOf(log, kill)).toEqual([undefined])
  })

  it("does not end with a request whose sender did not live to see the answer", () => {
    const log = [struck, request(2, 12_500, 100, { isLost: true }), request(3, 17_500, 100)]
    expect(recovery.secondsOf(log, kill)).toEqual([7])
  })

  it("counts each step, but not texts that other places have too", () => {
    const repeated = request(1, 10_000, 100, { isLost: true, numbers: [100, 101, 9000, 102] })
    const other = request(1, 10_200, 4000, { isLost: true })
    const log = [repeated, other, request(2, 12_500, 100), request(3, 15_500, 4000)]
    expect(recovery.secondsOf(log, kill)).toEqual([2, 5])
  })

  it("begins when the database is back", () => {
    const stop = { what: "stop", at: 10_500, from: 20_500 }
    expect(recovery.secondsOf([request(1, 10_000, 100), request(1, 23_500, 150)], stop)).toEqual([3])
  })

  it("does not end with texts that a frozen process had sent", () => {
    const freeze = { ...kill, thawedAt: 70_500 }
    const log = [request(1, 10_000, 100), request(1, 10_501, 150), request(2, 25_500, 200)]
    expect(recovery.secondsOf(log, freeze)).toEqual([15])
  })
})

it("a text counts once in a throughput, and only where its sender got it", () => {
  const log = [
    request(1, 0, 0),
    request(1, 1000, 50, { isLost: true }),
    request(2, 2000, 50),
    request(2, 3000, 0),
    request(2, 4000, 100, { status: 429 })
  ]
  expect(recovery.rateOf(log, 0, 10_000)).toBe(10)
})
