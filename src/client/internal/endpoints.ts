import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import type * as Types from "effect/Types"
import { TranslateApi } from "../../api/TranslateApi.js"
import type * as Auth from "../Auth.js"
import type * as ConcurrencyLimit from "../ConcurrencyLimit.js"
import type * as Region from "../Region.js"
import * as TranslateError from "../TranslateError.js"
import * as answer from "./answer.js"
import * as internal from "./call.js"
import * as http from "./http.js"
import * as post from "./post.js"

export interface Options {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly concurrencyLimit: ConcurrencyLimit.Service
  readonly httpClient: HttpClient.HttpClient
}

/** What is known of the call is in the context of the fiber that decodes. */
const decoding = (decoded: Effect.Effect<unknown, unknown>) =>
  Effect.catchAll(decoded, (error) =>
    Effect.flatMap(internal.CurrentCall, (call) => Effect.fail(answer.unreadable(call, error)))
  ) as Effect.Effect<unknown, unknown>

type Api<E, R> =
  typeof TranslateApi extends HttpApi.HttpApi<string, infer Groups, infer ApiError, infer _>
    ? Types.Mutable<HttpApiClient.Client<Groups, ApiError | E, R>>
    : never

/** The contract's groups, each made for its first request: all of them take 30 ms and 9 MB. */
const connect = <E, R>(transport: post.Options<E, R>) =>
  new Proxy({} as Api<E, R>, {
    get: (groups, group: keyof Api<E, R>) =>
      (groups[group] ??= Effect.runSync(HttpApiClient.group(TranslateApi, { ...transport, group })) as never)
  })

type Contract = { readonly method: string; readonly path: string }

type Send<I, A> = internal.Definition<I, A>["send"]

interface Checks<I, A> extends Pick<internal.Definition<I, A>, "busy" | "size"> {
  /** How many items the answer must hold, and how many it holds. */
  readonly expect?: ((input: I, value: A) => readonly [expected: number, received: number]) | undefined
}

/** Ends with its scope, though its transport waits on: node:http does, when a connection ends amid the request. */
const cut = <A, E, R>(sent: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<never>()
    yield* Effect.addFinalizer(() => Deferred.interrupt(closed))
    return yield* Effect.raceFirst(sent, Deferred.await(closed))
  })

/** Before anything is sent, only the request's schema can fail: all else is a `TranslateError` already. */
const failure = (call: internal.Call, error: unknown): TranslateError.TranslateError =>
  TranslateError.isTranslateError(error)
    ? error
    : answer.invalidRequest(call, error as ParseResult.ParseError)

const counting =
  <I, A>(expect: NonNullable<Checks<I, A>["expect"]>) =>
  (call: internal.Call, input: I, value: A) => {
    const [expected, received] = expect(input, value)
    return expected === received ? undefined : answer.mismatched(call, expected, received)
  }

/** The endpoints of one client: its contract, and how a call is made of a request. */
export const make = (options: Options) =>
  Effect.gen(function* () {
    const transport = { httpClient: http.make(options), transformResponse: decoding }
    const api = connect(transport)
    const shared = yield* internal.makeShared(options.concurrencyLimit)

    /** A call, with how often it was sent. */
    const delivered = <I, A>(
      endpoint: Contract,
      repetition: internal.Repetition,
      send: Send<I, A>,
      { busy, expect, size }: Checks<I, A> = {}
    ) =>
      internal.make(shared, {
        endpoint,
        repetition,
        busy,
        size,
        send,
        failure,
        check: expect && counting(expect)
      })

    /** A call as most callers want it. */
    const call = <I = void, A = unknown>(
      endpoint: Contract,
      repetition: internal.Repetition,
      send: Send<I, A>,
      checks?: Checks<I, A>
    ): ((input: I) => Effect.Effect<A, TranslateError.TranslateError>) => {
      const make = delivered(endpoint, repetition, (input: I) => cut(send(input)), checks)
      return (input) => Effect.map(make(input), ({ value }) => value)
    }

    /** A deletion. That it is gone after an attempt of unknown fate means that this attempt deleted it. */
    const remove = <I>(endpoint: Contract, send: Send<I, void>) => {
      const make = call(endpoint, "free", send)
      return (input: I): Effect.Effect<void, TranslateError.TranslateError> =>
        Effect.catchTag(make(input), "NotFound", (error) =>
          error.ambiguousAttempts > 0 ? Effect.void : Effect.fail(error)
        )
    }

    return {
      api,
      call,
      delivered,
      post: post.make(transport),
      remove,
      region: options.region
    }
  })

export type Endpoints = Effect.Effect.Success<ReturnType<typeof make>>
