/** The permits of batches in flight, by themselves. */
import { describe, expect, it } from "@effect/vitest"
import { FirstAnswers } from "../../src/stream/internal/firstAnswers.js"
import { Permits } from "../../src/stream/internal/permits.js"

/** Permits of which some are taken. */
const taken = (concurrency: number, count: number): Permits => {
  const permits = new Permits(concurrency)
  for (let i = 0; i < count; i++) permits.acquire()
  return permits
}

describe("a new batch", () => {
  it("gets a permit while fewer are in flight than may be", () => {
    const permits = taken(2, 1)
    expect(permits.isAvailable).toBe(true)
    permits.acquire()
    expect(permits.isAvailable).toBe(false)
    permits.release()
    expect(permits.isAvailable).toBe(true)
  })

  it("gets none while another stream waits for the first answer of the job", () => {
    const firstAnswers = new FirstAnswers()
    new Permits(2, firstAnswers).acquire()
    const permits = new Permits(2, firstAnswers)
    expect([permits.isFree, permits.isAvailable]).toEqual([true, false])
  })

  it("comes after a parked one that waits for a permit", () => {
    const permits = taken(1, 1)
    const parked = permits.park(true)!
    permits.acquire()
    expect(parked.tryResume()).toBe(false)
    permits.release()
    expect([permits.isFree, permits.isAvailable]).toEqual([true, false])
    expect(parked.tryResume()).toBe(true)
    permits.release()
    expect(permits.isAvailable).toBe(true)
  })
})

describe("a batch that waits to be sent again", () => {
  it("gives up its permit in an outage, until it resumes", () => {
    const permits = taken(1, 1)
    const parked = permits.park(true)!
    expect([permits.inFlight, permits.parked, permits.isAvailable]).toEqual([0, 1, true])
    parked.resume()
    expect([permits.inFlight, permits.parked, permits.isAvailable]).toEqual([1, 0, false])
  })

  it("keeps its permit if there is no outage, but one beyond the concurrency", () => {
    const permits = taken(1, 1)
    expect(permits.park(false)).toBeUndefined()
    const parked = permits.park(true)!
    permits.acquire()
    parked.resume()
    expect(permits.inFlight).toBe(2)
    expect(permits.park(false)).toBeDefined()
    expect(permits.park(false)).toBeUndefined()
  })

  it("keeps its permit if eight are parked", () => {
    const permits = taken(9, 9)
    for (let i = 0; i < 8; i++) expect(permits.park(true)).toBeDefined()
    expect(permits.park(true)).toBeUndefined()
    expect(permits.inFlight).toBe(1)
  })

  it("resumes once, whatever it waited for", () => {
    const permits = taken(1, 1)
    const parked = permits.park(true)!
    permits.acquire()
    expect(parked.tryResume()).toBe(false)
    parked.resume()
    parked.resume()
    expect([permits.inFlight, permits.parked]).toEqual([2, 0])
    permits.release()
    permits.release()
    expect(permits.isAvailable).toBe(true)
  })
})
