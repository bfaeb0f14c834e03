/**
 * What a translator does once its quota is used up (456): fail, wait, or go on with another key.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type * as Usage from "../api/Usage.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as quota from "./internal/quota.js"
import * as Translator from "./Translator.js"

/**
 * Makes a translator that follows the policy from one that fails with `QuotaExceeded`. Policies stack: each takes what
 * another one made.
 *
 * @since 0.1.0
 * @category models
 */
export type QuotaPolicy<E = never, R = never> = (
  translator: Translator.Service
) => Effect.Effect<Translator.Service, E, R>

/**
 * What {@link wait} takes.
 *
 * @since 0.1.0
 * @category models
 */
export interface WaitOptions<R = never> {
  /**
   * When to try again; its input is the refusal. Once it ends, `QuotaExceeded` is the answer.
   * @default every 15 minutes, without end
   */
  readonly schedule?: Schedule.Schedule<unknown, TranslateError.QuotaExceeded, R> | undefined
  /**
   * Asked when the period ends, such as `client.usage`: the first try is then, if that is to come, and not when the
   * schedule says. It is a hint: without an answer, and after that try, the schedule holds. @default not asked
   */
  readonly usage?: Effect.Effect<Usage.Usage, unknown, R> | undefined
}

/**
 * Fails with `QuotaExceeded`, which ends a stream: what holds without any policy.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fail: QuotaPolicy = Effect.succeed

/**
 * Sends calls that wait for their quota.
 *
 * @internal
 */
export type Gate = quota.Gate

/**
 * The waiting of {@link wait}, for calls of any kind.
 *
 * @internal
 */
export const makeGate = <R = never>({
  schedule = Schedule.spaced("15 minutes"),
  usage
}: WaitOptions<R> = {}): Effect.Effect<Gate, never, R> => quota.makeGate({ schedule, usage })

/**
 * The turns of {@link failOver}, for calls of any kind.
 *
 * @internal
 */
export const inTurn = quota.inTurn

/**
 * Waits, and sends the refused batch again. All other calls of the translator hold meanwhile: one of them at a time
 * tries, and once it gets through all go on. A refusal bills nothing.
 *
 * A job that ends elsewhere, or is interrupted, ends its waits at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wait =
  <R = never>(options?: WaitOptions<R>): QuotaPolicy<never, R> =>
  (translator) =>
    Effect.map(makeGate(options), (gate) => ({
      translate: (texts, options) => gate(() => translator.translate(texts, options))
    }))

/**
 * Goes on with other translators, each with a key of its own: the refused batch is sent to the next at once, and later
 * ones begin there. `QuotaExceeded` of the last is the answer when all are used up; calls after that begin with the
 * first again.
 *
 * Every layer is built by itself, so two of them share nothing but what they are given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failOver =
  <const L extends Arr.NonEmptyReadonlyArray<Layer.Layer<Translator.Translator, unknown, unknown>>>(
    others: L
  ): QuotaPolicy<Layer.Layer.Error<L[number]>, Layer.Layer.Context<L[number]> | Scope.Scope> =>
  (first) => {
    const built = Effect.forEach(
      others as Arr.NonEmptyReadonlyArray<
        Layer.Layer<Translator.Translator, Layer.Layer.Error<L[number]>, Layer.Layer.Context<L[number]>>
      >,
      (layer) => Effect.map(Layer.build(Layer.fresh(layer)), Context.get(Translator.Translator))
    )
    return Effect.map(built, (others) => quota.failOver([first, ...others]))
  }

/**
 * The translator of the context under a policy.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  policy: QuotaPolicy<E, R>
): Layer.Layer<Translator.Translator, E, Exclude<R, Scope.Scope> | Translator.Translator> =>
  Layer.scoped(Translator.Translator, Effect.flatMap(Translator.Translator, policy))
