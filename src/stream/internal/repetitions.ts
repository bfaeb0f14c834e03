/** Asks once more for texts whose translations look wrong: in which requests, how often, and with which result for the rest. */
import * as Arr from "effect/Array"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type * as Check from "../../text/Check.js"
import type * as Row from "./element.js"
import type * as Matching from "./matching.js"
import type { Packing } from "./packing.js"
import { neighboursOf, type Verifier } from "./verifier.js"

/** A text whose last answer looks wrong. */
interface Wrong<A> {
  readonly item: Row.Item<A>
  readonly again: Row.Again
}

interface Config<A> {
  readonly verifier: Verifier
  readonly packing: Pick<Packing<A>, "addAgain">
  readonly elements: Pick<Row.Elements<A, unknown>, "maxCharacters">
  /** The most texts of a request. */
  readonly maxTexts: number
  /** True if a request may have a context. */
  readonly takesContext: boolean
}

/**
 * The texts of an answer that look wrong are sent once more in one request. A text with findings again goes alone, with its
 * neighbours as context; one that is wrong by itself does so at once.
 */
export class Repetitions<A> {
  /** The texts that were taken and are not settled. */
  readonly wrong: Array<Wrong<A>> = []

  constructor(private readonly config: Config<A>) {}

  /** Checks the result of a text. `undefined` if it may be asked for once more: that is decided for all texts of an answer together. */
  verify(settled: Matching.Settled<A>, beside: ReadonlyArray<Row.Item<A>>): Matching.Settled<A> | undefined {
    const { elements, takesContext, verifier } = this.config
    const { item } = settled
    const { again: before } = item
    if (settled.error !== undefined) {
      return before === undefined ? settled : verifier.withoutNext(item, before, settled)
    }
    if (!verifier.isAsked(settled)) return settled
    const last = verifier.check(settled, elements)
    const again: Row.Again = {
      answer: before === undefined ? last : verifier.policies.better(before.answer, last),
      asked: (before?.asked ?? 0) + 1,
      isAlone: before?.isAlone ?? false,
      neighbours: before?.neighbours ?? []
    }
    if (again.isAlone || !verifier.policies.isWorthAnother(last)) return verifier.settle(item, again)
    const isFirst = takesContext && before === undefined
    this.wrong.push({ item, again: isFirst ? { ...again, neighbours: neighboursOf(beside, item) } : again })
    return undefined
  }

  /** Settles a text by the translation that is there. `undefined` if it may be asked for once more. */
  takeKnown(
    item: Row.Item<A>,
    known: StoredTranslation,
    beside: ReadonlyArray<Row.Item<A>>
  ): Matching.Settled<A> | undefined {
    const { elements, takesContext, verifier } = this.config
    const answer = verifier.ofKnown(item.text, known, () =>
      elements.maxCharacters?.(item.row.source, item.index)
    )
    if (!verifier.isKnownAgain(item, known, answer)) return verifier.settleKnown(item, known, answer)
    verifier.noteAgain(item)
    const neighbours = takesContext ? neighboursOf(beside, item) : []
    const isStored = known.asked !== undefined
    const asked = known.asked ?? 1
    this.wrong.push({
      item,
      again: { answer, asked, isAlone: false, neighbours, isStored, isKnown: !isStored }
    })
    return undefined
  }

  /** Settles a translation by the verdict on it. `undefined` if it may be asked for once more. */
  judge(
    settled: Matching.Unjudged<A>["settled"],
    { findings, unasked }: Check.Verdict,
    beside: ReadonlyArray<Row.Item<A>>
  ): Matching.Settled<A> | undefined {
    const { takesContext, verifier } = this.config
    const { item, translation } = settled
    const all = [...(settled.findings ?? []), ...findings]
    const judged = { ...settled, findings: all, unasked }
    if (!verifier.isRefused(findings)) return judged
    const { again: before } = item
    const again: Row.Again = {
      answer: { translation, findings: all },
      asked: (before?.asked ?? 0) + 1,
      isAlone: before?.isAlone ?? false,
      neighbours: before?.neighbours ?? (takesContext ? neighboursOf(beside, item) : []),
      isKnown: true
    }
    if (!again.isAlone && verifier.policies.isWorthAnother({ translation, findings })) {
      this.wrong.push({ item, again })
      return undefined
    }
    const result = verifier.settle(item, again)
    return result.error === undefined ? judged : { ...result, isReplacing: true }
  }

  /**
   * Settles all results that were taken: one whose text is sent once more has it in `next`, and is to be stored first if
   * it would be refused.
   */
  settle(mayRepeat: boolean): ReadonlyArray<Matching.Settled<A>> {
    const { maxTexts, verifier } = this.config
    const wrong = this.wrong.splice(0)
    const [others, wanted] = Arr.partition(wrong, (each) => verifier.isWanted(each))
    const second = others.filter(({ again }) => again.asked === 1)
    const alone = wrong.filter(({ again }) => again.asked > 1)
    const granted = (requests: number) => (mayRepeat ? verifier.grant(requests) : 0)
    // An endpoint may take any number of texts.
    const requests = second.length === 0 ? 0 : Math.max(1, Math.ceil(second.length / maxTexts))
    const together = second.slice(0, maxTexts * granted(requests))
    const first = mayRepeat ? [...wanted, ...together] : []
    const sent = new Set([...first, ...alone.slice(0, granted(alone.length))])
    return wrong.map((each) => {
      const { again, item } = each
      const settled = verifier.settle(item, again)
      if (!sent.has(each))
        return again.isKnown === true ? { ...settled, isReplacing: settled.error !== undefined } : settled
      const isAlone = again.asked > 1 || first.length === 1
      const next = { ...item, kept: undefined, again: { ...again, isAlone } }
      // The stored translation gives way to the next answer.
      const refused = again.isKnown === true ? verifier.refusalOf(again.answer) : settled.refused
      return refused === undefined
        ? { ...settled, next }
        : { ...settled, refused: { ...refused, asked: again.asked }, isReplacing: again.isKnown, next }
    })
  }
}
