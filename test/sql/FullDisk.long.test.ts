/** Jobs whose disk becomes full in the middle: that of the store, that of outputs and drafts, or both. */
import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { capability } from "../support/capabilities.js"
import * as disks from "../support/disk.js"
import { runs } from "../support/long.js"
import * as check from "./crash/check.js"
import { type Prepared, prepare } from "./crash/kills.js"
import { file } from "./crash/stores.js"

const texts = runs(2000, 1000)

const mounts = capability("mounts")

describe.skipIf(mounts.isMissing)(`a job of ${texts} texts${mounts.why}`, () => {
  let ofOutputs: disks.Disk
  let ofStores: disks.Disk
  let prepared: Prepared

  beforeAll(async () => {
    ofOutputs = disks.make("16m")
    ofStores = disks.make("16m")
    prepared = await prepare({ disk: ofOutputs.path })
  })

  afterAll(() => {
    prepared?.remove()
    for (const disk of [ofOutputs, ofStores]) disk?.remove()
  })

  const stores = { ...file, named: async () => `${ofStores.path}/${randomUUID()}.db` }

  /** Fills disks in the middle, and makes room once the job has ended. What it says of it, and what the job was billed too much. */
  const run = async (...full: ReadonlyArray<disks.Disk>) => {
    const { doubts, excess, what } = await check.disturb(
      prepared,
      stores,
      texts,
      async (home, store, { requests }) => {
        const { ended, sent } = prepared.run(home, store)
        await sent(requests / 2)
        for (const disk of full) disk.fill()
        const { output } = await ended
        for (const disk of full) disk.empty()
        await prepared.finish(home, store)
        return output
      }
    )
    return { says: what, excess, doubts: check.charactersOf(doubts) }
  }

  it("whose store has no space left says so, and pays twice at most for requests that the ledger names once it has", async () => {
    const { doubts, excess, says } = await run(ofStores)
    expect(says).toMatch(/There is no space left for the store .*Make room on its disk/)
    expect(excess).toBeGreaterThanOrEqual(0)
    expect(excess).toBeLessThanOrEqual(doubts)
  })

  it("whose outputs have no space left says so of each, keeps paid translations, and writes them once they have", async () => {
    const { doubts, excess, says } = await run(ofOutputs)
    expect(
      says.match(/texts\.(de|fr|ja)\.csv can't be written \(.*ENOSPC.*make room on its disk/g)
    ).toHaveLength(3)
    expect({ doubts, excess }).toEqual({ doubts: 0, excess: 0 })
  })

  it("that has no space left for anything pays twice at most for requests that the ledger names once it has", async () => {
    const { doubts, excess } = await run(ofOutputs, ofStores)
    expect(excess).toBeGreaterThanOrEqual(0)
    expect(excess).toBeLessThanOrEqual(doubts)
  })
})
