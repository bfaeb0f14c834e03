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

/** Accepts the keys of the accounts: admin keys for administration, all others for everything else. */
export const layer = (account: AccountState, scheme: string) => {
  const accept = (forAdmin: boolean) => (header: Redacted.Redacted) =>
    Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
      const key = account.keys.get(keyOf(scheme, Redacted.value(header)) ?? "")
      return key !== undefined &&
        key.isAdmin === forAdmin &&
        key.deactivatedAt === undefined &&
        !("auth_key" in query)
        ? Effect.succeed({ key: key.key })
        : Effect.fail(forbidden(scheme))
    })
  return Layer.merge(
    Layer.succeed(TranslateApi.Authorization, TranslateApi.Authorization.of({ key: accept(false) })),
    Layer.succeed(
      TranslateApi.AdminAuthorization,
      TranslateApi.AdminAuthorization.of({ adminKey: accept(true) })
    )
  )
}
