import type * as Text from "../../api/Text.js"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type * as Check from "../../text/Check.js"
import { FailedBefore } from "../FailedBefore.js"
import type * as Outcome from "../Outcome.js"
import * as Row from "./element.js"
import type { LookUps } from "./lookUps.js"
import * as Matching from "./matching.js"
import type { Checked } from "./options.js"
import type { Packing } from "./packing.js"
import type { Judge, Known, Protocol } from "./protocol.js"
import { Repetitions } from "./repetitions.js"
import type { Verifier } from "./verifier.js"
import type { Window } from "./window.js"

interface Config<A, B> extends Pick<Checked, "limits" | "takesContext"> {
  /** Once it has a fatal error, texts are not looked up or sent any more. */
  readonly stream: Pick<Protocol<A, B>, "fatal">
  readonly elements: Row.Elements<A, B>
  readonly verifier: Verifier
  readonly window: Pick<Window<A>, "complete">
  readonly packing: Pick<Packing<A>, "add" | "addAgain">
  /** The look-ups of a stream that has a store, which records results before they leave. */
  readonly lookUps: LookUps<A> | undefined
}

/** Settles texts: verifies results, has them recorded, and puts them into the rows of the texts and of equal ones. */
export class Settling<A, B> {
  /** Results that the store has not recorded. */
  readonly unrecorded: Array<Matching.Settled<A>> = []
  private readonly repetitions: Repetitions<A>
  /** Translations that checks are to ask somebody about. */
  readonly unjudged: Array<Matching.Unjudged<A>> = []
  /** The number of questions that are under way. */
  judging = 0

  constructor(private readonly config: Config<A, B>) {
    this.repetitions = new Repetitions({ ...config, maxTexts: config.limits.maxTexts })
  }

  /** Results are recorded: their rows may leave. */
  recorded(settled: ReadonlyArray<Matching.Settled<A>>): void {
    const repeated: Array<Row.Item<A>> = []
    for (const each of settled) {
      if (each.next === undefined || this.config.stream.fatal !== undefined) this.complete(each)
      else repeated.push(each.next)
    }
    if (repeated.length > 0) this.config.packing.addAgain(repeated)
  }

  /** Results are not recorded: none leaves as translated. */
  notRecorded(settled: ReadonlyArray<Matching.Settled<A>>, error: Outcome.StreamError): void {
    for (const { error: cause = error, item } of settled) {
      this.complete({ item, translation: undefined, error: cause })
    }
  }

  /** The translations to be judged now. */
  nextJudge(): Judge<A> {
    this.judging++
    const unjudged = this.unjudged.splice(0)
    const { elements, verifier } = this.config
    const questions = unjudged.map(({ isKnown, settled }) => ({
      pair: verifier.pairOf(settled, elements),
      mayAsk: !isKnown
    }))
    return { _tag: "Judge", questions, unjudged }
  }

  judged({ unjudged }: Judge<A>, verdicts: ReadonlyArray<Check.Verdict>): void {
    this.judging--
    const items = unjudged.map(({ settled }) => settled.item)
    unjudged.forEach(({ isKnown, settled }, index) => {
      const judged = this.repetitions.judge(settled, verdicts[index]!, items)
      if (judged?.isReplacing === true) this.record(judged)
      else if (judged !== undefined) this.leave(judged, isKnown)
    })
    if (this.repetitions.wrong.length > 0) this.repeat()
  }

  notJudged({ unjudged }: Judge<A>): void {
    this.judging--
    for (const { isKnown, settled } of unjudged) this.leave(this.withoutVerdict(settled), isKnown)
  }

  /** Settles texts by their known results; those that have none are packed. */
  found(items: ReadonlyArray<Row.Item<A>>, known: ReadonlyArray<Known>): void {
    for (let i = 0; i < items.length; i++) this.findOne(items[i]!, known[i], items)
    this.repeat()
  }

  /** Settles the texts of a batch by its answer, of which the translations in a range look like those of the texts beside them. */
  translated(
    items: ReadonlyArray<Row.Item<A>>,
    translations: ReadonlyArray<Text.Translation>,
    shifted?: Check.Range
  ): void {
    for (let i = 0; i < items.length; i++) {
      const settled = Matching.translated(items[i]!, translations[i]!)
      const isShifted = shifted !== undefined && shifted.start <= i && i < shifted.end
      const isMarked = isShifted && settled !== undefined && settled.error === undefined
      this.settle(isMarked ? { ...settled, isShifted } : settled, items)
    }
    if (this.repetitions.wrong.length > 0) this.repeat()
  }

  failed(items: ReadonlyArray<Row.Item<A>>, error: Outcome.StreamError): void {
    for (const item of items) this.settle(Matching.failed(item, error))
  }

  /** Others may translate these texts: they are looked up again. */
  denied(items: ReadonlyArray<Row.Item<A>>): void {
    for (const item of items) this.settle(Matching.denied(item))
  }

  private findOne(item: Row.Item<A>, stored: Known, beside: ReadonlyArray<Row.Item<A>>): void {
    const known =
      stored === undefined || stored instanceof FailedBefore ? (this.ownOf(item) ?? stored) : stored
    if (known instanceof FailedBefore) this.failed([item], known)
    else if (known !== undefined) {
      const settled = this.repetitions.takeKnown(item, known, beside)
      if (settled === undefined) return
      if (settled.isReplacing === true) this.record(settled)
      else if (known.isCorrection === true) this.leave(settled, true)
      else this.complete(settled, true)
    } else if (this.config.stream.fatal === undefined) this.config.packing.add(item)
    else this.failed([item], this.config.stream.fatal)
  }

  /** The translation of a text that its element has. */
  private ownOf({ index, row }: Row.Item<A>): StoredTranslation | undefined {
    const text = this.config.elements.known?.(row.source, index)
    return text === undefined ? undefined : { text: text.trim() }
  }

  /** Settles the text of an item, unless parts of it are missing, or it may be sent once more. */
  private settle(
    settled: Matching.Settled<A> | Matching.Denied<A> | undefined,
    beside: ReadonlyArray<Row.Item<A>> = []
  ): void {
    if (settled === undefined) return
    if (settled.error === "denied") {
      if (this.config.stream.fatal === undefined) this.config.lookUps?.addPending(settled.item)
      else this.failed([settled.item], this.config.stream.fatal)
      return
    }
    const verified = this.repetitions.verify(settled, beside)
    if (verified !== undefined) this.record(verified)
  }

  private record(settled: Matching.Settled<A>): void {
    if (this.config.lookUps === undefined) this.complete(settled)
    else this.unrecorded.push(settled)
  }

  /** Sends once more the texts with findings in an answer, once the store has the answer, or settles them. */
  private repeat(): void {
    const { lookUps, packing } = this.config
    const sent: Array<Row.Item<A>> = []
    for (const settled of this.repetitions.settle(this.config.stream.fatal === undefined)) {
      const { next } = settled
      const isNew = settled.refused?.asked !== undefined && next?.again?.isStored !== true
      if (next !== undefined && (lookUps === undefined || !isNew)) sent.push(next)
      else this.record(settled)
    }
    if (sent.length > 0) packing.addAgain(sent)
  }

  /** Settles a text, once checks that ask somebody have judged its translation. */
  private complete(settled: Matching.Settled<A>, isKnown = false): void {
    if (settled.error !== undefined || this.config.verifier.asking.length === 0) this.leave(settled, isKnown)
    else if (this.config.stream.fatal !== undefined) this.leave(this.withoutVerdict(settled), isKnown)
    else this.unjudged.push({ settled, isKnown })
  }

  private withoutVerdict(settled: Matching.Unjudged<A>["settled"]): Matching.Settled<A> {
    return { ...settled, unasked: this.config.verifier.asking.map(({ name }) => ({ check: name })) }
  }

  /** Puts the result of a text into its row, and into those of equal texts. */
  private leave(settled: Matching.Settled<A>, isKnown: boolean): void {
    const { error, item } = settled
    if (isKnown) this.completeCached(item, settled)
    else {
      if (error === undefined) Row.translated(item, settled.translation, settled)
      else this.failItem(item, error)
      this.config.window.complete(item.row)
    }
    this.completeEqual(item, settled)
  }

  /** Settles the equal texts that wait for this one by its result, at no cost. */
  private completeEqual(item: Row.Item<A>, result: Matching.Result): void {
    for (const other of this.config.lookUps?.takeEqual(item) ?? []) this.completeCached(other, result)
  }

  private completeCached(item: Row.Item<A>, result: Matching.Result): void {
    if (result.error === undefined) Row.cached(item, result.translation, result)
    else this.failItem(item, result.error)
    this.config.window.complete(item.row)
  }

  private failItem(item: Row.Item<A>, error: Outcome.StreamError): void {
    Row.failed(item, { field: this.config.elements.field(item.index), error })
  }
}
