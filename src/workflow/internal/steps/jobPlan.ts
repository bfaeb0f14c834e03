import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { Corpus, SliceSize, Source } from "../../Corpus.js"
import type { Step } from "../tables/jobTables.js"

/** The number of texts of a slice, unless the job sets it: a step costs about as much as five requests, and takes a worker some seconds. */
const fewestTexts = 50
const mostTexts = 2000

/**
 * The number of texts up to which a source stays whole if it is a small share of the job: a source that is cut is read
 * and looked for twice. But where its worker is lost, it begins anew: to find these translations in the store takes some
 * two seconds.
 */
const mostTextsWhole = 50_000

/** The bytes of a text in a request of 50 texts. Longer texts count for more. */
const bytesOfText = 2600

/** The number of steps that each worker has at least, if there are enough texts: they are given to workers by chance. */
const stepsOfWorker = 4

/** The largest number of small sources in one step. */
const mostSources = 10

/** The steps that a job is cut into. */
export interface Plan {
  /** The outputs of sources that were cut come last. */
  readonly steps: ReadonlyArray<Step>
  /** Texts of sources whose records can be found. */
  readonly texts: number
  readonly sources: number
}

export interface Options {
  /** About how many texts a step has. @default it grows with the number of texts behind it */
  readonly batchTexts: number | undefined
  /** The number of workers. */
  readonly workers: number
  /** The number of languages. */
  readonly targets: number
}

/** Cuts a corpus into steps. `goOn` is asked at each slice and source: where it fails, nothing more is read. */
export const make = <E, R, E2, R2>(
  { sources }: Corpus<E, R>,
  { batchTexts, targets, workers }: Options,
  goOn: Effect.Effect<void, E2, R2>
): Effect.Effect<Plan, E | E2, R | R2> =>
  Effect.gen(function* () {
    const shares = stepsOfWorker * Math.max(1, workers)
    let texts = 0

    /** Sizes of slices: each is at most a share of the texts in front of it, so that a job of few texts has enough slices. */
    const sizes = (): SliceSize => {
      let before = texts
      return () => {
        const size = batchTexts ?? Math.min(mostTexts, Math.max(fewestTexts, Math.ceil(before / shares)))
        before += size
        return size
      }
    }

    const cut = ({ slice, slices, source: { name } }: Source<E, R>) =>
      Effect.gen(function* () {
        const steps: Array<Step> = []
        let own = 0
        let weight = 0
        const found = slice === undefined || slices === undefined ? Stream.empty : slices(sizes())
        yield* Stream.runForEach(found, ({ bytes = 0, reference, texts: size }) => {
          steps.push({ kind: "slice", sources: [name], slice: reference, texts: size })
          own += size
          weight += Math.max(size, bytes / bytesOfText)
          return goOn
        })
        yield* goOn
        texts += own
        // A small source is never cut.
        return { name, steps: weight > (batchTexts ?? mostTexts) ? steps : [], texts: own, weight }
      })

    const found = yield* Effect.forEach(sources, cut)
    const share = found.reduce((sum, { weight }) => sum + weight, 0) / shares
    const most = batchTexts ?? Math.max(mostTexts, Math.min(mostTextsWhole / targets, share))
    const together = Math.min(mostSources, Math.max(1, Math.floor(sources.length / shares)))
    const steps: Array<Step> = []
    const outputs: Array<Step> = []
    let small: Array<string> = []
    let smallTexts = 0
    let smallWeight = 0

    const pushSmall = () => {
      if (small.length > 0) steps.push({ kind: "sources", sources: small, texts: smallTexts })
      small = []
      smallTexts = 0
      smallWeight = 0
    }

    for (const source of found) {
      if (source.weight > most && source.steps.length > 1) {
        for (const step of source.steps) steps.push(step)
        outputs.push({ kind: "output", sources: [source.name], texts: 0 })
        continue
      }
      if (small.length >= together || smallWeight + source.weight > most) pushSmall()
      small.push(source.name)
      smallTexts += source.texts
      smallWeight += source.weight
    }
    pushSmall()
    return { steps: [...steps, ...outputs], texts, sources: sources.length }
  })
