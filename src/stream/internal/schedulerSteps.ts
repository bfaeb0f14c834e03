/** The configuration and the steps of a scheduler. */
import type { Learned } from "../ServiceLimits.js"
import type * as Row from "./element.js"
import type { FirstAnswers } from "./firstAnswers.js"
import type { LookUp } from "./lookUps.js"
import type * as Matching from "./matching.js"
import type { Checked, Options } from "./options.js"
import type { Batch } from "./packing.js"
import type { Verifier } from "./verifier.js"

/** The configuration of a scheduler. */
export interface Config<A, B> extends Checked {
  readonly elements: Row.Elements<A, B>
  readonly learned: Learned
  readonly options: Options
  /** True if there is a store, which looks up texts and records their results. */
  readonly hasStore: boolean
  readonly verifier: Verifier
  /** The judgement of the first answers of the job, if there is one. */
  readonly firstAnswers?: FirstAnswers | undefined
}

/** Results of texts, to be recorded in the store. */
export interface Record<A> {
  readonly _tag: "Record"
  readonly settled: ReadonlyArray<Matching.Settled<A>>
}

/** The next step. "wait" lasts until another step has ended; after "done" there is none. */
export type Step<A> = Batch<A> | LookUp<A> | Record<A> | "pull" | "wait" | "done"
