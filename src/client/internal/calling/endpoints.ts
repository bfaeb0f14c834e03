import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClient from "@effect/platform/HttpClient"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { BodyLimit } from "../../../api/BodyLimit.js"
import * as Limits from "../../../api/Limits.js"
import { TranslateApi } from "../../../api/TranslateApi.js"
import { isTexts } from "../../../internal/texts.js"
import type * as Auth from "../../Auth.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import type * as Region from "../../Region.js"
import type { TranslateError } from "../../TranslateError.js"
import type { Guard } from "../checking/requestRules.js"
import * as calls from "./call.js"
import * as responseDecoding from "./responseDecoding.js"
import * as transport from "./transport.js"

type Api =
  typeof TranslateApi extends HttpApi.HttpApi<string, infer Groups, infer _E, infer _R>
    ? HttpApiClient.Client<Groups, TranslateError, calls.CurrentCall | Scope.Scope>
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
  ) => (input: I) => Effect.Effect<SuccessOf<Api[G][N]>, TranslateError>
  /** Calls an endpoint that deletes. `NotFound` after an ambiguous attempt means that this attempt has deleted it. */
  readonly remove: <N extends keyof Api[G], I>(
    name: N,
    request: (input: I) => RequestOf<Api[G][N]>
  ) => (input: I) => Effect.Effect<void, TranslateError>
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
  /** Calls an endpoint whose request is sent by hand. */
  readonly define: <I, A>(
    definition: calls.Definition<I, A>
  ) => (input: I) => Effect.Effect<A, TranslateError>
  /** Calls an endpoint that streams send many texts to. */
  readonly bulk: ReturnType<typeof bulk>
}

type ContractClient = HttpClient.HttpClient.With<TranslateError, calls.CurrentCall | Scope.Scope>

type AnyClient = Record<
  PropertyKey,
  (request: unknown) => Effect.Effect<never, unknown, calls.CurrentCall | Scope.Scope>
>

interface Texts {
  readonly text: ReadonlyArray<string>
}

/** The characters of the texts, which may still be malformed: the schema has not seen them yet. */
const sizeOf = (request: Texts): number =>
  Array.isArray(request?.text) ? request.text.reduce((size, text) => size + (text?.length ?? 0), 0) : 0

/** Whether texts need no schema to be found well-formed: as many strings as every endpoint takes. */
const isEncodable = (text: unknown): boolean =>
  isTexts(text) && text.length > 0 && text.length <= Limits.translateTexts

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
  Effect.flatMap(calls.CurrentCall, (call) => responseDecoding.decode(call, call.response!)) as Effect.Effect<
    unknown,
    unknown
  >

const groupOf = <G extends keyof Api>(
  group: G,
  httpClient: ContractClient,
  define: Endpoints["define"]
): Group<G> => {
  // Made when needed, since all groups take 30 ms and 9 MB. Its context becomes that of all its calls.
  const made = HttpApiClient.group(TranslateApi, {
    group: group as keyof Api,
    httpClient,
    transformResponse
  })
  const client: Effect.Effect<unknown> = lazy(Effect.mapInputContext(made, () => Context.empty()))
  const endpoint = (name: keyof Api[G]): calls.Endpoint => TranslateApi.groups[group]!.endpoints[name]!
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

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null

const areSame = (options: Record<string, unknown>, others: Record<string, unknown>): boolean => {
  const names = Object.keys(options)
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => isPlain(options[name]) && options[name] === others[name])
  )
}

/**
 * Encodes requests. The options of the last one are not encoded again, since a stream sends the same with every request:
 * a stream takes 1.07 times the CPU otherwise.
 */
const makeEncode = <I extends Texts, IEncoded>(payload: Schema.Schema<I, IEncoded>) => {
  const encode = Schema.encodeUnknown(payload)
  let last: { readonly options: Record<string, unknown>; readonly encoded: object } | undefined
  return (input: I): ReturnType<typeof encode> => {
    // Nothing has checked it yet: it may be no object at all.
    const { text, ...options } = Object(input) as I
    if (last !== undefined && areSame(options, last.options) && isEncodable(text)) {
      return Effect.succeed({ text, ...last.encoded } as IEncoded)
    }
    return Effect.map(encode(input), (body) => {
      const { text: _, ...encoded } = body as IEncoded & Texts
      last = { options, encoded }
      return body
    })
  }
}

/** Without `HttpApiClient`, which merges contexts and encodes each body through five schemas: 1.08 to 1.15 of the CPU. */
const bulk =
  (define: Effect.Effect.Success<ReturnType<typeof calls.make>>, send: transport.Send) =>
  <I extends Texts, A extends object, IEncoded, AEncoded>(
    endpoint: calls.Endpoint,
    payload: Schema.Schema<I, IEncoded>,
    success: Schema.Schema<A, AEncoded>,
    items: (value: A) => ReadonlyArray<unknown>,
    guard: Guard<I>
  ) => {
    const post = HttpClientRequest.post(endpoint.path)
    const encode = makeEncode(payload)
    const decode = responseDecoding.make(success)
    const run = define({
      endpoint,
      resend: "budgeted",
      bodyLimit: Option.getOrUndefined(Context.getOption(endpoint.annotations, BodyLimit)),
      size: sizeOf,
      expect: ({ text }: I, value: A) => [text.length, items(value).length] as const,
      send: (input: I, call) =>
        guard(
          input,
          Effect.flatMap(encode(input), (body) =>
            Effect.flatMap(
              send(call, HttpClientRequest.setBody(post, HttpBody.unsafeJson(body))),
              (received) => decode(call, received)
            )
          )
        )
    })
    return (input: I) =>
      Effect.map(run(input), ({ ambiguousAttempts, attempts, value }) => ({
        ...value,
        attempts,
        ambiguousAttempts
      }))
  }

/** The endpoints that a client calls. */
export const make = (options: {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly concurrencyLimit: ConcurrencyLimit.Service
  readonly httpClient: HttpClient.HttpClient
}): Effect.Effect<Endpoints, never, Scope.Scope> =>
  Effect.map(calls.make(options.concurrencyLimit), (delivered) => {
    const { send, sendTo } = transport.make(options)
    const httpClient = contractClient(send)
    const define: Endpoints["define"] = (definition) => {
      const run = delivered({
        ...definition,
        send: (input, call) => endWithScope(definition.send(input, call))
      })
      return (input) => Effect.map(run(input), ({ value }) => value)
    }
    return {
      region: options.region,
      send,
      sendTo,
      define,
      group: (group, transform = identity) => groupOf(group, transform(httpClient), define),
      bulk: bulk(delivered, send)
    }
  })
