import { constVoid, identity } from "effect/Function"
import type * as Check from "../../text/Check.js"
import type { BudgetExceeded } from "../Budget.js"
import type * as Outcome from "../Outcome.js"
import type { Learned } from "../ServiceLimits.js"
import * as Batching from "./batching.js"
import * as Cost from "./cost.js"
import * as Row from "./element.js"
import type { FirstAnswers } from "./firstAnswers.js"
import { Intake } from "./intake.js"
import { type LookUp, LookUps } from "./lookUps.js"
import * as Matching from "./matching.js"
import * as messages from "./messages.js"
import { type Checked, defaultConcurrency, type Options, tooLarge } from "./options.js"
import { lastError, OverBudget } from "./overBudget.js"
import { type Batch, Packing } from "./packing.js"
import { Permits } from "./permits.js"
import type { BatchResult, Judge, Known, Protocol, Record, Step } from "./protocol.js"
import { Refusals } from "./refusals.js"
import { Settling } from "./settling.js"
import type { Verifier } from "./verifier.js"
import { Window } from "./window.js"

interface Config<A, B> extends Checked {
  readonly elements: Row.Elements<A, B>
  readonly learned: Learned
  readonly options: Options
  /** True if there is a store, which looks up texts and records their results. */
  readonly hasStore: boolean
  readonly verifier: Verifier
  /** The judgement of the first answers of the job, if there is one. */
  readonly firstAnswers?: FirstAnswers | undefined
}

/**
 * Elements in, batches out; answers in, outcomes out. It runs no effect and no fiber. `intake` takes elements in, `packing`
 * makes batches of their texts, `permits` bounds the batches in flight, and `settling` puts results into the rows of `window`.
 */
export class Scheduler<A, B> implements Protocol<A, B> {
  fatal: Outcome.StreamError | undefined
  /** True if batches wait until the service has accepted the one in flight. */
  isHeldBack = false
  readonly permits: Permits
  readonly refusals = new Refusals()
  /** Called once a stream with the same limits or first answers has made something possible. */
  wake: () => void = constVoid
  readonly window: Window<A>
  private readonly intake: Intake<A>
  readonly packing: Packing<A>
  private readonly lookUps: LookUps<A> | undefined
  private readonly settling: Settling<A, B>
  private overBudget: OverBudget<A> | undefined
  /** The number of the open batch that has waited for more texts for long enough. */
  private lingeredBatch = 0

  constructor(private readonly config: Config<A, B>) {
    const { elements, firstAnswers, hasStore, learned, limits, options } = config
    const { concurrency = defaultConcurrency, unordered = false } = options
    this.permits = new Permits(concurrency, firstAnswers)
    this.window = new Window({ ...limits, ordered: !unordered, permits: this.permits })
    this.packing = new Packing(
      limits,
      options,
      learned,
      (item, bytes) => this.settling.failed([item], tooLarge(config, bytes)),
      (item, error) => this.settling.failed([item], error)
    )
    const { packing, window } = this
    const lookUps = hasStore ? new LookUps<A>() : undefined
    this.lookUps = lookUps
    this.settling = new Settling({ ...config, lookUps, packing, stream: this, window })
    this.intake = new Intake({
      elements,
      window,
      isSkipped: options.placeholders && messages.nothingToTranslate(options),
      onItem: (item) => {
        if (lookUps !== undefined) lookUps.add(item)
        // Most streams have no translations but those of a store: nothing is looked for.
        else if (elements.known === undefined) packing.add(item)
        else this.settling.found([item], [undefined])
      }
    })
  }

  /** True if all pulled elements have left, so that no batch is under way, and no pull is. */
  get isIdle(): boolean {
    return !this.intake.isPulling && this.window.isEmpty
  }

  /** The number of the open batch that was begun first; 0 if none is open. */
  get openBatch(): number {
    return this.packing.openBatch
  }

  step(): Step<A> {
    const { config, intake, lookUps, packing, permits, settling } = this
    const { firstAnswers } = config
    if (firstAnswers?.error !== undefined) this.stop(firstAnswers.error)
    if (settling.unrecorded.length > 0) return { _tag: "Record", settled: settling.unrecorded.splice(0) }
    if (settling.unjudged.length > 0) return settling.nextJudge()
    this.isHeldBack = permits.inFlight > 0 && !config.learned.isAccepted()
    // Where it is judged, the batch that may follow the first answer is read meanwhile.
    const mayRead = firstAnswers !== undefined && !intake.isSourceEnded && packing.packed.length === 0
    if (this.isHeldBack && !mayRead) return "wait"
    if (packing.packed.length === 0) this.takeIn()
    const lookUp = lookUps?.next()
    if (lookUp !== undefined) return lookUp
    if (packing.packed.length > 0) {
      if (this.isHeldBack || !permits.isAvailable) return "wait"
      permits.acquire()
      return packing.next()!
    }
    if (intake.isSourceEnded || this.fatal !== undefined) {
      if (firstAnswers?.held.has(this)) return this.releaseHeld(firstAnswers) ? this.step() : "wait"
      return !intake.isPulling && lookUps?.isIdle !== false && settling.judging === 0 ? "done" : "wait"
    }
    if (intake.left > 0 || intake.isPulling) return "wait"
    intake.isPulling = true
    return "pull"
  }

  pulled(elements: ReadonlyArray<A>): void {
    this.intake.pulled(elements)
    if (this.fatal !== undefined) this.failRest(this.fatal)
  }

  sourceEnded(): void {
    this.intake.sourceEnded()
  }

  found(step: LookUp<A>, known: ReadonlyArray<Known>): void {
    if (this.lookUps?.end(step) === true) this.settling.found(step.items, known)
  }

  notFound(step: LookUp<A>, error: Outcome.StreamError): void {
    if (this.lookUps?.end(step) !== true) return
    this.settling.failed(step.items, error)
    this.stop(error)
  }

  recorded({ settled }: Record<A>): void {
    this.settling.recorded(settled)
  }

  notRecorded({ settled }: Record<A>, error: Outcome.StreamError): void {
    this.stop(error)
    this.settling.notRecorded(settled, error)
  }

  judged(step: Judge<A>, verdicts: ReadonlyArray<Check.Verdict>): void {
    this.settling.judged(step, verdicts)
  }

  notJudged(step: Judge<A>, error: Outcome.StreamError | undefined): void {
    if (error !== undefined) this.stop(error)
    this.settling.notJudged(step)
  }

  claimed(batch: Batch<A>, isGranted: (text: string) => boolean): Batch<A> | undefined {
    const isKept = batch.items.map((item) => isGranted(item.text) && !Matching.isDenied(item))
    if (isKept.every(identity)) return batch
    const isEmpty = !isKept.includes(true)
    if (isEmpty) this.release(batch)
    this.settling.denied(batch.items.filter((_, index) => !isKept[index]))
    return isEmpty ? undefined : Batching.only(batch, (index) => isKept[index]!)
  }

  ended(batch: Batch<A>, result: BatchResult): void {
    const { items, texts } = batch
    this.release(batch)
    if (result._tag === "Halted") {
      this.settling.failed(items, this.fatal!)
      return
    }
    for (let i = 0; i < items.length; i++) Cost.charge(items[i]!.row, result.cost, i, texts[i]!)
    if (result._tag === "Answered") this.answered(batch, result.translations)
    else if (result._tag === "ClaimLost") this.settling.denied(items)
    else if (result.error._tag === "BudgetExceeded") this.exceeded(batch, result.error)
    else this.failed(batch, result.error, result.isDivided)
  }

  take(): ReadonlyArray<Outcome.Outcome<B, A>> {
    return this.window.take().map((row) => Row.toOutcome(row, this.config.elements))
  }

  /** Ends the stream: pulled elements that were not sent fail. */
  stop(error: Outcome.StreamError): void {
    if (this.fatal !== undefined) return
    this.fatal = error
    this.failRest(error)
    this.wake()
  }

  /** An open batch has waited for more texts for long enough: it is closed as soon as it can be sent. */
  endLinger(openBatch: number): void {
    this.lingeredBatch = openBatch
  }

  /** Closes the open batch if the source or somebody else is waited for, and nothing else can happen. */
  flushIfIdle(): void {
    const { config, intake, lookUps, packing, permits } = this
    const { firstAnswers, options } = config
    if (firstAnswers?.held.has(this) === true && intake.isPulling) this.releaseHeld(firstAnswers)
    const isWaiting = intake.isPulling || lookUps?.isPolling === true
    const isStuck = isWaiting && permits.inFlight === 0 && packing.packed.length === 0
    if (isStuck && options.linger === undefined) packing.flush()
  }

  /** Takes in elements until there is a batch, or no room; closes the open batch if nothing more may come into it. */
  private takeIn(): void {
    const { intake, packing, permits, window } = this
    while (intake.left > 0 && window.hasRoom) {
      intake.takeIn()
      if (packing.packed.length > 0) return
    }
    if (this.lookUps?.isBusy === true) return
    // A full window whose first row waits for the open batch would wait for ever.
    const isStuck = intake.left > 0 && permits.inFlight === 0 && !window.canTake
    const hasLingered = this.lingeredBatch === packing.openBatch && permits.isFree
    if (isStuck || hasLingered || intake.isSourceEnded) packing.flush()
  }

  private answered(batch: Batch<A>, translations: Cost.Answer["translations"]): void {
    const { firstAnswers, learned, verifier } = this.config
    this.refusals.succeeded()
    learned.accept(batch.bytes)
    const pairs = verifier.pairsOf(batch.texts, translations)
    const settle = () => this.settling.translated(batch.items, translations, verifier.shiftedIn(pairs))
    if (firstAnswers === undefined) settle()
    else {
      firstAnswers.answered(this, pairs, (error) => {
        if (error === undefined) settle()
        else {
          this.settling.failed(batch.items, error)
          this.stop(error)
        }
      })
    }
  }

  /** Settles an answer that waits for another one to be judged, if there is nothing else to send. */
  private releaseHeld(firstAnswers: FirstAnswers): boolean {
    if (
      this.permits.inFlight > 0 ||
      this.packing.packed.length > 0 ||
      this.openBatch > 0 ||
      this.lookUps?.isBusy
    )
      return false
    return this.intake.isPulling || this.fatal !== undefined
      ? firstAnswers.settle(this)
      : firstAnswers.release(this)
  }

  /** A batch has failed: its texts are sent in another way, or fail, or the stream ends. */
  private failed(batch: Batch<A>, error: Outcome.StreamError, isDivided: boolean): void {
    const { packing, refusals, settling } = this
    if (isDivided) refusals.blame(batch, error)
    const verdict = isDivided ? "resend" : refusals.judge(error)
    const isResent =
      verdict === "resend" && this.fatal === undefined && packing.resend(batch, error, refusals.answered)
    if (!isResent) settling.failed(batch.items, error)
    if (verdict === "stop") this.stop(error)
  }

  /** The budget does not hold a batch. If nothing of it fits, the stream ends. */
  private exceeded(batch: Batch<A>, error: BudgetExceeded): void {
    this.overBudget ??= new OverBudget()
    const isRepeated = batch.items.every(({ again }) => again !== undefined)
    const first = isRepeated || this.fatal !== undefined ? undefined : this.overBudget.add(batch, error)
    if (first !== undefined) {
      this.packing.prepend(first)
      return
    }
    const last = isRepeated ? error : lastError(batch, error)
    this.settling.failed(batch.items, last)
    // A repetition that does not fit into the budget leaves the stream running.
    if (!isRepeated) this.stop(last)
  }

  /** A batch is in flight no more. */
  private release(batch: Batch<A>): void {
    this.permits.release()
    if (this.overBudget !== undefined) this.packing.prepend(this.overBudget.ended(batch))
  }

  private failRest(error: Outcome.StreamError): void {
    while (this.intake.left > 0) this.intake.takeIn()
    this.settling.failed(this.lookUps?.drain() ?? [], error)
    for (const { items } of [...this.packing.drain(), ...(this.overBudget?.drain() ?? [])])
      this.settling.failed(items, error)
  }
}
