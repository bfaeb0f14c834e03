import * as Effect from "effect/Effect"
import { conformance } from "../store/conformance.js"
import { runs } from "../support/long.js"
import { frozenOwner, newClient, owner, shared } from "./stores.js"

const lease = "1 second"

/** PostgreSQL in `npm run test:long`. */
const databases = shared.slice(0, runs(1, shared.length))

for (const database of databases) {
  const make = newClient(database)
  conformance(database.name, {
    make: Effect.map(make, (client) => ({ owner: owner(client) })),
    makeExpiring: Effect.map(make, (client) => ({
      owner: owner(client, { lease }),
      frozenOwner: frozenOwner(client, { lease }),
      lease
    })),
    runs: runs(5, 30)
  })
}
