import * as Effect from "effect/Effect"
import type { Operator } from "../../internal/bulkCalls.js"
import type { MaySend } from "../../internal/sendGate.js"
import type { Batch } from "./packing.js"
import type { Refusals } from "./refusals.js"
import type { Claim } from "./translationStore.js"

const always: Effect.Effect<boolean> = Effect.succeed(true)

const open: MaySend = () => always

/**
 * The batch that a worker sends, as its calls know it. It is made once for a worker, since an operator for each batch would take
 * operations.
 */
export class Sending<A> implements Operator {
  mayRepeat = always
  /** `true` if its texts are sent in other requests. */
  isDivided = false
  private batch: Batch<A> | undefined
  private claim: Claim | undefined

  constructor(
    private readonly refusals: Refusals,
    readonly parked: Operator["parked"],
    readonly onOutage: Operator["onOutage"]
  ) {}

  begin(batch: Batch<A>, claim: Claim | undefined): void {
    this.batch = batch
    this.claim = claim
    this.isDivided = false
  }

  end(): void {
    this.batch = undefined
    this.claim = undefined
    this.mayRepeat = always
  }

  isSuspected(): boolean {
    return this.batch?.suspectedAt !== undefined
  }

  divide(attempts: number): boolean {
    this.isDivided = this.batch !== undefined && this.refusals.divides(this.batch, attempts)
    return this.isDivided
  }

  /** Asks the store that has granted the texts. */
  readonly gate = (): MaySend => this.claim?.open() ?? open
}
