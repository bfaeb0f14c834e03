/** The protocol of a stream: the scheduler decides on the next step, its driver carries it out and reports the result. */
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type * as Check from "../../text/Check.js"
import type { FailedBefore } from "../FailedBefore.js"
import type { Outcome, StreamError } from "../Outcome.js"
import type * as Cost from "./cost.js"
import type { LookUp } from "./lookUps.js"
import type * as Matching from "./matching.js"
import type { Batch } from "./packing.js"

/** Results of texts, to be recorded in the store. */
export interface Record<A> {
  readonly _tag: "Record"
  readonly settled: ReadonlyArray<Matching.Settled<A>>
}

/** Translations to be judged by checks that ask somebody. */
export interface Judge<A> {
  readonly _tag: "Judge"
  readonly questions: ReadonlyArray<Check.Question>
  readonly unjudged: ReadonlyArray<Matching.Unjudged<A>>
}

/** A step to carry out: chunks of the source are pulled, texts looked up, batches sent, results recorded, and translations judged. */
export type Work<A> = "pull" | LookUp<A> | Batch<A> | Record<A> | Judge<A>

/** The next step. "wait" lasts until another step has ended; after "done" there is none. */
export type Step<A> = Work<A> | "wait" | "done"

/** The result of a batch. */
export type BatchResult =
  | {
      readonly _tag: "Answered"
      readonly cost: Cost.BatchCost
      readonly translations: Cost.Answer["translations"]
    }
  | {
      readonly _tag: "Failed"
      readonly cost: Cost.BatchCost
      readonly error: StreamError
      /** True if the service has failed with it, and its texts are sent in other requests. */
      readonly isDivided: boolean
    }
  /** It was not sent again, since others may send its texts by now. */
  | { readonly _tag: "ClaimLost"; readonly cost: Cost.BatchCost }
  /** It was not sent, since the stream ends. */
  | { readonly _tag: "Halted" }

/** The known result of a text: its translation, or that the service has failed with it before. */
export type Known = StoredTranslation | FailedBefore | undefined

/** Each step ends by one call of the methods of its kind. */
export interface Protocol<A, B> {
  readonly step: () => Step<A>

  /** Ends a pull by elements. */
  readonly pulled: (elements: ReadonlyArray<A>) => void
  /** Ends a pull, and there are no more elements. */
  readonly sourceEnded: () => void

  /** Ends a look-up by the known results of its texts, in their order. */
  readonly found: (step: LookUp<A>, known: ReadonlyArray<Known>) => void
  /** Ends a look-up: its texts fail, and the stream ends. */
  readonly notFound: (step: LookUp<A>, error: StreamError) => void

  /** Ends a record: the outcomes of its texts may leave. */
  readonly recorded: (step: Record<A>) => void
  /** Ends a record: none of it leaves as translated, and the stream ends. */
  readonly notRecorded: (step: Record<A>, error: StreamError) => void

  /** Ends a judgement by the verdicts on its translations, in their order. */
  readonly judged: (step: Judge<A>, verdicts: ReadonlyArray<Check.Verdict>) => void
  /** Ends a judgement: its translations leave without one, and the stream ends if there is an error. */
  readonly notJudged: (step: Judge<A>, error: StreamError | undefined) => void

  /** Returns the rest of a batch of which the store grants some texts; `undefined` if none, which ends it. */
  readonly claimed: (batch: Batch<A>, isGranted: (text: string) => boolean) => Batch<A> | undefined
  readonly ended: (batch: Batch<A>, result: BatchResult) => void

  /** The outcomes that may leave now. */
  readonly take: () => ReadonlyArray<Outcome<B, A>>
  /** The error that ends the stream once everything in flight has ended. */
  readonly fatal: StreamError | undefined
}
