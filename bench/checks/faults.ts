/**
 * The generator of faults. It is written without looking at the checks: that one of them finds its faults says something of texts that
 * nobody here has seen.
 */
import type * as Check from "../../src/text/Check.js"
import type { Context, Fault } from "./faults/fault.js"
import { ofLanguage } from "./faults/languages.js"
import { marks } from "./faults/marks.js"
import { wording } from "./faults/wording.js"

export const faults: ReadonlyArray<Fault> = [...wording, ...marks, ...ofLanguage]

/** A pair with a fault. `undefined` if the pair has nothing that the fault could be made of. */
export const makeFault = ({ make }: Fault, pair: Check.Pair, context: Context): Check.Pair | undefined => {
  const change = make(pair, context)
  return change === undefined || change.translation === pair.translation ? undefined : { ...pair, ...change }
}
