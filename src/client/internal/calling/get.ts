import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as UrlParams from "@effect/platform/UrlParams"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { CallError } from "../../TranslateError.js"
import type { Checks, Endpoint } from "./call.js"
import type { Connection } from "./connection.js"
import * as responseDecoding from "./responseDecoding.js"

/** An endpoint that is asked by its address alone. */
interface GetEndpoint<Path, Query, A> extends Endpoint {
  readonly pathSchema: Option.Option<Schema.Schema<Path, unknown>>
  readonly urlParamsSchema: Option.Option<Schema.Schema<Query, unknown>>
  readonly successSchema: Schema.Schema<A, unknown>
}

/** The parts of an address that differ from call to call. */
export interface Address<Path, Query> {
  readonly path?: Path | undefined
  readonly query?: Query | undefined
}

const encoded = <A>(schema: Option.Option<Schema.Schema<A, unknown>>, value: A | undefined) =>
  schema._tag === "None" ? Effect.succeed({}) : Schema.encode(schema.value)(value as A)

/** Calls an endpoint that answers with JSON. Without `HttpApiClient`, whose first request takes 50 ms. */
export const get =
  ({ delivered, send }: Pick<Connection, "delivered" | "send">) =>
  <Path, Query, A>(
    endpoint: GetEndpoint<Path, Query, A>,
    checks?: Checks<Address<Path, Query>, A>
  ): ((address: Address<Path, Query>) => Effect.Effect<A, CallError>) => {
    const decode = responseDecoding.make(endpoint.successSchema)
    const run = delivered({
      ...checks,
      endpoint,
      resend: "always",
      send: ({ path, query }: Address<Path, Query>, call) =>
        Effect.gen(function* () {
          const ids = (yield* encoded(endpoint.pathSchema, path)) as Readonly<Record<string, string>>
          const urlParams = (yield* encoded(endpoint.urlParamsSchema, query)) as UrlParams.Input
          const url = endpoint.path.replace(/:(\w+)/g, (_, name) => ids[name]!)
          return yield* decode(call, yield* send(call, HttpClientRequest.get(url, { urlParams })))
        })
    })
    return (address) => Effect.map(run(address), ({ value }) => value)
  }
