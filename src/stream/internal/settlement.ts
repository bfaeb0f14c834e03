import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type * as Text from "../../api/Text.js"
import * as Placeholder from "../Placeholder.js"
import type { StreamError } from "../StreamError.js"
import * as Duplicates from "./duplicates.js"
import * as Row from "./row.js"

export interface Options<A> {
  readonly field: (index: number) => string | number
  readonly duplicates: Duplicates.Options | undefined
  /** Every text of a row has ended. */
  readonly complete: (row: Row.Row<A>) => void
  /** The translation of a text lost a placeholder. */
  readonly lost: (slot: Row.Slot<A>, error: Placeholder.PlaceholderLost) => void
}

/** What becomes of texts: each ends once, with a translation, that of an equal text, or an error. */
export interface Settlement<A> {
  /** Whether an equal text was sent before: then this one ends with it, and is not sent. */
  readonly isKnown: (slot: Row.Slot<A>, text: string) => boolean
  /** A text, or a part of one, got a translation. */
  readonly arrive: (slot: Row.Slot<A>, translation: Text.Translation) => void
  /** A text, or a part of one, will not be translated. */
  readonly fail: (slot: Row.Slot<A>, error: StreamError) => void
  /** Takes note of a row that may hold no text at all. */
  readonly completeIfDone: (row: Row.Row<A>) => void
}

export const make = <A>({ complete, duplicates, field, lost }: Options<A>): Settlement<A> => {
  const known = duplicates === undefined ? undefined : Duplicates.make<Row.Slot<A>>(duplicates)

  const completeIfDone = (row: Row.Row<A>) => {
    if (Row.complete(row)) complete(row)
  }

  const failOne = (slot: Row.Slot<A>, error: StreamError): boolean => {
    const isOver = Row.failed(slot, { field: field(Row.indexOf(slot)), error })
    completeIfDone(Row.rowOf(slot))
    return isOver
  }

  const useCached = (slot: Row.Slot<A>, translation: Text.Translation) => {
    Row.cached(slot, translation)
    completeIfDone(Row.rowOf(slot))
  }

  /** Whoever waits for an equal text gets what became of it, at no cost. */
  const settleEqual = (
    known: Duplicates.Duplicates<Row.Slot<A>>,
    slot: Row.Slot<A>,
    became: Either.Either<Text.Translation, StreamError>
  ) => {
    const text = Row.rowOf(slot).texts[Row.indexOf(slot)]!
    for (const other of known.settle(text, Option.getOrUndefined(Either.getRight(became)))) {
      if (Either.isLeft(became)) failOne(other, became.left)
      else useCached(other, became.right)
    }
  }

  const fail = (slot: Row.Slot<A>, error: StreamError) => {
    if (failOne(slot, error) && known !== undefined) settleEqual(known, slot, Either.left(error))
  }

  const finish = (slot: Row.Slot<A>, translation: Text.Translation) => {
    Row.translated(slot, translation)
    if (known !== undefined) settleEqual(known, slot, Either.right(translation))
    completeIfDone(Row.rowOf(slot))
  }

  const arrivePart = (parts: Row.Parts, part: number, translation: Text.Translation) => {
    const became = Row.assemble(parts, part, translation)
    if (became === undefined) return
    const whole = parts.whole as Row.Slot<A>
    if ("error" in became) fail(whole, became.error)
    else arrive(whole, became)
  }

  const arrive = (slot: Row.Slot<A>, translation: Text.Translation) => {
    if (!("row" in slot)) finish(slot, translation)
    else if (slot.parts !== undefined) arrivePart(slot.parts, slot.part, translation)
    else if (slot.kept === undefined) finish(slot, translation)
    else {
      Either.match(Placeholder.restore(slot.kept, translation.text), {
        onLeft: (error) => lost(slot, error),
        onRight: (text) => finish(slot, { ...translation, text })
      })
    }
  }

  return {
    isKnown: (slot, text) => {
      const translation = known?.find(text, slot)
      if (translation === undefined) return false
      if (translation !== "waiting") useCached(slot, translation)
      return true
    },
    arrive,
    fail,
    completeIfDone
  }
}
