import * as Effect from "effect/Effect"
import { conformance } from "../store/conformance.js"
import { isCampaign, runs, someOf } from "../support/long.js"
import { frozenOwner, newClient, owner, shared } from "./stores.js"

const lease = "1 second"

for (const database of someOf(shared)) {
  const make = newClient(database)
  conformance(database.name, {
    make: Effect.map(make, (client) => ({ owner: owner(client) })),
    // Leases of a second are waited for.
    makeExpiring: isCampaign
      ? Effect.map(make, (client) => ({
          owner: owner(client, { lease }),
          frozenOwner: frozenOwner(client, { lease }),
          lease
        }))
      : undefined,
    runs: runs(30, 5)
  })
}
