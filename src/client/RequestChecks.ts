/**
 * Which rules of the specification refuse a request before it is sent, although the service may have changed them since.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import * as LanguageCode from "../api/LanguageCode.js"
import type { Problem } from "../api/RequestRules.js"
import * as ServiceKind from "../api/ServiceKind.js"
import { type CallError, invalidRequest } from "./TranslateError.js"

/**
 * The rules that may change: `true` refuses a breach of one, `false` sends it. Without a value a rule holds as the kind
 * of service has it, which is all of them for the specification.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checks extends Readonly<Partial<Record<ServiceKind.Rule, boolean>>> {
  /**
   * Looks languages up in the table of the specification: `more` and `less` are refused for a target without formality,
   * models other than `quality_optimized` for a target in beta, text improvement for a language without it, and a target
   * that is another code of a listed language, such as `zh-TW` or `no`. Codes of unknown languages pass, and a listing
   * that the client has fetched overrules the table.
   */
  readonly languages?: boolean
  /** Keeps limits that may change: 200 instructions in a style rule list, and the bytes of documents where the kind has a limit. */
  readonly limits?: boolean
  /** Refuses documents whose extension the kind of service does not list. */
  readonly documentTypes?: boolean
  /** Asks for `sourceLang` of a text or a document that names a glossary. */
  readonly glossaryWithoutSource?: boolean
  /** Asks for a dictionary of a new glossary. */
  readonly glossaryWithoutDictionaries?: boolean
  /** Refuses `latency_optimized` together with `tagHandlingVersion` "v2". */
  readonly latencyWithTagHandlingV2?: boolean
  /** Refuses `latency_optimized` together with a style rule list. */
  readonly latencyWithStyle?: boolean
  /** Refuses `latency_optimized` together with custom instructions. */
  readonly latencyWithInstructions?: boolean
  /** Refuses `latency_optimized` together with a translation memory. */
  readonly latencyWithMemory?: boolean
}

/**
 * The checks of calls: {@link withRequestChecks} changes them.
 *
 * Source: service specification, Endpoints, Text translation, "formality"; Versioning, 7; Limits.
 *
 * @since 0.1.0
 * @category tags
 */
export class RequestChecks extends Context.Reference<RequestChecks>()("effect-translate/RequestChecks", {
  defaultValue: (): Checks => ({})
}) {}

/**
 * Runs calls, also those of streams, with some of the current checks changed: `{ languages: false }` leaves languages to the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withRequestChecks: {
  /** Runs calls, also those of streams, with some of the current checks changed: `{ languages: false }` leaves languages to the service. */
  (values: Checks): <A, E, R>(calls: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Runs calls, also those of streams, with some of the current checks changed: `{ languages: false }` leaves languages to the service. */
  <A, E, R>(calls: Effect.Effect<A, E, R>, values: Checks): Effect.Effect<A, E, R>
} = /* #__PURE__ */ Function.dual(
  2,
  <A, E, R>(calls: Effect.Effect<A, E, R>, values: Checks): Effect.Effect<A, E, R> =>
    Effect.flatMap(RequestChecks, (checks) =>
      Effect.provideService(calls, RequestChecks, { ...checks, ...values })
    )
)

/**
 * Changes some of the checks for the layer that it is provided to: `layer({ latencyWithStyle: false })` is for a service
 * that takes style rules together with `latency_optimized`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (values: Checks): Layer.Layer<RequestChecks> =>
  Layer.effect(
    RequestChecks,
    Effect.map(RequestChecks, (checks) => ({ ...checks, ...values }))
  )

const variable = "LANGUAGE_SERVICE_RELAX"

/**
 * Leaves out the checks that the configuration names, with commas between them. @default `LANGUAGE_SERVICE_RELAX`, and none without it
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  relaxed: Config.Config<ReadonlyArray<ServiceKind.Rule>> = Config.withDefault(
    Config.array(Config.literal(...ServiceKind.rules)(), variable),
    []
  )
): Layer.Layer<RequestChecks, ConfigError.ConfigError> =>
  Layer.unwrapEffect(
    Effect.map(relaxed, (relaxed) => layer(Object.fromEntries(relaxed.map((name) => [name, false]))))
  )

/**
 * The problem of a target that the specification does not list, while it lists the language: the service would answer 400.
 *
 * @internal
 */
export const targetProblems = (field: string, code: string): ReadonlyArray<Problem> => {
  const isOpen = LanguageCode.known.includes(code) || !LanguageCode.wellFormed.test(code)
  const advice = isOpen ? "" : LanguageCode.advice(code, "target")
  return advice === ""
    ? []
    : [
        {
          check: "languages",
          field,
          rule: `is ${JSON.stringify(code)}, which is no target language: ${advice}`
        }
      ]
}

/**
 * Fails with the rules that a request breaks, but for those of checks that are off. They are looked at only if there is one.
 *
 * @internal
 */
export const refuse = (
  endpoint: { readonly method: string; readonly path: string },
  problems: ReadonlyArray<Problem>,
  kind: ServiceKind.ServiceKind | undefined
): Effect.Effect<void, CallError> =>
  problems.length === 0
    ? Effect.void
    : Effect.flatMap(RequestChecks, (checks) => {
        const violations = problems
          .filter(({ check }) => ServiceKind.holds(kind ?? ServiceKind.specification, check, checks[check]))
          .map(({ field, rule }) => ({ field, rule }))
        return violations.length === 0 ? Effect.void : Effect.fail(invalidRequest(endpoint, violations))
      })
