/**
 * What the uploads of documents do once the quota is used up (456): wait, or go on with another client. Without a policy the
 * upload fails with `QuotaExceeded`, which ends a batch. For texts: `QuotaPolicy`.
 *
 * @since 0.1.0
 */
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type { Documents } from "../client/Documents.js"
import * as TranslateClient from "../client/TranslateClient.js"
import type * as TranslateError from "../client/TranslateError.js"
import * as QuotaPolicy from "../stream/QuotaPolicy.js"
import * as clients from "./internal/clients.js"

/**
 * The clients that documents go through.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Uploads by the client whose turn it is, as often as the policy says. */
  readonly upload: <A, E, R>(
    send: (upload: Documents["upload"]) => Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | TranslateError.TranslateError, R>
  /** Asks for a document, and downloads it, by the client that has uploaded it. */
  readonly documents: Pick<Documents, "status" | "download">
}

/**
 * The policy that `DocumentBatch` and `DocumentTranslation` follow; none by default.
 *
 * @since 0.1.0
 * @category tags
 */
export class DocumentQuota extends Context.Reference<DocumentQuota>()("effect-translate/DocumentQuota", {
  defaultValue: (): Option.Option<Service> => Option.none()
}) {}

/**
 * The clients of the context.
 *
 * @internal
 */
export const current: Effect.Effect<Service, never, TranslateClient.TranslateClient> = Effect.flatMap(
  DocumentQuota,
  Option.match({
    onSome: Effect.succeed,
    onNone: () => Effect.map(TranslateClient.TranslateClient, ({ documents }) => clients.single(documents))
  })
)

/**
 * Makes clients that follow the policy from others. Policies stack: each takes what another one made.
 *
 * @since 0.1.0
 * @category models
 */
export type Policy<E = never, R = never> = (clients: Service) => Effect.Effect<Service, E, R>

/**
 * Waits, and uploads the refused document again. All other uploads hold meanwhile: one of them at a time tries, and once it
 * gets through all go on. Documents that are uploaded are awaited and downloaded meanwhile. The journal says `Refused` while a
 * document waits. The options are those of `QuotaPolicy.wait`.
 *
 * If the run ends elsewhere, its waits end at once.
 *
 * @since 0.1.0
 * @category constructors
 */
export const wait =
  <R = never>(options?: QuotaPolicy.WaitOptions<R>): Policy<never, R> =>
  ({ documents, upload }) =>
    Effect.map(QuotaPolicy.makeGate(options), (gate) => ({
      documents,
      upload: (send) => clients.gated(gate, upload(send))
    }))

/**
 * Goes on with other clients, each with a key of its own: the refused document is uploaded by the next at once, and later
 * ones begin there. `QuotaExceeded` of the last is the answer when all are used up.
 *
 * A document is known to the account that it was uploaded to. In a later run each client is asked for it, the first one
 * first; that costs nothing.
 *
 * @since 0.1.0
 * @category constructors
 */
export const failOver =
  <const L extends Arr.NonEmptyReadonlyArray<Layer.Layer<TranslateClient.TranslateClient, unknown, unknown>>>(
    others: L
  ): Policy<Layer.Layer.Error<L[number]>, Layer.Layer.Context<L[number]> | Scope.Scope> =>
  (first) => {
    const built = Effect.forEach(
      others as Arr.NonEmptyReadonlyArray<
        Layer.Layer<
          TranslateClient.TranslateClient,
          Layer.Layer.Error<L[number]>,
          Layer.Layer.Context<L[number]>
        >
      >,
      (layer) =>
        Effect.map(Layer.build(Layer.fresh(layer)), (context) =>
          clients.single(Context.get(context, TranslateClient.TranslateClient).documents)
        )
    )
    return Effect.map(built, (others) => clients.failOver([first, ...others]))
  }

/**
 * The client of the context under a policy, and under the policies below.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = <E, R>(
  policy: Policy<E, R>
): Layer.Layer<DocumentQuota, E, Exclude<R, Scope.Scope> | TranslateClient.TranslateClient> =>
  Layer.scoped(DocumentQuota, Effect.asSome(Effect.flatMap(current, policy)))
