/**
 * The generator of faults. It is written without looking at the checks: that one of them finds its faults says something of texts that
 * nobody here has seen.
 */
import type * as Check from "../../src/text/Check.js"
import { encoding } from "./faults/encoding.js"
import type { Context, Fault } from "./faults/fault.js"
import { figures } from "./faults/figures.js"
import { formats } from "./faults/formats.js"
import { ofLanguage } from "./faults/languages.js"
import { marks } from "./faults/marks.js"
import { wording } from "./faults/wording.js"

export const faults: ReadonlyArray<Fault> = [
  ...wording,
  ...ofLanguage,
  ...marks,
  ...encoding,
  ...figures,
  ...formats
]

/** A right pair, and the same with a fault. */
export interface Damage {
  readonly right: Check.Pair
  readonly faulty: Check.Pair
}

/** `undefined` if the pair has nothing that the fault could be made of. */
export const makeFault = ({ make, plant }: Fault, pair: Check.Pair, context: Context): Damage | undefined => {
  const right = plant === undefined ? pair : plant(pair, context)
  const change = right && make(right, context)
  return change === undefined || change.translation === right!.translation
    ? undefined
    : { right: right!, faulty: { ...right!, ...change } }
}
