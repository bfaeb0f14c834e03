/** The progress of a job, for commands and for the page of the jobs: this module imports nothing that a browser would have to load. */
import type * as CorpusJob from "../../workflow/CorpusJob.js"

type Job = Pick<CorpusJob.Status, "progress" | "state">

/**
 * The share that is done, from 0 to 1; `undefined` until the source was read. Translating texts is most of it, and
 * writing outputs the rest.
 */
export const share = ({ progress, state }: Job): number | undefined => {
  if (state === "done") return 1
  const { outputs, texts, totalOutputs, totalTexts } = progress
  if (totalTexts === undefined || totalOutputs === undefined) return undefined
  const part = (done: number, total: number) => (total === 0 ? 1 : Math.min(1, done / total))
  return totalTexts === 0
    ? part(outputs, totalOutputs)
    : 0.9 * part(texts, totalTexts) + 0.1 * part(outputs, totalOutputs)
}

/** The number of texts that were not translated, in all languages. */
export const failedTexts = ({ targets }: Pick<CorpusJob.Status, "targets">): number =>
  targets.reduce((sum, { failed }) => sum + failed, 0)

/** The number of translations that look wrong, in all languages. */
export const flaggedTexts = ({ targets }: Pick<CorpusJob.Status, "targets">): number =>
  targets.reduce((sum, { flagged = 0 }) => sum + flagged, 0)
