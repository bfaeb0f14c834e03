import * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { constVoid } from "effect/Function"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import type * as Text from "../../api/Text.js"
import { LeastRecent } from "../../internal/leastRecent.js"
import type { MaySend } from "../../internal/sendGate.js"
import type { StoreError } from "../../store/StoreError.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import { FailedBefore } from "../FailedBefore.js"
import type { StreamError } from "../Outcome.js"
import type { LookUp } from "./lookUps.js"
import type { Settled } from "./matching.js"
import * as options from "./options.js"
import type { Known, Protocol, Record } from "./protocol.js"
import type { Refusals } from "./refusals.js"

/** The capacity of a store in memory. */
export interface Capacity {
  readonly texts: number
  readonly bytes: number
}

/** The bytes of an entry: two for each UTF-16 unit of both texts, and its own. */
const bytesOf = (translation: Text.Translation, text: string): number =>
  2 * (text.length + translation.text.length) + 200

/** The memory of one stream. The entries used least recently are forgotten first. */
export const makeMemory = ({ bytes, texts }: Capacity): TranslationStore.Session => {
  const known = new LeastRecent<TranslationStore.StoredTranslation>(texts, bytes, bytesOf)
  return {
    lookUp: (texts) => Effect.sync(() => texts.map((text) => known.get(text))),
    pollInterval: Duration.zero,
    // No other stream translates for this one.
    claim: (texts) =>
      Effect.sync(() => ({
        granted: texts.map(() => true),
        maySend: () => Effect.succeed(true),
        ended: constVoid
      })),
    record: (results) =>
      Effect.sync(() => {
        for (const { text, translation } of results) {
          if (translation !== undefined) known.set(text, translation)
        }
      })
  }
}

/** Opens the store of a stream, or its memory if it has no store and wants equal texts sent once. */
export const open = <E, R>(
  given: options.Options,
  namespace: Effect.Effect<TranslationStore.Namespace, E, R>
): Effect.Effect<TranslationStore.Session | undefined, E | StoreError, R | Scope.Scope> => {
  const { glossaryTerms: terms, store } = given
  const capacity = options.dedupeCapacity(given)
  const remembered = () => capacity && makeMemory(capacity)
  return store === undefined
    ? Effect.sync(remembered)
    : Effect.map(
        Effect.flatMap(namespace, (namespace) => store.open(namespace, terms && { terms })),
        (session) => session ?? remembered()
      )
}

/**
 * Opens the store of a forecast: the content of the store, and the translations that the stream would have stored by
 * then. It tells the store nothing.
 */
export const openForecast = <E, R>(
  given: options.Options,
  namespace: Effect.Effect<TranslationStore.Namespace, E, R>
): Effect.Effect<TranslationStore.Session | undefined, E | StoreError, R | Scope.Scope> =>
  open({ ...given, store: given.store && TranslationStore.forecasting(given.store).store }, namespace)

/** The known results of texts: their translations, or that the service has failed with them before. */
const withFailures = <A>(
  { failedBefore }: Pick<TranslationStore.Session, "failedBefore">,
  { items }: LookUp<A>,
  known: ReadonlyArray<TranslationStore.StoredTranslation | undefined>
): ReadonlyArray<Known> => {
  if (failedBefore === undefined) return known
  return known.map((translation, index) => {
    const failure = translation === undefined ? failedBefore(items[index]!.text) : undefined
    return failure === undefined ? translation : new FailedBefore(failure)
  })
}

const resultOf =
  (refusals: Pick<Refusals, "isAtFault">) =>
  (settled: Settled<unknown>): TranslationStore.Result => ({
    text: settled.item.text,
    translation: settled.refused ?? settled.translation,
    isReplacing: settled.isReplacing,
    hasFailed: settled.error !== undefined && refusals.isAtFault(settled.error)
  })

/** Carries out the steps of a scheduler in a store. */
export const ask = <A>(
  store: Pick<TranslationStore.Session, "failedBefore" | "lookUp" | "record">,
  scheduler: Protocol<A, unknown> & { readonly refusals: Pick<Refusals, "isAtFault"> },
  step: LookUp<A> | Record<A>
): Effect.Effect<void> =>
  step._tag === "LookUp"
    ? Effect.match(store.lookUp(step.items.map(({ text }) => text)), {
        onFailure: (error) => scheduler.notFound(step, error),
        onSuccess: (known) => scheduler.found(step, withFailures(store, step, known))
      })
    : Effect.match(store.record(step.settled.map(resultOf(scheduler.refusals))), {
        onFailure: (error) => scheduler.notRecorded(step, error),
        onSuccess: () => scheduler.recorded(step)
      })

/** A store's grant for a batch: every attempt of it asks the store before it is sent. */
export class Claim {
  /** Somebody else may send the texts by now. */
  isLost = false
  /** The store has failed when it was asked. */
  error: StoreError | undefined
  /** True if the store is asked before anything is sent. */
  private asks = false

  constructor(private readonly claim: TranslationStore.Claim) {}

  /** A call whose gate this is. The requests of a translator that is no client are unknown. */
  readonly hold = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.onInterrupt(call, () =>
      Effect.sync(() => {
        if (!this.asks) this.claim.ended("unknown")
      })
    )

  /** A call has begun, which asks if the claim still holds. */
  open(): MaySend {
    this.asks = true
    return (ambiguousAttempts) =>
      Effect.match(this.claim.maySend(ambiguousAttempts), {
        onFailure: (error) => {
          this.error = error
          return false
        },
        onSuccess: (isHeld) => {
          this.isLost = !isHeld
          return isHeld
        }
      })
  }

  answered(): void {
    this.claim.ended("answered")
  }

  /** The batch has failed, or it was not sent. */
  failed(cause: Cause.Cause<StreamError>): void {
    const error = Option.getOrUndefined(Cause.failureOption(cause))
    const isInDoubt = error !== undefined && "delivery" in error && error.delivery === "ambiguous"
    this.claim.ended(isInDoubt ? "unknown" : "rejected")
  }
}
