/**
 * What a client does once its quota is used up (456): fail, wait, or go on with another key; the last also while the
 * service is down.
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
import * as failOver_ from "./internal/pacing/failOver.js"
import * as waitForQuota from "./internal/pacing/waitForQuota.js"
import * as TranslateClient from "./TranslateClient.js"
import type * as TranslateError from "./TranslateError.js"

/**
 * Makes a client that follows the policy from one that fails with `QuotaExceeded`. It holds for what is billed:
 * `translateText`, `write.rephrase`, `write.correct` and `documents.upload`, alone or in streams and batches. Policies stack:
 * each takes what another one made.
 *
 * @since 0.1.0
 * @category models
 */
export type QuotaPolicy<E = never, R = never> = (
  client: TranslateClient.Service
) => Effect.Effect<TranslateClient.Service, E, R>

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
 * Fails with `QuotaExceeded`, which ends a stream or a batch: what holds without any policy.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fail: QuotaPolicy = Effect.succeed

/**
 * Waits, and sends the refused request again. All other billed calls of the client hold meanwhile: one of them at a time
 * tries, and once it gets through all go on. A refusal bills nothing. Documents that are uploaded are awaited and downloaded
 * meanwhile; the journal says `Refused` of one that waits for its upload.
 *
 * A job that ends elsewhere, or is interrupted, ends its waits at once. The upload of a stream that can be read once
 * (`DocumentSource.fromStream`) is not repeated.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wait =
  <R = never>({
    schedule = Schedule.spaced("15 minutes"),
    usage
  }: WaitOptions<R> = {}): QuotaPolicy<never, R> =>
  (client) =>
    waitForQuota.make(client, { schedule, usage })

/**
 * Goes on with other clients, each with a key of its own: what was refused is sent by the next at once, and later calls begin
 * there. A call tries each client once. `QuotaExceeded` is the answer when all are used up.
 *
 * The same holds while a client's service is down: what streams and batches of documents send goes to the next client as soon
 * as the circuit is open (see `CircuitBreaker`). A request that may have been billed is sent by another client only if
 * `ambiguousBudget` and the stream's budget allow another attempt. If no client is left, a call waits for the first one that
 * was down, as the circuit's schedule says, and then fails with `Outage`.
 *
 * A document is known to the account that it was uploaded to: it is awaited and downloaded by the client that has uploaded it.
 * After a restart each client is asked for it, the first one first, which costs nothing. Everything that is not billed is done
 * by the first client. Ids of glossaries, style rules and translation memories belong to an account.
 *
 * Every layer is built by itself, so two of them share nothing but what they are given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failOver =
  <const L extends Arr.NonEmptyReadonlyArray<Layer.Layer<TranslateClient.TranslateClient, unknown, unknown>>>(
    others: L
  ): QuotaPolicy<Layer.Layer.Error<L[number]>, Layer.Layer.Context<L[number]> | Scope.Scope> =>
  (first) => {
    const built = Effect.forEach(
      others as Arr.NonEmptyReadonlyArray<
        Layer.Layer<
          TranslateClient.TranslateClient,
          Layer.Layer.Error<L[number]>,
          Layer.Layer.Context<L[number]>
        >
      >,
      (layer) => Effect.map(Layer.build(Layer.fresh(layer)), Context.get(TranslateClient.TranslateClient))
    )
    return Effect.map(built, (others) => failOver_.make([first, ...others]))
  }

/**
 * The client of the context under a policy.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  policy: QuotaPolicy<E, R>
): Layer.Layer<
  TranslateClient.TranslateClient,
  E,
  Exclude<R, Scope.Scope> | TranslateClient.TranslateClient
> => Layer.scoped(TranslateClient.TranslateClient, Effect.flatMap(TranslateClient.TranslateClient, policy))
