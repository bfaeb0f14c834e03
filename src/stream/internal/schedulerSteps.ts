/** What a scheduler works on, and what it asks for. */
import type { Learned } from "../ServiceLimits.js"
import type * as Row from "./element.js"
import type { FirstAnswers } from "./firstAnswers.js"
import type { LookUp } from "./lookUps.js"
import type * as Matching from "./matching.js"
import type { Checked, Options } from "./options.js"
import type { Batch } from "./packing.js"
import type { Verifier } from "./verifier.js"

/** What a scheduler works on. */
export interface Config<A, B> extends Checked {
  readonly elements: Row.Elements<A, B>
  readonly learned: Learned
  readonly options: Options
  /** Whether there is a store, which is asked for texts and told what became of them. */
  readonly hasStore: boolean
  readonly verifier: Verifier
  /** The judgement of the first answers of the job, if there is one. */
  readonly firstAnswers?: FirstAnswers | undefined
}

/** What became of texts, to be recorded in the store. */
export interface Record<A> {
  readonly _tag: "Record"
  readonly settled: ReadonlyArray<Matching.Settled<A>>
}

/** What is to be done next. "wait" lasts until another step has ended; after "done" there is none. */
export type Step<A> = Batch<A> | LookUp<A> | Record<A> | "pull" | "wait" | "done"
