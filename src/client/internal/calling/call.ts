import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as bulkCalls from "../../../internal/bulkCalls.js"
import { type MaySend, SendGate } from "../../../internal/sendGate.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import type * as ConcurrencyLimit from "../../ConcurrencyLimit.js"
import * as CustomTag from "../../CustomTag.js"
import * as RetryPolicy from "../../RetryPolicy.js"
import type { Quotable } from "../redacting/quotable.js"
import { busyStatuses } from "./errorTable.js"

/** One call of an endpoint. `attempts` and `transport` alone write its mutable fields; everybody else reads them. */
export class Call<I = unknown> {
  attempts = 0
  ambiguousAttempts = 0
  /** The permit of this attempt: handed back once the headers are there. */
  permit: ConcurrencyLimit.Permit | undefined = undefined
  /** The last response. Its headers are read only for an error, since reading them copies them. */
  response: HttpClientResponse.HttpClientResponse | undefined = undefined
  /** The path of the endpoint, and of the request once it is made. */
  path: string
  /** Its input until it ends: closures of Effect keep the call alive until V8's next full collection. */
  input: I | undefined
  readonly settings: Settings
  /** The document of the call, which messages of the service must not repeat. */
  readonly document: Quotable | undefined
  readonly policy: RetryPolicy.Policy
  readonly operator: bulkCalls.Operator | undefined
  /** The operator of a call that takes part in the circuit: none does under a policy that never opens one. */
  readonly circuit: bulkCalls.Operator | undefined
  readonly maySend: MaySend | undefined
  readonly customTag: CustomTag.Tag | undefined

  constructor(
    definition: Settings & Pick<Checks<I, never>, "document">,
    readonly context: Context.Context<never>,
    input: I,
    breaker: CircuitBreaker.Policy
  ) {
    this.settings = definition
    this.input = input
    this.document = definition.document?.(input)
    this.path = definition.endpoint.path
    this.policy = Context.get(context, RetryPolicy.RetryPolicy)
    this.operator = Context.get(context, bulkCalls.BulkCalls)
    this.circuit = breaker.failures === Number.POSITIVE_INFINITY ? undefined : this.operator
    this.maySend = Context.get(context, SendGate)?.()
    this.customTag = Context.get(context, CustomTag.CustomTag)
  }

  get method(): string {
    return this.settings.endpoint.method
  }

  /** True if the last response is an error. */
  get isRejected(): boolean {
    const { status = 200 } = this.response ?? {}
    return status < 200 || status >= 300
  }

  /** True if the status is a refusal of one request too many. */
  isBusy(status: number): boolean {
    return (this.settings.busy ?? busyStatuses).includes(status)
  }
}

export class CurrentCall extends Context.Tag("effect-translate/internal/CurrentCall")<CurrentCall, Call>() {}

/**
 * The repetition of a request that the service may have carried out: reads always, translations within the budget of the
 * policy, creations never.
 */
export type Resend = "always" | "budgeted" | "never"

export interface Endpoint extends Pick<HttpApiEndpoint.AnyWithProps, "method" | "path" | "annotations"> {}

export interface Checks<I, A> {
  /** The size of the payload in characters: the time-out grows with it. */
  readonly size?: ((input: I) => number) | undefined
  /** The texts of the payload, which spans count. */
  readonly texts?: ((input: I) => ReadonlyArray<string>) | undefined
  /** The document of a call, which messages of the service must not repeat. */
  readonly document?: ((input: I) => Quotable) | undefined
  /** The number of items that the answer must hold, and the number that it holds. */
  readonly expect?: ((input: I, value: A) => readonly [expected: number, received: number]) | undefined
}

interface Settings {
  readonly endpoint: Endpoint
  readonly resend: Resend
  /** The statuses by which the endpoint refuses one request too many. No other rejection is sent again. */
  readonly busy?: ReadonlyArray<number> | undefined
  /** Every attempt has the same time-out, where else it grows from one to the next. */
  readonly isTimeoutFixed?: boolean | undefined
  /** The most bytes that a body may hold. */
  readonly bodyLimit?: number | undefined
}

export interface Definition<I, A> extends Settings, Checks<I, A> {
  /** Sends the request once and reads the answer. The scope closes if that fails or times out, and cuts the connection. */
  readonly send: (input: I, call: Call) => Effect.Effect<A, unknown, CurrentCall | Scope.Scope>
}
