/** A job whose process loses the network to the store: what it sends gets lost, and nobody tells either of them. */
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { capability } from "../support/capabilities.js"
import { runs } from "../support/long.js"
import * as networks from "../support/network.js"
import * as check from "./crash/check.js"
import { type Prepared, pause, prepare } from "./crash/kills.js"
import { type Stores, server } from "./crash/stores.js"

const texts = 1000

const seconds = runs(40, 5)

const namespaces = capability("networks")

describe.skipIf(namespaces.isMissing)(
  `a job of ${texts} texts that is cut off from PostgreSQL for ${seconds} seconds${namespaces.why}`,
  () => {
    let network: networks.Network
    let toStore: networks.Link
    let prepared: Prepared
    let stores: Stores

    beforeAll(async () => {
      network = networks.make()
      toStore = network.link()
      const postgres = await networks.postgresAt(toStore)
      stores = { ...server, named: () => networks.databaseOver(postgres, toStore) }
      // The service is in the network too: it answers all the while.
      prepared = await prepare({ within: network.within })
    })

    afterAll(() => {
      prepared?.remove()
      network?.remove()
    })

    it("waits, goes on by itself, and is billed once", async () => {
      const { doubts, excess } = await check.disturb(
        prepared,
        stores,
        texts,
        async (home, store, { requests }) => {
          const { done, sent } = prepared.run(home, store)
          await sent(requests / 2)
          toStore.cut()
          await pause(seconds * 1000)
          toStore.heal()
          await done()
          return "cut off"
        }
      )
      expect({ doubts, excess }).toEqual({ doubts: [], excess: 0 })
    })
  }
)
