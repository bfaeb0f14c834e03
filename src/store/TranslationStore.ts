/**
 * Paid translations, by all that they depend on, with a ledger of sent requests. Streams that have a store look up
 * before they send, and record before outcomes leave. So a run that was killed, and begins again, pays only for requests in flight.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as forecastingStore from "./internal/forecasting.js"
import * as inMemoryBackend from "./internal/inMemoryBackend.js"
import * as service from "./internal/service.js"
import type { MakeOptions, MemoryOptions, OpenOptions, Service } from "./internal/storeModels.js"
import { type Backend, noAttempts } from "./StoreBackend.js"
import * as keys from "./StoreKeys.js"

/**
 * Models of a store.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Attempt,
  AttemptSums,
  Claim,
  Correction,
  CorrectionCounts,
  Entry,
  MakeOptions,
  MemoryOptions,
  Namespace,
  OpenOptions,
  Origin,
  PruneOptions,
  Result,
  Service,
  ServiceFailure,
  Session,
  Stats,
  StoredTranslation,
  Verdict
} from "./internal/storeModels.js"

/**
 * The store of streams and jobs.
 *
 * @since 0.1.0
 * @category tags
 */
export class TranslationStore extends Context.Tag("effect-translate/TranslationStore")<
  TranslationStore,
  Service
>() {}

/**
 * A store over a backend.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (backend: Backend, options?: MakeOptions): Effect.Effect<Service> =>
  Effect.sync(() => service.make(backend, keys.hashed, options ?? {}))

/**
 * The same store for streams that use it in this way. The stream's own options win.
 *
 * @since 0.1.0
 * @category combinators
 */
export const withOptions = (store: Service, own: OpenOptions): Service => ({
  ...store,
  open: (namespace, options) => store.open(namespace, { ...own, ...options })
})

/**
 * A store in the memory of one process: equal texts are paid for once as long as it lives.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeMemory = (options: MemoryOptions = {}): Effect.Effect<Service> =>
  Effect.sync(() => service.make(inMemoryBackend.make(options, keys.plain), keys.plain, options))

/**
 * A store in the memory of one process, as of {@link makeMemory}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory = (options?: MemoryOptions): Layer.Layer<TranslationStore> =>
  Layer.effect(TranslationStore, makeMemory(options))

/**
 * A store for forecasts, of all streams that get it: it holds the content of the store, and the translations that these
 * streams would have stored by then. It claims nothing and stores nothing.
 *
 * @internal
 */
export const forecasting: (store: Service, mostTexts?: number) => forecastingStore.Forecasting =
  forecastingStore.make

/**
 * No store: keeps nothing, corrections neither. Streams and jobs that have it run as without a store.
 *
 * @since 0.1.0
 * @category constructors
 */
export const none: Service = {
  open: () => Effect.succeed(undefined),
  correct: () => Effect.succeed({ stored: 0, unchanged: 0, outdated: 0 }),
  corrected: (texts) => Effect.sync(() => texts.map(() => undefined)),
  correctionsRevision: () => Effect.succeed(undefined),
  corrections: Stream.empty,
  origins: (texts) => Effect.sync(() => texts.map(() => undefined)),
  translationsOf: (texts) => Effect.sync(() => texts.map(() => [])),
  verdicts: (keys) => Effect.sync(() => keys.map(() => undefined)),
  judge: () => Effect.void,
  entries: Stream.empty,
  translated: (texts) => Effect.sync(() => texts.map(() => undefined)),
  add: () => Effect.void,
  erase: () => Effect.succeed(0),
  prune: () => Effect.succeed(0),
  pruneAttempts: () => Effect.succeed(0),
  stats: Effect.succeed({
    translations: 0,
    refused: 0,
    bytes: 0,
    corrections: 0,
    languages: [],
    attempts: noAttempts()
  }),
  attempts: Stream.empty,
  attemptSums: () => Effect.sync(() => ({ since: noAttempts(), everything: noAttempts() }))
}

/**
 * {@link none} for jobs, which need a store in their context.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerNone: Layer.Layer<TranslationStore> = Layer.succeed(TranslationStore, none)
