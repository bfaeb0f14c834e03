import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Predicate from "effect/Predicate"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Struct from "effect/Struct"
import type * as ServiceError from "../../api/ServiceError.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"
import * as endpoint from "./endpoint.js"

/** The key in an `Authorization` header of exactly `<scheme> <key>`. */
export const keyOf = (scheme: string, header: string | undefined): string | undefined =>
  header?.startsWith(`${scheme} `) === true ? header.slice(scheme.length + 1) : undefined

/** A refusal that never repeats the key. */
export const forbidden = (scheme: string): typeof ServiceError.Forbidden.Type => ({
  _tag: "Forbidden",
  message: `Authorization failed: send an accepted key in the header "Authorization: ${scheme} <key>", not in the query or the body`
})

const deprecatedField = "auth_key"

/** True if a payload holds no key, as a key in the body is deprecated. */
export const isKeyless = (payload: unknown): boolean =>
  typeof payload !== "object" || payload === null || !Object.hasOwn(payload, deprecatedField)

const acceptedDuringBrownout = 0.5

/**
 * During the brownout, about half of the requests with a paid key in the query or the body are accepted: their key moves to
 * the header. Other requests stay as they are, and are refused later.
 */
export const brownout = <E>(
  account: AccountState,
  scheme: string,
  request: HttpServerRequest.HttpServerRequest,
  payload: Effect.Effect<unknown, E>
) =>
  Effect.gen(function* () {
    const json = yield* Effect.exit(payload)
    const body = Exit.isSuccess(json) && Predicate.isReadonlyRecord(json.value) ? json.value : {}
    const path = endpoint.pathOf(request.url)
    const query = new URLSearchParams(request.url.slice(path.length))
    const key = query.get(deprecatedField) ?? body[deprecatedField]
    const isPaid = typeof key === "string" && account.keys.get(key)?.tier === "paid"
    if (!isPaid || (yield* Random.next) >= acceptedDuringBrownout) return { request, json }
    query.delete(deprecatedField)
    return {
      request: Object.create(request, {
        url: { value: `${path}?${query}` },
        headers: { value: { ...request.headers, authorization: `${scheme} ${key}` } }
      }) as HttpServerRequest.HttpServerRequest,
      json: isKeyless(body) ? json : Exit.succeed(Struct.omit(body, deprecatedField))
    }
  })

/** Accepts the keys of the accounts: admin keys for administration, all others for everything else. */
export const context = (account: AccountState, scheme: string) => {
  const accept = (forAdmin: boolean) => (header: Redacted.Redacted) =>
    Effect.flatMap(HttpServerRequest.ParsedSearchParams, (query) => {
      const key = account.keys.get(keyOf(scheme, Redacted.value(header)) ?? "")
      return key !== undefined &&
        key.isAdmin === forAdmin &&
        key.deactivatedAt === undefined &&
        !(deprecatedField in query)
        ? Effect.succeed({ key: key.key })
        : Effect.fail(forbidden(scheme))
    })
  return Context.make(TranslateApi.Authorization, { key: accept(false) }).pipe(
    Context.add(TranslateApi.AdminAuthorization, { adminKey: accept(true) })
  )
}
