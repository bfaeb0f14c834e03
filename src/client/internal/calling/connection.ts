import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Auth from "../../Auth.js"
import * as CircuitBreaker from "../../CircuitBreaker.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type * as Region from "../../Region.js"
import * as attempts from "./attempts.js"
import * as transport from "./transport.js"

/** The parts of a connection. */
export interface Parts {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly concurrencyLimit: ConcurrencyLimit.Service
  readonly circuit?: CircuitBreaker.Policy | undefined
  readonly httpClient: HttpClient.HttpClient
}

/** The shared connection of all calls of a client. */
export interface Connection extends Parts, transport.Transport {
  readonly delivered: Effect.Effect.Success<ReturnType<typeof attempts.make>>
}

export const make = (parts: Parts): Effect.Effect<Connection, never, Scope.Scope> =>
  Effect.map(attempts.make(parts.concurrencyLimit, parts.circuit ?? CircuitBreaker.make()), (delivered) => ({
    ...parts,
    ...transport.make(parts),
    delivered
  }))
