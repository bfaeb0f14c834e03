/** A store in a database is as all stores are. */
import { describe } from "@effect/vitest"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { conformance } from "../store/conformance.js"
import * as several from "../store/conformanceShared.js"
import { runs } from "../support/long.js"
import { frozenOwner, newClient, owner, type Shared } from "./stores.js"

const lease: Duration.DurationInput = "1 second"

const subjectOf = (database: Shared) => ({
  make: Effect.map(newClient(database), (client) => ({ owner: owner(client) })),
  runs: runs(30, 5)
})

/** What holds for one owner. */
export const suite = (database: Shared) => conformance(database.name, subjectOf(database))

/** What holds for several. Leases of a second are waited for. */
export const suiteOfSeveral = (database: Shared) =>
  describe(`several owners of a store in ${database.name}`, () => {
    const makeExpiring = Effect.map(newClient(database), (client) => ({
      owner: owner(client, { lease }),
      frozenOwner: frozenOwner(client, { lease }),
      lease
    }))
    several.register(subjectOf(database), makeExpiring)
  })
