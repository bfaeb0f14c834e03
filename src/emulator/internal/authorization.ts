import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as ServiceError from "../../api/ServiceError.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"

/** The key in an `Authorization` header of exactly `<scheme> <key>`. */
export const keyOf = (scheme: string, header: string | undefined): string | undefined =>
  header?.startsWith(`${scheme} `) === true ? header.slice(scheme.length + 1) : undefined

/** A refusal that never repeats the key. */
export const forbidden = (scheme: string): typeof ServiceError.Forbidden.Type => ({
  _tag: "Forbidden",
  message: `Authorization failed: send an accepted key in the header "Authorization: ${scheme} <key>", not in the query or the body`
})

/** Accepts the account's keys. */
export const layer = (account: AccountState, scheme: string) =>
  Layer.succeed(
    TranslateApi.Authorization,
    TranslateApi.Authorization.of({
      key: (header) =>
        Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
          const key = keyOf(scheme, Redacted.value(header))
          return key !== undefined && account.keys.has(key) && !("auth_key" in query)
            ? Effect.succeed({ key })
            : Effect.fail(forbidden(scheme))
        })
    })
  )
