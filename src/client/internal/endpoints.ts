import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"
import type * as Scope from "effect/Scope"
import { TranslateApi } from "../../api/TranslateApi.js"
import type * as Auth from "../Auth.js"
import type * as Region from "../Region.js"
import type * as Throttle from "../Throttle.js"
import * as TranslateError from "../TranslateError.js"
import * as answer from "./answer.js"
import * as internal from "./call.js"
import * as http from "./http.js"

export interface Options {
  readonly region: Region.Service
  readonly credentials: Auth.Credentials
  readonly throttle: Throttle.Service
  readonly httpClient: HttpClient.HttpClient
}

/** What is known of the call is in the context of the fiber that decodes. */
const decoding = (decoded: Effect.Effect<unknown, unknown>) =>
  Effect.catchAll(decoded, (error) =>
    Effect.flatMap(internal.CurrentCall, (call) => Effect.fail(answer.unreadable(call, error)))
  ) as Effect.Effect<unknown, unknown>

const connect = (options: Options) =>
  HttpApiClient.makeWith(TranslateApi, {
    httpClient: http.make(options),
    transformResponse: decoding
  }).pipe(Effect.mapInputContext((_: Context.Context<never>) => _))

type Definition = { readonly method: string; readonly path: string }

type Send<I, A> = (input: I) => Effect.Effect<A, unknown, internal.CurrentCall | Scope.Scope>

interface Checks<I, A> {
  /** The size of the payload in characters: it stretches the time-out. */
  readonly size?: ((input: I) => number) | undefined
  /** The statuses by which the endpoint refuses one request too many. */
  readonly busy?: ReadonlyArray<number> | undefined
  /** How many items the answer must hold, and how many it holds. */
  readonly expect?: ((input: I, value: A) => readonly [expected: number, received: number]) | undefined
}

/** Before anything is sent, only the request's schema can fail: all else is a `TranslateError` already. */
const fromEncoding = (call: internal.Call, error: unknown): TranslateError.TranslateError =>
  TranslateError.isTranslateError(error)
    ? error
    : answer.invalidRequest(call, error as ParseResult.ParseError)

/** The endpoints of one client: its contract, and how a call is made of a request. */
export const make = (options: Options) =>
  Effect.gen(function* () {
    const api = yield* connect(options)
    const shared = yield* internal.makeShared(options.throttle)

    /** A call, with how often it was sent. */
    const delivered =
      <I, A>(
        endpoint: Definition,
        repetition: internal.Repetition,
        send: Send<I, A>,
        { busy, expect, size }: Checks<I, A> = {}
      ) =>
      (input: I): Effect.Effect<internal.Delivered<A>, TranslateError.TranslateError> =>
        internal.make(shared, {
          endpoint,
          repetition,
          size: size === undefined ? 0 : size(input),
          busy,
          attempt: (call) =>
            Effect.matchEffect(send(input), {
              onFailure: (error) => Effect.fail(fromEncoding(call, error)),
              onSuccess: (value) => {
                if (expect === undefined) return Effect.succeed(value)
                const [expected, received] = expect(input, value)
                return expected === received
                  ? Effect.succeed(value)
                  : Effect.fail(answer.mismatched(call, expected, received))
              }
            })
        })

    /** A call as most callers want it. */
    const call = <I = void, A = unknown>(
      endpoint: Definition,
      repetition: internal.Repetition,
      send: Send<I, A>,
      checks?: Checks<I, A>
    ): ((input: I) => Effect.Effect<A, TranslateError.TranslateError>) => {
      const make = delivered(endpoint, repetition, send, checks)
      return (input) => Effect.map(make(input), ({ value }) => value)
    }

    /** A deletion. That it is gone after an attempt of unknown fate means that this attempt deleted it. */
    const remove = <I>(endpoint: Definition, send: Send<I, void>) => {
      const make = call(endpoint, "free", send)
      return (input: I): Effect.Effect<void, TranslateError.TranslateError> =>
        Effect.catchTag(make(input), "NotFound", (error) =>
          error.ambiguousAttempts > 0 ? Effect.void : Effect.fail(error)
        )
    }

    return { api, call, deadlines: shared.deadlines, delivered, remove, region: options.region }
  })

export type Endpoints = Effect.Effect.Success<ReturnType<typeof make>>
