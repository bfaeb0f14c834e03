/** Workers that are killed while an activity about texts has a request in flight: what was paid, and what it ends with. */
import { describe, expect, it } from "vitest"
import { kill, programs, resultsOf } from "./killed.js"

const { prepare } = programs("activities")

describe("an activity whose worker is killed with a request in flight", () => {
  it("is in doubt without a store, and nothing is sent again", async () => {
    const { meter, until, work } = await prepare("plain")
    const worker = work("plain")
    await until(({ texts }) => texts === 100)
    await kill(worker)
    expect(await resultsOf(work("plain"))).toMatchObject({ error: "InDoubt" })
    expect((await meter()).texts).toBe(100)
    // It is final.
    expect(await resultsOf(work("plain"))).toMatchObject({ error: "InDoubt" })
  })

  it("is in doubt if it improves texts, and nothing is sent again", async () => {
    const { meter, until, work } = await prepare("write")
    const worker = work("write")
    await until(({ characters }) => characters > 0)
    const { characters } = await meter()
    await kill(worker)
    expect(await resultsOf(work("write"))).toMatchObject({ error: "InDoubt" })
    expect((await meter()).characters).toBe(characters)
  })

  it("pays with a store for texts in flight alone, which the ledger names", async () => {
    const { meter, until, work } = await prepare("store")
    const worker = work("store")
    await until(({ texts }) => texts === 100)
    await kill(worker)
    expect(await resultsOf(work("store"))).toEqual({ texts: 100, failures: 0, cached: 50, unknown: 1 })
    expect((await meter()).texts).toBe(150)
  })

  it("lets it come in with a store if it is told to end, and the next one pays for nothing", async () => {
    const { meter, until, work } = await prepare("ended")
    const worker = work("store")
    await until(({ texts }) => texts === 100)
    await kill(worker, "SIGTERM")
    expect(await resultsOf(work("store"))).toMatchObject({ texts: 100, failures: 0, unknown: 0 })
    expect((await meter()).texts).toBe(100)
  })
})
