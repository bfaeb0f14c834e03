import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { extend, type Hooks } from "../../internal/callHooks.js"
import type { StoreError } from "../../store/StoreError.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type { StreamError } from "../Outcome.js"

/** What the store has granted to a batch: every attempt of it asks the store before it is sent. */
export class Claim {
  /** Somebody else may send the texts by now. */
  isLost = false
  /** The store has failed when it was asked. */
  error: StoreError | undefined
  /** Whether the store is asked before anything is sent. */
  private asks = false

  constructor(private readonly claim: TranslationStore.Claim) {}

  /** A call that is sent as long as the claim holds. What a translator does that is no client, nobody knows. */
  readonly hold = <A, E>(call: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.onInterrupt(extend(call, this.hooks), () =>
      Effect.sync(() => {
        if (!this.asks) this.claim.ended("unknown")
      })
    )

  answered(): void {
    this.claim.ended("answered")
  }

  /** The batch has failed, or it was not sent. */
  failed(cause: Cause.Cause<StreamError>): void {
    const error = Option.getOrUndefined(Cause.failureOption(cause))
    const isInDoubt = error !== undefined && "delivery" in error && error.delivery === "ambiguous"
    this.claim.ended(isInDoubt ? "unknown" : "rejected")
  }

  private readonly hooks: Hooks = {
    begun: () => {
      this.asks = true
    },
    maySend: (ambiguousAttempts) =>
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
}
