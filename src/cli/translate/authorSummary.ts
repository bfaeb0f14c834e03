/** The lines of a summary about texts that stay as they are, since the machine has not written them, and those that other options have made. */
import type * as JobReport from "../../job/JobReport.js"
import type * as TranslationJob from "../../job/TranslationJob.js"
import * as optionFlags from "../optionFlags.js"
import * as text from "../textTable.js"
import { listed, nameOf } from "./chosenSummary.js"

type Outputs = ReadonlyArray<JobReport.Output>

/** The places of units: an output and a key. */
const placesOf = (outputs: Outputs, keysOf: (output: JobReport.Output) => ReadonlyArray<string>) =>
  outputs.flatMap((output) => keysOf(output).map((key) => `${nameOf(output)}: ${key}`))

const ofStale = (outputs: Outputs): ReadonlyArray<string> => {
  const places = placesOf(outputs, ({ stale }) => stale.map(({ key }) => key))
  const isOne = places.length === 1
  const isFile = outputs.some(({ output, stale }) => output !== undefined && stale.length > 0)
  const accept = isFile
    ? `, or say ${isOne ? "that it is" : "which are"} still right: effect-translate accept FILE --key KEY`
    : ""
  const said = isOne
    ? `1 translation was written by a person before its source changed. Change it there${accept}. To have it translated, delete it there and run again:`
    : `${text.plural(places.length, "translation")} were written by a person before their sources changed. Change them there${accept}. To have one translated, delete it there and run again:`
  return listed(said, places.length, places, "translation")
}

/** Texts of an output that no record tells of, in a line. */
const unrecorded = (output: string, count: number): string =>
  `${text.plural(count, "text")} of ${output} ${count === 1 ? "has" : "have"} no record`

const ofUnknown = (outputs: Outputs): ReadonlyArray<string> => {
  const lines = outputs.flatMap((output) =>
    output.unknown === undefined ? [] : [unrecorded(nameOf(output), output.unknown.texts)]
  )
  return listed(
    "Nobody knows who has written some texts: they stayed as they are, and were not sent. Take them as a person's with effect-translate accept FILE, or have them translated with --existing overwrite:",
    lines.length,
    lines,
    "output"
  )
}

const ofDeleted = (outputs: Outputs): ReadonlyArray<string> => {
  const all = placesOf(outputs, ({ deleted = [] }) => deleted.map(({ key }) => key))
  const unkept = text.sumOf(outputs, ({ deleted = [] }) => deleted.filter(({ text }) => text === "").length)
  const those = all.length === 1 ? "it" : "them"
  const kept =
    unkept === 0
      ? `The store keeps ${those} as ${all.length === 1 ? "a correction" : "corrections"}`
      : `The store keeps those as corrections whose source is known, all but ${text.count(unkept)}`
  return listed(
    `${text.plural(all.length, "translation")} of a person left ${all.length === 1 ? "its output" : "their outputs"}, as no text of the source belongs to ${those} any more, or a correction took ${all.length === 1 ? "its" : "their"} place. ${kept}:`,
    all.length,
    all,
    "translation"
  )
}

/** Texts of persons and of nobody in the outputs of a job. */
export const ofReport = (outputs: Outputs): ReadonlyArray<string> => {
  const kept = text.sumOf(outputs, ({ byPersons }) => byPersons ?? 0)
  return text.present(
    kept > 0 && `${text.plural(kept, "translation")} of a person kept.`,
    ...outputs.map(
      ({ corrections = 0, output }) =>
        corrections > 0 && `${text.plural(corrections, "correction")} read from ${output}.`
    ),
    ofStale(outputs),
    ofUnknown(outputs),
    ofDeleted(outputs)
  )
}

const shown = (value: unknown): string =>
  value === undefined ? "none" : typeof value === "string" ? value : JSON.stringify(value)

/** The lines about texts that are translated again, since they were made with other options. */
export const ofOtherChoices = (
  targets: ReadonlyArray<TranslationJob.TargetEstimate>
): ReadonlyArray<string> =>
  targets.flatMap(({ otherChoices, targetLang }) =>
    otherChoices.map(({ options, texts }) => {
      const differing = Object.entries(options).map(
        ([name, { before, now }]) => `${optionFlags.ofJob[name] ?? name} ${shown(before)}; now ${shown(now)}`
      )
      const made = differing.length === 0 ? "another service, glossary or style rules" : differing.join(", ")
      return `${targetLang}: ${text.plural(texts, "text")} made with ${made}: translated again.`
    })
  )

/** The lines about texts that are translated again, since the glossary has other terms for them. */
export const ofOtherTerms = (targets: ReadonlyArray<TranslationJob.TargetEstimate>): ReadonlyArray<string> =>
  targets.flatMap(({ otherTerms, targetLang }) =>
    otherTerms === 0
      ? []
      : otherTerms === 1
        ? [
            `${targetLang}: 1 text holds terms that are new, have changed or are gone: it is translated again.`
          ]
        : [
            `${targetLang}: ${text.plural(otherTerms, "text")} hold terms that are new, have changed or are gone: they are translated again.`
          ]
  )

/** The lines of a forecast about texts of outputs that stay as they are. */
export const ofForecast = (targets: ReadonlyArray<TranslationJob.TargetEstimate>): ReadonlyArray<string> => {
  const sum = (of: (target: TranslationJob.TargetEstimate) => number) => text.sumOf(targets, of)
  const [stale, unknown, orphaned] = [
    sum(({ stale }) => stale),
    sum(({ unknown }) => unknown),
    sum(({ orphaned }) => orphaned)
  ]
  return text.present(
    stale > 0 && `${text.plural(stale, "translation")} of a person older than the source: kept.`,
    unknown > 0 && `${text.plural(unknown, "text")} without a record of who has written it: kept.`,
    orphaned > 0 && `${text.plural(orphaned, "text")} of outputs that the sources do not have.`,
    ofOtherChoices(targets),
    ofOtherTerms(targets)
  )
}
