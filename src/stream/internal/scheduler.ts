import { constVoid, identity } from "effect/Function"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type { BudgetExceeded } from "../Budget.js"
import { FailedBefore } from "../FailedBefore.js"
import type * as Outcome from "../Outcome.js"
import * as Batching from "./batching.js"
import * as Cost from "./cost.js"
import * as Row from "./element.js"
import type { FirstAnswers } from "./firstAnswers.js"
import { type LookUp, LookUps } from "./lookUps.js"
import * as Matching from "./matching.js"
import * as messages from "./messages.js"
import { defaultConcurrency, tooLarge } from "./options.js"
import { lastError, OverBudget } from "./overBudget.js"
import { type Batch, Packing } from "./packing.js"
import { Places } from "./places.js"
import { Refusals } from "./refusals.js"
import { Repetitions } from "./repetitions.js"
import type { Config, Record, Step } from "./schedulerSteps.js"
import { Window } from "./window.js"

/**
 * Elements in, batches out; answers in, outcomes out. It runs no effect and no fiber: its driver asks for the next step,
 * carries it out, and tells how it went.
 */
export class Scheduler<A, B> {
  /** The most batches in flight. */
  readonly concurrency: number
  private readonly window: Window<A>
  private readonly packing: Packing<A>
  private readonly nothingToTranslate: ((text: string) => boolean) | undefined
  /** The elements of the last pull, and how many of them were taken in. */
  private pulled: ReadonlyArray<A> = []
  private taken = 0
  private isPulling = false
  private isSourceEnded = false
  readonly places: Places
  readonly refusals = new Refusals()
  /** Told once other streams have made something possible. */
  wake: () => void = constVoid
  /** The error that ends the stream once everything in flight has ended. */
  fatal: Outcome.StreamError | undefined
  /** The open batch that has waited for more texts for long enough. */
  private lingered = 0
  private readonly lookUps: LookUps<A> | undefined
  private readonly settled: Array<Matching.Settled<A>> = []
  private readonly repetitions: Repetitions<A>
  private overBudget: OverBudget<A> | undefined

  constructor(private readonly config: Config<A, B>) {
    const { hasStore, learned, limits, options } = config
    if (hasStore) this.lookUps = new LookUps()
    this.concurrency = options.concurrency ?? defaultConcurrency
    const { unordered = false } = options
    this.window = new Window({ ...limits, concurrency: this.concurrency, ordered: !unordered })
    this.places = new Places({ ...config, concurrency: this.concurrency, window: this.window })
    if (options.placeholders !== undefined) this.nothingToTranslate = messages.nothingToTranslate(options)
    this.packing = new Packing(limits, options, learned, (item, bytes) =>
      this.settle(Matching.failed(item, tooLarge(config, bytes)))
    )
    this.repetitions = new Repetitions({ ...config, packing: this.packing, maxTexts: limits.maxTexts })
  }

  /** True if all pulled elements have left, so that no batch is under way, and no pull is. */
  get isIdle(): boolean {
    return !this.isPulling && this.window.isEmpty
  }

  get hasBatch(): boolean {
    return !this.packing.isEmpty
  }

  /** The number of the open batch that was begun first; 0 if none is open. */
  get openBatch(): number {
    return this.packing.openBatch
  }

  get hasOutcomes(): boolean {
    return this.window.canTake
  }

  step(): Step<A> {
    const { firstAnswers, learned } = this.config
    if (firstAnswers?.error !== undefined) this.stop(firstAnswers.error)
    if (this.settled.length > 0) return { _tag: "Record", settled: this.settled.splice(0) }
    this.places.areHeldBack = this.places.inFlight > 0 && !learned.isAccepted()
    // Where it is judged, the batch that may follow the first answer is read meanwhile.
    const mayRead = firstAnswers !== undefined && !this.isSourceEnded && this.packing.isEmpty
    if (this.places.areHeldBack && !mayRead) return "wait"
    if (this.packing.isEmpty) this.takeIn()
    const lookUp = this.lookUps?.next()
    if (lookUp !== undefined) return lookUp
    if (!this.packing.isEmpty) return this.places.isFree ? this.nextBatch() : "wait"
    if (this.isSourceEnded || this.fatal !== undefined) {
      if (firstAnswers?.held.has(this)) return this.releaseHeld(firstAnswers) ? this.step() : "wait"
      return !this.isPulling && this.lookUps?.isIdle !== false ? "done" : "wait"
    }
    if (this.taken < this.pulled.length || this.isPulling) return "wait"
    this.isPulling = true
    return "pull"
  }

  /** A pull has ended with a chunk of elements. */
  elements(chunk: ReadonlyArray<A>): void {
    this.isPulling = false
    this.pulled = chunk
    this.taken = 0
    if (this.fatal !== undefined) this.failRest(this.fatal)
  }

  /** A pull has ended, and there are no more elements. */
  sourceEnded(): void {
    this.isPulling = false
    this.isSourceEnded = true
  }

  /** An open batch has waited for more texts for long enough: it is closed as soon as it can be sent. */
  endLinger(openBatch: number): void {
    this.lingered = openBatch
  }

  /** Settles an answer that waits for another one to be judged, if there is nothing else to send. */
  private releaseHeld(firstAnswers: FirstAnswers): boolean {
    if (this.places.inFlight > 0 || this.hasBatch || this.openBatch > 0 || this.lookUps?.isBusy) return false
    return this.isPulling || this.fatal !== undefined ? firstAnswers.settle(this) : firstAnswers.release(this)
  }

  /** Closes the open batch if the source or somebody else is waited for, and nothing else can happen. */
  flushIfIdle(): void {
    const { firstAnswers } = this.config
    if (firstAnswers?.held.has(this) === true && this.isPulling) this.releaseHeld(firstAnswers)
    if (this.config.options.linger !== undefined) return
    if (
      (this.isPulling || this.lookUps?.isPolling === true) &&
      this.places.inFlight === 0 &&
      this.packing.isEmpty
    )
      this.packing.flush()
  }

  /** Takes the store's translations for the texts of a step, in their order. */
  found(step: LookUp<A>, known: ReadonlyArray<StoredTranslation | FailedBefore | undefined>): void {
    if (this.lookUps?.end(step) !== true) return
    for (let i = 0; i < step.items.length; i++) this.applyLookUp(step.items[i]!, known[i], step.items)
    this.repeat()
  }

  /** A look-up has failed: its texts fail, and the stream ends. */
  notFound(step: LookUp<A>, error: Outcome.StreamError): void {
    if (this.lookUps?.end(step) !== true) return
    for (const item of step.items) this.settle(Matching.failed(item, error))
    this.stop(error)
  }

  /**
   * The store has told which texts of a batch may be sent. Others are looked up again. Returns the rest of the batch, which
   * gives its place back if that is nothing.
   */
  claimed(batch: Batch<A>, isGranted: (text: string) => boolean): Batch<A> | undefined {
    const isKept = batch.items.map((item) => isGranted(item.text) && !Matching.isDenied(item))
    if (isKept.every(identity)) return batch
    const isEmpty = !isKept.includes(true)
    if (isEmpty) this.ended(batch)
    batch.items.forEach((item, index) => {
      if (!isKept[index]) this.settle(Matching.denied(item))
    })
    return isEmpty ? undefined : Batching.only(batch, (index) => isKept[index]!)
  }

  /** A batch was not sent again, since others may send its texts by now. */
  lost(batch: Batch<A>, cost: Cost.BatchCost): void {
    this.ended(batch)
    this.charge(batch, cost)
    for (const item of batch.items) this.settle(Matching.denied(item))
  }

  /** Results of texts are recorded: their rows may leave. */
  recorded({ settled }: Record<A>): void {
    const repeated: Array<Row.Item<A>> = []
    for (const each of settled) {
      if (each.next === undefined || this.fatal !== undefined) this.complete(each)
      else repeated.push(each.next)
    }
    if (repeated.length > 0) this.packing.addAgain(repeated)
  }

  /** Recording has failed: nothing of it leaves as translated, and the stream ends. */
  notRecorded({ settled }: Record<A>, error: Outcome.StreamError): void {
    this.stop(error)
    for (const { error: cause = error, item } of settled) {
      this.complete({ item, translation: undefined, error: cause })
    }
  }

  /** A batch was answered. Returns `true` if others were held back until then, as the first one is sent alone. */
  answered(batch: Batch<A>, translations: Cost.Answer["translations"], cost: Cost.BatchCost): boolean {
    this.ended(batch)
    this.refusals.succeeded()
    this.config.learned.accept(batch.bytes)
    this.charge(batch, cost)
    const { firstAnswers, verifier } = this.config
    if (firstAnswers === undefined) this.translated(batch, translations)
    else {
      firstAnswers.answered(this, verifier.pairsOf(batch.texts, translations), (error) => {
        if (error === undefined) this.translated(batch, translations)
        else {
          this.fail(batch, error)
          this.stop(error)
        }
      })
    }
    return this.places.areHeldBack
  }

  private translated(batch: Batch<A>, translations: Cost.Answer["translations"]): void {
    for (let i = 0; i < batch.items.length; i++) {
      this.settle(Matching.translated(batch.items[i]!, translations[i]!), batch)
    }
    if (this.repetitions.wrong.length > 0) this.repeat()
  }

  /** A batch has failed: its texts are sent in another way, or fail, or the stream ends. */
  failed(batch: Batch<A>, error: Outcome.StreamError, cost: Cost.BatchCost, isDivided = false): void {
    this.ended(batch)
    this.charge(batch, cost)
    if (error._tag === "BudgetExceeded") {
      // The cost of better answers is left to the other texts.
      if (batch.items.every(({ again }) => again !== undefined)) this.fail(batch, error)
      else this.exceeded(batch, error)
      return
    }
    if (isDivided) this.refusals.blame(batch, error)
    const verdict = isDivided ? "resend" : this.refusals.judge(error)
    if (
      verdict !== "resend" ||
      this.fatal !== undefined ||
      !this.packing.resend(batch, error, this.refusals.answered)
    )
      this.fail(batch, error)
    if (verdict === "stop") this.stop(error)
  }

  /** A batch was not sent, since the stream ends. */
  dropped(batch: Batch<A>, error: Outcome.StreamError): void {
    this.ended(batch)
    this.fail(batch, error)
  }

  /** Ends the stream: pulled elements that were not sent fail. */
  stop(error: Outcome.StreamError): void {
    if (this.fatal !== undefined) return
    this.fatal = error
    this.failRest(error)
    this.wake()
  }

  /** The outcomes that may leave now. */
  take(): ReadonlyArray<Outcome.Outcome<B, A>> {
    return this.window.take().map((row) => Row.toOutcome(row, this.config.elements))
  }

  /** Takes in elements until there is a batch, or no room; closes the open batch if nothing more may come into it. */
  private takeIn(): void {
    while (this.taken < this.pulled.length && this.window.hasRoom) {
      this.takeInNext()
      if (!this.packing.isEmpty) return
    }
    const { openBatch } = this.packing
    if (this.lookUps?.isBusy === true) return
    // A full window whose first row waits for the open batch would wait for ever.
    const isStuck = this.taken < this.pulled.length && this.places.inFlight === 0 && !this.window.canTake
    const hasLingered = this.lingered === openBatch && this.places.inFlight < this.concurrency
    if (isStuck || hasLingered || this.isSourceEnded) this.packing.flush()
  }

  private takeInNext(): void {
    const element = this.pulled[this.taken++]!
    const row = Row.make(element, this.config.elements.texts(element), this.nothingToTranslate)
    this.window.add(row)
    this.window.complete(row)
    Row.forEachItem(row, this.takeInItem)
  }

  private readonly takeInItem = (item: Row.Item<A>): void => {
    if (this.lookUps === undefined) this.packing.add(item)
    else this.lookUps.add(item)
  }

  private applyLookUp(
    item: Row.Item<A>,
    known: StoredTranslation | FailedBefore | undefined,
    beside: ReadonlyArray<Row.Item<A>>
  ): void {
    if (known instanceof FailedBefore) this.settle(Matching.failed(item, known))
    else if (known !== undefined) {
      if (this.repetitions.takeStored(item, known, beside)) return
      const result = this.config.verifier.ofStored(known)
      if (result.error === undefined) Row.cached(item, result.translation)
      else this.failItem(item, result.error)
      this.window.complete(item.row)
      this.completeEqual(item, result)
    } else if (this.fatal === undefined) this.packing.add(item)
    else this.settle(Matching.failed(item, this.fatal))
  }

  private nextBatch(): Batch<A> {
    this.places.begin()
    return this.packing.next()!
  }

  private charge({ items, texts }: Batch<A>, cost: Cost.BatchCost): void {
    items.forEach(({ row }, index) => {
      Cost.charge(row, cost, index, texts[index]!)
    })
  }

  private ended(batch: Batch<A>): void {
    this.places.end()
    if (this.overBudget !== undefined) this.packing.return(this.overBudget.ended(batch))
  }

  /** The budget does not hold a batch. If nothing of it fits, the stream ends. */
  private exceeded(batch: Batch<A>, error: BudgetExceeded): void {
    this.overBudget ??= new OverBudget()
    const first = this.fatal === undefined ? this.overBudget.add(batch, error) : undefined
    if (first === undefined) {
      const last = lastError(batch, error)
      this.fail(batch, last)
      this.stop(last)
    } else this.packing.return(first)
  }

  private fail(batch: Batch<A>, error: Outcome.StreamError): void {
    for (const item of batch.items) this.settle(Matching.failed(item, error))
  }

  private failRest(error: Outcome.StreamError): void {
    while (this.taken < this.pulled.length) this.takeInNext()
    for (const item of this.lookUps?.drain() ?? []) this.settle(Matching.failed(item, error))
    for (const batch of [...this.packing.drain(), ...(this.overBudget?.drain() ?? [])])
      this.fail(batch, error)
  }

  /** A text has its answer, in this batch, or there is none. */
  private settle(
    settled: Matching.Settled<A> | Matching.Denied<A> | undefined,
    batch?: Batch<A> | undefined
  ): void {
    if (settled === undefined) return
    if (settled.error === "denied") {
      if (this.fatal === undefined) this.lookUps?.addPending(settled.item)
      else this.settle(Matching.failed(settled.item, this.fatal))
      return
    }
    const verified = this.repetitions.verify(settled, batch?.items ?? [])
    if (verified !== undefined) this.record(verified)
  }

  private record(settled: Matching.Settled<A>): void {
    if (this.lookUps === undefined) this.complete(settled)
    else this.settled.push(settled)
  }

  /** Sends once more the texts with findings in an answer, once the store has the answer, or settles them. */
  private repeat(): void {
    const sent: Array<Row.Item<A>> = []
    for (const settled of this.repetitions.settle(this.fatal === undefined)) {
      const { next } = settled
      const isNew = settled.refused?.asked !== undefined && next?.again?.isStored !== true
      if (next !== undefined && (this.lookUps === undefined || !isNew)) sent.push(next)
      else this.record(settled)
    }
    if (sent.length > 0) this.packing.addAgain(sent)
  }

  private complete(settled: Matching.Settled<A>): void {
    const { error, item, translation } = settled
    if (error === undefined) Row.translated(item, translation, settled.findings)
    else this.failItem(item, error)
    this.window.complete(item.row)
    this.completeEqual(item, settled)
  }

  /** Settles the equal texts that wait for this one by its result, at no cost. */
  private completeEqual(item: Row.Item<A>, { error, translation }: Matching.Result): void {
    for (const other of this.lookUps?.takeEqual(item) ?? []) {
      if (error === undefined) Row.cached(other, translation)
      else this.failItem(other, error)
      this.window.complete(other.row)
    }
  }

  private failItem(item: Row.Item<A>, error: Outcome.StreamError): void {
    Row.failed(item, { field: this.config.elements.field(item.index), error })
  }
}
