/** The data in the page of a report: `src/cli/report` writes it, `readReport.ts` reads it. */
import type { JobReport } from "../../job/JobReport.js"

/** The states of texts, the most urgent first: the page lists them in this order. Units name their state by its place here. */
export const states = ["failed", "stale", "flagged", "translated", "cached", "skipped"] as const

export type State = (typeof states)[number]

/** A text and its outcome. Numbers are places in the lists of `Data`, and in `states`. */
export type Unit = readonly [
  state: number,
  source: number,
  targetLang: number,
  key: string,
  line: number | null,
  text: string | null,
  translation: string | null,
  reason: number | null,
  findings?: ReadonlyArray<Finding> | undefined
]

/** A fault, and its places in the text and in its translation. */
export type Finding = readonly [explanation: string, source: Places, translation: Places]

/** Each from the first of these to before the second. */
export type Places = ReadonlyArray<readonly [start: number, end: number]>

/** The figures of a moment. */
export interface Sample {
  /** Seconds since the job began. */
  readonly at: number
  /** Texts that had their outcome. */
  readonly done: number
  /** Requests that the service had refused as one too many. */
  readonly refused: number
  /** The number of requests that could be in flight; `null` without a limit. */
  readonly limit: number | null
  /** The number of requests that were. */
  readonly inUse: number
}

/** The terms of a glossary in one language, and their translations. */
export interface Glossary {
  readonly targetLang: string
  readonly entries: Readonly<Record<string, string>>
}

export interface Data {
  /** That of this package. */
  readonly version: string
  readonly report: typeof JobReport.Encoded
  readonly sources: ReadonlyArray<string>
  readonly targetLangs: ReadonlyArray<string>
  /** Why texts have failed: each reason once. */
  readonly reasons: ReadonlyArray<{ readonly tag: string; readonly message: string }>
  /** Units that the page has no room for. */
  readonly omitted: number
  readonly samples: ReadonlyArray<Sample>
  readonly glossaries: ReadonlyArray<Glossary>
  /** Finds the placeholders of a text: a regular expression. */
  readonly placeholder: string
}

/** The ids and classes of the elements that hold the data. */
export const dataId = "data"
export const unitsClass = "units"
