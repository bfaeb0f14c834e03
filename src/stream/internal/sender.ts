import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Text from "../../api/Text.js"
import type { Operator } from "../../internal/bulkCalls.js"
import type { MaySend } from "../../internal/sendGate.js"
import type * as TranslationStore from "../../store/TranslationStore.js"
import type { StreamError } from "../Outcome.js"
import type * as Accounting from "./accounting.js"
import * as Cost from "./cost.js"
import type { Batch } from "./packing.js"
import type { BatchResult } from "./protocol.js"
import type { Scheduler } from "./scheduler.js"
import { Claim } from "./translationStore.js"

export interface Config<A> {
  readonly scheduler: Pick<Scheduler<A, unknown>, "claimed" | "fatal" | "refusals">
  readonly send: (batch: Batch<A>) => Effect.Effect<Cost.Answer, StreamError>
  readonly accounted: Accounting.Accounted
  readonly store: Pick<TranslationStore.Session, "claim"> | undefined
}

/** The worker of a sender. */
interface Worker<A> extends Pick<Operator, "parked" | "onOutage"> {
  readonly onResult: (batch: Batch<A>, result: BatchResult) => void
  readonly crash: (cause: Cause.Cause<never>) => void
  /** Something has happened that other workers may wait for. */
  readonly wake: () => void
}

const always: Effect.Effect<boolean> = Effect.succeed(true)

const open: MaySend = () => always

/** The texts of a batch, and how many characters are sent of each: a text may be in several parts, of which some are in other requests. */
const sentOf = ({ items, texts }: Batch<unknown>) => {
  if (items.every(({ part }) => part === undefined)) {
    return { texts: items.map(({ text }) => text), characters: texts.map(Text.characters) }
  }
  const sent = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    const { text } = item
    sent.set(text, (sent.get(text) ?? 0) + Text.characters(texts[index]!))
  }
  return { texts: Array.from(sent.keys()), characters: Array.from(sent.values()) }
}

/**
 * Sends the batches of a worker one by one, and is the operator of their calls: made once, since an operator for each batch would
 * take operations.
 */
export class Sender<A> implements Operator {
  mayRepeat = always
  readonly parked: Operator["parked"]
  readonly onOutage: Operator["onOutage"]
  /** The batch that is sent, with its claim. */
  private batch: Batch<A> | undefined
  private claim: Claim | undefined
  /** True if its texts are sent in other requests. */
  private isDivided = false

  constructor(
    private readonly config: Config<A>,
    private readonly worker: Worker<A>
  ) {
    this.parked = worker.parked
    this.onOutage = worker.onOutage
  }

  /** Claims the texts of a batch, if there is a store, and sends those that are granted. */
  send(batch: Batch<A>): Effect.Effect<void> {
    const { scheduler, store } = this.config
    if (store === undefined) return this.sendNow(batch, undefined)
    const { characters, texts } = sentOf(batch)
    return Effect.matchCauseEffect(store.claim(texts, characters), {
      onFailure: (cause) => Effect.sync(() => this.ended(batch, Exit.failCause(cause), Cost.none)),
      onSuccess: (given) => {
        const { granted } = given
        const denied = new Set(granted.includes(false) ? texts.filter((_, index) => !granted[index]) : [])
        const rest = scheduler.claimed(batch, (text) => !denied.has(text))
        if (rest !== batch) this.worker.wake()
        if (rest !== undefined) return this.sendNow(rest, new Claim(given))
        given.ended("rejected")
        return Effect.void
      }
    })
  }

  isSuspected(): boolean {
    return this.batch?.suspectedAt !== undefined
  }

  divide(attempts: number): boolean {
    this.isDivided = this.batch !== undefined && this.config.scheduler.refusals.divides(this.batch, attempts)
    return this.isDivided
  }

  /** The gate of the calls: the claim, if there is one. */
  readonly gate = (): MaySend => this.claim?.open() ?? open

  private sendNow(batch: Batch<A>, claim: Claim | undefined): Effect.Effect<void> {
    const { accounted, send } = this.config
    const sent = claim === undefined ? send(batch) : claim.hold(send(batch))
    return Effect.suspend(() => {
      this.batch = batch
      this.claim = claim
      const sendAs = (mayRepeat: Effect.Effect<boolean>) => {
        this.mayRepeat = mayRepeat
        return sent
      }
      return accounted(batch.texts, sendAs, (exit, cost) => this.ended(batch, exit, cost))
    })
  }

  private ended(batch: Batch<A>, exit: Exit.Exit<Cost.Answer, StreamError>, cost: Cost.BatchCost): void {
    const { claim, isDivided, worker } = this
    this.batch = undefined
    this.claim = undefined
    this.isDivided = false
    this.mayRepeat = always
    if (Exit.isSuccess(exit)) {
      const { translations } = exit.value
      claim?.answered()
      worker.onResult(batch, { _tag: "Answered", cost, translations })
      return
    }
    const { cause } = exit
    const error = claim?.error ?? Option.getOrUndefined(Cause.failureOption(cause))
    const isLost = claim?.isLost === true
    // It waited for its turn when the stream ended, or when its claim was lost.
    const isNotSent = Cause.isInterruptedOnly(cause) && (isLost || this.config.scheduler.fatal !== undefined)
    if (error === undefined && !isNotSent) {
      worker.crash(cause as Cause.Cause<never>)
      return
    }
    claim?.failed(cause)
    if (isLost) worker.onResult(batch, { _tag: "ClaimLost", cost })
    else if (error === undefined) worker.onResult(batch, { _tag: "Halted" })
    else worker.onResult(batch, { _tag: "Failed", cost, error, isDivided })
  }
}
