/** Batches that a budget does not hold: the texts that fit are sent, and the others wait for the end of that request. */
import * as Text from "../../api/Text.js"
import { BudgetExceeded } from "../Budget.js"
import * as Batching from "./batching.js"
import * as Cost from "./cost.js"
import type { Batch } from "./packing.js"

/** The texts of a batch that may be sent without the others: none that has parts in other requests. */
const wholeTexts = <A>({ items, texts }: Batch<A>) => {
  const found = new Map<unknown, { readonly indices: Array<number>; characters: number }>()
  items.forEach((item, index) => {
    const key = item.part?.of ?? item
    const whole = found.get(key) ?? { indices: [], characters: 0 }
    whole.indices.push(index)
    whole.characters += Text.characters(texts[index]!)
    found.set(key, whole)
  })
  return Array.from(found.values()).filter(({ indices }) => {
    const { part } = items[indices[0]!]!
    return part === undefined || (part.of.pending === indices.length && part.of.item.part === undefined)
  })
}

/**
 * The places of the texts that fit into `characters` characters, in their order. They are never all: a budget that others
 * use too may refuse a batch, and say later that there is enough.
 */
const fitting = <A>(batch: Batch<A>, characters: number): ReadonlySet<number> => {
  const fits = new Set<number>()
  let left = characters
  for (const { characters, indices } of wholeTexts(batch)) {
    if (characters > left || fits.size + indices.length === batch.items.length) continue
    left -= characters
    for (const index of indices) fits.add(index)
  }
  return fits
}

/** The error of a batch of which nothing fits: it has the cost of the smallest of its texts. */
export const lastError = <A>(batch: Batch<A>, { cap, used }: BudgetExceeded): BudgetExceeded => {
  const sizes = wholeTexts(batch).map(({ characters }) => characters)
  return new BudgetExceeded({ cap, used, needed: Math.min(...sizes, Cost.charactersOf(batch.texts)) })
}

/** The batches of a stream that its budget does not hold. */
export class OverBudget<A> {
  private isLastUnderWay = false
  private readonly waiting: Array<Batch<A>> = []

  /** Takes a batch, and returns the batches to send of it: none while it waits; `undefined` if nothing of it fits. */
  add(batch: Batch<A>, { cap, used }: BudgetExceeded): ReadonlyArray<Batch<A>> | undefined {
    if (this.isLastUnderWay) {
      this.waiting.push(batch)
      return []
    }
    const fits = fitting(batch, cap - used)
    if (fits.size === 0) return undefined
    this.isLastUnderWay = true
    this.waiting.push(Batching.only(batch, (index) => !fits.has(index)))
    return [Batching.only({ ...batch, isLastOfBudget: true }, (index) => fits.has(index))]
  }

  /** A batch has ended. Returns the batches that waited for that. */
  ended({ isLastOfBudget = false }: Batch<A>): ReadonlyArray<Batch<A>> {
    if (!isLastOfBudget) return []
    this.isLastUnderWay = false
    return this.drain()
  }

  drain(): ReadonlyArray<Batch<A>> {
    return this.waiting.splice(0)
  }
}
