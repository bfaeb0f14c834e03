/** Keeps the books of one language: outcomes as they pass, requests as they are sent. */
import { Clock, Effect } from "effect"
import { Outcome, type Translator } from "effect-translate"
import type { FileTranslation } from "effect-translate/files"
import { Failure } from "./failure.js"
import type { Progress } from "./progress.js"
import { plural } from "./words.js"

export interface Totals {
  readonly language: string
  readonly tally: Outcome.Tally
  /** How often something was sent, repetitions included. */
  readonly requests: number
  readonly retries: number
  readonly seconds: number
  readonly firstError: FileTranslation.FileError | undefined
}

export const open = (language: string, progress: Progress) =>
  Effect.gen(function* () {
    const start = yield* Clock.currentTimeMillis
    let tally = Outcome.zero
    let firstError: FileTranslation.FileError | undefined
    let requests = 0
    let retries = 0

    const count = ({ attempts }: { readonly attempts: number }) =>
      Effect.sync(() => {
        requests += attempts
        retries += Math.max(0, attempts - 1)
      })

    return {
      /** Takes down what became of a part of the file. */
      record: (outcome: FileTranslation.PartOutcome) =>
        Effect.suspend(() => {
          const before = tally.in
          tally = Outcome.add(tally, outcome)
          if (Outcome.isFailed(outcome)) firstError ??= outcome.failures[0].error
          return progress.advance(tally.in - before, language)
        }),
      /** A translator that counts what it sends. */
      counting: (translator: Translator.Service): Translator.Service => ({
        ...translator,
        translate: (texts, options) =>
          Effect.tapBoth(translator.translate(texts, options), { onSuccess: count, onFailure: count })
      }),
      close: Effect.map(Clock.currentTimeMillis, (end): Totals => {
        return { language, tally, requests, retries, seconds: (end - start) / 1000, firstError }
      })
    }
  })

/** Fails if a text was not translated. */
export const failOnFailures = (totals: ReadonlyArray<Totals>): Effect.Effect<void, Failure> => {
  const failed = totals.reduce((sum, { tally }) => sum + tally.failed, 0)
  const first = totals.find(({ firstError }) => firstError !== undefined)?.firstError
  return first === undefined
    ? Effect.void
    : new Failure({
        message: `Not translated, and left as in the source: ${plural(failed, "text")}. The first error:\n${first.message}`
      })
}
