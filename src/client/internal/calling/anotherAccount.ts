import * as Effect from "effect/Effect"
import * as Auth from "../../Auth.js"
import * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import * as Region from "../../Region.js"
import type { Account } from "../pacing/billedCalls.js"
import * as connection from "./connection.js"

/** A connection of another account, with all of the first one that it does not name. */
export const connect =
  ({ circuit, credentials, httpClient, region }: connection.Parts) =>
  (account: Account) =>
    Effect.gen(function* () {
      return yield* connection.make({
        region: yield* Region.make({ ...region, ...account }),
        credentials: yield* Auth.make({ scheme: credentials.scheme, ...account }),
        concurrencyLimit: yield* account.limit ?? ConcurrencyLimit.makeAdaptive(),
        circuit: account.circuit ?? circuit,
        httpClient
      })
    })
