import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type * as Scope from "effect/Scope"
import { KeyApi } from "../../../api/KeyApi.js"
import type { TranslateApi } from "../../../api/TranslateApi.js"
import type * as Region from "../../Region.js"
import type { CallError } from "../../TranslateError.js"
import * as calls from "./call.js"
import type { Connection } from "./connection.js"
import * as contractDecoding from "./contractDecoding.js"
import { get } from "./get.js"
import * as textCalls from "./textCalls.js"
import type * as transport from "./transport.js"

type Api =
  typeof TranslateApi extends HttpApi.HttpApi<string, infer Groups, infer _E, infer _R>
    ? HttpApiClient.Client<Groups, CallError, calls.CurrentCall | Scope.Scope>
    : never

type RequestOf<Method> = Method extends (request: infer Request) => unknown ? Request : never

type SuccessOf<Method> = Method extends (request: never) => Effect.Effect<infer A, infer _E, infer _R>
  ? Exclude<A, readonly [unknown, HttpClientResponse.HttpClientResponse]>
  : never

/** The endpoints of a group of the contract. */
export interface Group<G extends keyof Api> {
  readonly endpoint: (name: keyof Api[G]) => calls.Endpoint
  /** The contract's client of this group: made when it is first needed. */
  readonly client: Effect.Effect<Api[G]>
  /** Calls an endpoint with the request that is made of an input. */
  readonly call: <N extends keyof Api[G], I = void>(
    name: N,
    resend: calls.Resend,
    request: (input: I) => RequestOf<Api[G][N]>,
    checks?: calls.Checks<I, SuccessOf<Api[G][N]>>
  ) => (input: I) => Effect.Effect<SuccessOf<Api[G][N]>, CallError>
  /** Calls an endpoint that deletes. `NotFound` after an ambiguous attempt means that this attempt has deleted it. */
  readonly remove: <N extends keyof Api[G], I>(
    name: N,
    request: (input: I) => RequestOf<Api[G][N]>
  ) => (input: I) => Effect.Effect<void, CallError>
}

export interface Endpoints {
  readonly region: Region.Service
  readonly send: transport.Send
  /** Sends to an address that the service has given. */
  readonly sendTo: transport.Send
  /** A group of the contract; its client may send by another `HttpClient` than the others. */
  readonly group: <G extends keyof Api>(
    group: G,
    transform?: (httpClient: ContractClient) => ContractClient
  ) => Group<G>
  /** Calls an endpoint that is asked by its address alone. */
  readonly get: ReturnType<typeof get>
  /** Calls an endpoint whose request is sent by hand. */
  readonly define: <I, A>(definition: calls.Definition<I, A>) => (input: I) => Effect.Effect<A, CallError>
  /** Calls an endpoint that streams send many texts to. */
  readonly bulk: ReturnType<typeof textCalls.bulk>
}

type ContractClient = HttpClient.HttpClient.With<CallError, calls.CurrentCall | Scope.Scope>

type AnyClient = Record<
  PropertyKey,
  (request: unknown) => Effect.Effect<never, unknown, calls.CurrentCall | Scope.Scope>
>

/** Keeps the value of an effect, which runs when it is first needed. */
const lazy = <A>(effect: Effect.Effect<A>): Effect.Effect<A> => {
  let value = Effect.tap(effect, (made) =>
    Effect.sync(() => {
      value = Effect.succeed(made)
    })
  )
  return Effect.suspend(() => value)
}

/** Ends with its scope. The transport on node:http does not, if the connection ends before the request is sent. */
const endWithScope = <A, E, R>(sent: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<never>()
    yield* Effect.addFinalizer(() => Deferred.interrupt(closed))
    return yield* Effect.raceFirst(sent, Effect.interruptible(Deferred.await(closed)))
  })

/** The `HttpClient` of the contract's client. The call is in the context of the fiber that sends and decodes. */
const contractClient = (send: transport.Send): ContractClient =>
  HttpClient.makeWith(
    Effect.flatMap((request: HttpClientRequest.HttpClientRequest) =>
      Effect.flatMap(calls.CurrentCall, (call) => send(call, request))
    ),
    Effect.succeed<HttpClientRequest.HttpClientRequest>
  )

/** In place of the client's own decoding, which would read without bound, and only the status that is declared. */
const transformResponse = () =>
  Effect.flatMap(calls.CurrentCall, (call) => contractDecoding.decode(call, call.response!)) as Effect.Effect<
    unknown,
    unknown
  >

const groupOf = <G extends keyof Api>(
  api: typeof TranslateApi,
  group: G,
  httpClient: ContractClient,
  define: Endpoints["define"]
): Group<G> => {
  // Made when needed, since all groups take 30 ms and 9 MB. All its calls have its context.
  const made = HttpApiClient.group(api, {
    group: group as keyof Api,
    httpClient,
    transformResponse
  })
  const client: Effect.Effect<unknown> = lazy(Effect.mapInputContext(made, () => Context.empty()))
  const endpoint = (name: keyof Api[G]): calls.Endpoint => api.groups[group]!.endpoints[name]!
  const call: Group<G>["call"] = (name, resend, request, checks) =>
    define({
      ...checks,
      endpoint: endpoint(name),
      resend,
      send: (input) =>
        Effect.flatMap(client as Effect.Effect<AnyClient>, (client) => client[name]!(request(input)))
    })
  const remove: Group<G>["remove"] = (name, request) => {
    const run = call(name, "always", request)
    return (input) =>
      Effect.catchTag(run(input), "NotFound", (error) =>
        error.ambiguousAttempts > 0 ? Effect.void : Effect.fail(error)
      )
  }
  return { client: client as Effect.Effect<Api[G]>, endpoint, call, remove }
}

/** The endpoints that a client calls: those for API keys, unless it is given a contract. */
export const make = (connection: Connection, api = KeyApi as unknown as typeof TranslateApi): Endpoints => {
  const { delivered, region, send, sendTo } = connection
  const httpClient = contractClient(send)
  const ending: Connection["delivered"] = (definition) =>
    delivered({ ...definition, send: (input, call) => endWithScope(definition.send(input, call)) })
  const define: Endpoints["define"] = (definition) => {
    const run = ending(definition)
    return (input) => Effect.map(run(input), ({ value }) => value)
  }
  return {
    region,
    send,
    sendTo,
    define,
    get: get({ send, delivered: ending }),
    group: (group, transform = identity) => groupOf(api, group, transform(httpClient), define),
    bulk: textCalls.bulk(connection)
  }
}
