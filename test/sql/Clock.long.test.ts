/** Jobs with a store in a file, whose processes have a clock that somebody sets, or that differs from that of others. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runs } from "../support/long.js"
import * as wallClock from "../support/wallClock.js"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"
import { file } from "./crash/stores.js"

const texts = runs(2000, 1000)

let prepared: Prepared

const newName = () => `${prepared.folder}/${randomUUID()}`

/** The variables of a process whose clock is so many hours ahead. */
const ahead = (hours: number) => ({ env: wallClock.make(newName(), hours).env })

const disturb = (run: Parameters<typeof check.disturb>[3]) => check.disturb(prepared, file, texts, run)

describe(`a job of ${texts} texts into three languages`, () => {
  beforeAll(async () => {
    prepared = await prepare()
  })

  afterAll(() => prepared?.remove())

  it("is billed once though its clock is set forward by two hours, and back by four", async () => {
    const { doubts, excess } = await disturb(async (home, store, { requests }) => {
      const clock = wallClock.make(newName())
      const { done, sent } = prepared.run(home, store, { env: clock.env })
      for (const hours of [2, -2, 0]) {
        await sent(requests / 5)
        clock.set(hours)
      }
      await done()
      return "clock set"
    })
    expect({ doubts, excess }).toEqual({ doubts: [], excess: 0 })
  })

  it("that two processes run at once, whose clocks are two hours apart, pays twice at most for requests that the ledger names", async () => {
    const { doubts, excess } = await disturb(async (home, store) => {
      await Promise.all([1, -1].map((hours) => prepared.finish(home, store, ahead(hours))))
      return "two clocks"
    })
    expect(excess).toBeGreaterThanOrEqual(0)
    expect(excess).toBeLessThanOrEqual(check.charactersOf(doubts))
  })

  it("goes on at once where a killed process has left it whose clock was an hour ahead", async () => {
    const { doubts, excess } = await disturb(async (home, store, { requests }) => {
      const { child, ended, sent } = prepared.run(home, store, ahead(1))
      await sent(requests / 2)
      child.kill("SIGKILL")
      await ended
      await prepared.finish(home, store)
      return "killed"
    })
    expect(excess).toBeGreaterThanOrEqual(0)
    expect(excess).toBeLessThanOrEqual(check.charactersOf(doubts))
  })
})
