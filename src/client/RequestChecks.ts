/**
 * Which rules of the specification refuse a request before it is sent, although the service may have changed them since.
 *
 * @since 0.1.0
 */
import * as Config from "effect/Config"
import type * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Text from "../api/Text.js"
import type { Violation } from "../api/Violation.js"
import { invalidRequest, type TranslateError } from "./TranslateError.js"

/**
 * The rules that may change: `true` refuses what breaks them. Those of {@link Text.LatencyRule} are true by default too.
 *
 * @since 0.1.0
 * @category models
 */
export interface Checks extends Readonly<Record<Text.LatencyRule, boolean>> {
  /**
   * Whether languages are looked up in the table of the specification: `more` and `less` are refused for a target without
   * formality, models other than `quality_optimized` for a target in beta, text improvement for a language without it, and a target
   * that is another code of a listed language, such as `zh-TW` or `no`. Codes of unknown languages pass, and a listing that the client has fetched overrules the table. @default true
   */
  readonly languages: boolean
  /** Whether limits are kept that the specification says may change: 200 instructions in a style rule list. @default true */
  readonly limits: boolean
}

/**
 * The checks of calls. Provide others to a call, a stream or a layer.
 *
 * Source: service specification, Endpoints, Text translation, "formality"; Versioning, 7; Limits.
 *
 * @since 0.1.0
 * @category tags
 */
export class RequestChecks extends Context.Reference<RequestChecks>()("effect-translate/RequestChecks", {
  defaultValue: (): Checks => ({
    languages: true,
    limits: true,
    latencyWithTagHandlingV2: true,
    latencyWithStyle: true,
    latencyWithInstructions: true,
    latencyWithMemory: true
  })
}) {}

/**
 * Runs calls with some of the current checks changed: `adjusted({ languages: false })` leaves languages to the service.
 *
 * @since 0.1.0
 * @category combinators
 */
export const adjusted =
  (values: Partial<Checks>) =>
  <A, E, R>(calls: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(RequestChecks, (checks) =>
      Effect.provideService(calls, RequestChecks, { ...checks, ...values })
    )

/**
 * Changes some of the checks for whatever the layer is provided to: `layer({ latencyWithStyle: false })` is for a service that takes style rules
 * together with `latency_optimized`.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (values: Partial<Checks>): Layer.Layer<RequestChecks> =>
  Layer.effect(
    RequestChecks,
    Effect.map(RequestChecks, (checks) => ({ ...checks, ...values }))
  )

const variable = "LANGUAGE_SERVICE_RELAX"

const names = ["languages", "limits", ...Text.LatencyRule.literals] as const

/**
 * Leaves out the checks that the configuration names, with commas between them. @default `LANGUAGE_SERVICE_RELAX`, and none without it
 *
 * @since 0.1.0
 * @category layers
 */
export const layerConfig = (
  relaxed: Config.Config<ReadonlyArray<keyof Checks>> = Config.withDefault(
    Config.array(Config.literal(...names)(), variable),
    []
  )
): Layer.Layer<RequestChecks, ConfigError.ConfigError> =>
  Layer.unwrapEffect(
    Effect.map(relaxed, (relaxed) => layer(Object.fromEntries(relaxed.map((name) => [name, false]))))
  )

/**
 * A rule that a request breaks, and the check that finds it.
 *
 * @internal
 */
export interface Problem extends Violation {
  readonly check: keyof Checks
}

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
  problems: ReadonlyArray<Problem>
): Effect.Effect<void, TranslateError> =>
  problems.length === 0
    ? Effect.void
    : Effect.flatMap(RequestChecks, (checks) => {
        const violations = problems
          .filter(({ check }) => checks[check])
          .map(({ field, rule }) => ({ field, rule }))
        return violations.length === 0 ? Effect.void : Effect.fail(invalidRequest(endpoint, violations))
      })
