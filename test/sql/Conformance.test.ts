import * as Effect from "effect/Effect"
import { conformance } from "../store/conformance.js"
import { runs, someOf } from "../support/long.js"
import { frozenOwner, newClient, owner, shared } from "./stores.js"

const lease = "1 second"

for (const database of someOf(shared)) {
  const make = newClient(database)
  conformance(database.name, {
    make: Effect.map(make, (client) => ({ owner: owner(client) })),
    makeExpiring: Effect.map(make, (client) => ({
      owner: owner(client, { lease }),
      frozenOwner: frozenOwner(client, { lease }),
      lease
    })),
    runs: runs(30, 5)
  })
}
