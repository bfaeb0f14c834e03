/** The lines of a summary about values and records that were not translated as they were chosen. */
import type { Choice } from "../../format/Format.js"
import * as JobReport from "../../job/JobReport.js"
import type * as TranslationJob from "../../job/TranslationJob.js"
import * as optionFlags from "../optionFlags.js"
import * as text from "../textTable.js"

/** The most places that are named one by one. */
export const most = 20

/** The name of an output. */
export const nameOf = ({ output, source, targetLang }: JobReport.Output): string =>
  output ?? `${source} into ${targetLang}`

/** A message with the first places below it. It is empty for a count of zero. */
export const listed = (said: string, count: number, places: ReadonlyArray<string>, noun?: string) => {
  const left = count - Math.min(places.length, most)
  return text.present(
    count > 0 && said,
    places.slice(0, most).map((place) => `  ${place}`),
    left > 0 && `  and ${noun === undefined ? `${text.count(left)} more` : text.plural(left, `more ${noun}`)}`
  )
}

/** A source, whose fit is the same in all languages. */
type Source = Pick<JobReport.Output, "selection" | "source" | "unread">

/** Each source once. */
const bySource = (outputs: ReadonlyArray<Source>): ReadonlyArray<Source> => [
  ...new Map(outputs.map((output) => [output.source, output])).values()
]

/** The place of a value: a whole file has no key, and the key of a line ends in a colon. */
const placeOf = (source: string, key: string): string =>
  key === "" ? source : `${source}: ${key.replace(/:$/, "")}`

/** The columns and paths that are in no source of a forecast. */
export const missingIn = ({ unmatched }: TranslationJob.JobForecast): ReadonlyArray<Choice> =>
  JobReport.missingChoices(unmatched.map(({ selection }) => selection))

/** Chosen values that were left as they are, and names that were chosen in vain. */
export const ofSelection = (
  outputs: ReadonlyArray<Source>,
  unmatched: ReadonlyArray<Choice>
): ReadonlyArray<string> => {
  const sources = bySource(outputs)
  const absent = text.sumOf(sources, ({ selection }) => selection?.absent ?? 0)
  const noTexts = text.sumOf(sources, ({ selection }) => selection?.noTexts ?? 0)
  const places = sources.flatMap(({ selection, source }) =>
    (selection?.keys ?? []).map((key) => placeOf(source, key))
  )
  return text.present(
    absent > 0 && `${text.plural(absent, "chosen value")} missing or null: skipped.`,
    listed(
      `${text.plural(noTexts, "chosen value")} left as ${noTexts === 1 ? "it is, since it is no text" : "they are, since they are no texts"}:`,
      noTexts,
      places
    ),
    unmatched.map(
      ({ known, option, value }) =>
        `No file has ${value}, but ${known}: correct ${optionFlags.ofJob[option]}.`
    )
  )
}

/** Records that can't be read. */
export const ofUnread = (outputs: ReadonlyArray<Source>): ReadonlyArray<string> => {
  const sources = bySource(outputs)
  const unread = text.sumOf(sources, ({ unread }) => unread?.records ?? 0)
  return listed(
    `${text.plural(unread, "record")} could not be read:`,
    unread,
    sources.flatMap(({ unread }) => unread?.messages ?? [])
  )
}

/** Records that were left out of outputs. */
export const ofDropped = (outputs: ReadonlyArray<JobReport.Output>): ReadonlyArray<string> => {
  const dropped = text.sumOf(outputs, ({ dropped }) => dropped ?? 0)
  return text.present(
    dropped > 0 && `${text.plural(dropped, "record")} left out of the outputs, as --failed drop says.`
  )
}
