import type * as JobReport from "../JobReport.js"

interface Ended {
  readonly state: JobReport.JobReport["end"]["state"]
  readonly targets: ReadonlyArray<JobReport.Target>
  readonly outputs: ReadonlyArray<JobReport.Output>
  /** Texts of the whole job, if that is known. */
  readonly total: number | undefined
  /** Whether it was to translate some texts only. */
  readonly isPilot: boolean
}

const sum = <A>(values: ReadonlyArray<A>, of: (value: A) => number): number =>
  values.reduce((total, value) => total + of(value), 0)

const shown = (number: number): string => number.toLocaleString("en")

const count = (number: number, noun: string): string => `${shown(number)} ${noun}${number === 1 ? "" : "s"}`

const are = (number: number): string => (number === 1 ? "is" : "are")

const billed = (targets: Ended["targets"]): string => {
  const least = sum(targets, ({ characters }) => characters.least)
  const unknown = sum(targets, ({ characters }) => characters.most) - least
  if (least + unknown === 0) return "Nothing was billed."
  const known = `${count(least, "character")} ${least === 1 ? "was" : "were"} billed`
  return unknown === 0
    ? `${known}.`
    : `${known}, and up to ${shown(unknown)} more may have been, whose answers are not known.`
}

const toCorrect = (outputs: Ended["outputs"]): string => {
  const stale = sum(outputs, (output) => output.stale.length)
  return stale === 0
    ? ""
    : ` ${count(stale, "translation")} of a person ${are(stale)} older than the source: fill in "correction" in this report, and give the corrections to the store.`
}

const isWhole = ({ state }: JobReport.Output): boolean => state === "written" || state === "unchanged"

/** What is open after a job that has come to its end. */
const incomplete = ({
  isPilot,
  outputs,
  targets
}: Pick<Ended, "isPilot" | "outputs" | "targets">): string => {
  const failed = sum(targets, (target) => target.failed)
  const open = outputs.filter((output) => !isWhole(output))
  const found = [
    ...(failed === 0 ? [] : [`${count(failed, "text")} ${failed === 1 ? "has" : "have"} failed`]),
    ...(open.length === 0 ? [] : [`${count(open.length, "output")} ${are(open.length)} not whole`])
  ].join(", and ")
  return isPilot && failed === 0 && open.every(({ state }) => state !== "failed")
    ? `This was a pilot: ${found}. Run the job without its limit to translate the rest: what is translated is stored, and not paid for again.`
    : `${found}. See why in the failed units and the outputs, mend that, and run the same again: what is translated is stored, and not paid for again.`
}

/** What to do after a job, in words. */
export const nextStep = ({ isPilot, outputs, state, targets, total }: Ended): string => {
  const told = `${billed(targets)}${toCorrect(outputs)}`
  if (state === "complete") return `Everything is translated, and the same again bills nothing. ${told}`
  if (state === "incomplete") return `${incomplete({ outputs, targets, isPilot })} ${told}`
  const done = sum(targets, (target) => target.in - target.failed)
  const left = Math.max(0, (total ?? 0) - done)
  const rest = total === undefined ? "the rest is translated" : `${count(left, "text")} ${are(left)} left`
  return `Run the same again${state === "failed" ? " once the cause is mended" : ""}: ${rest}, and what is stored is not paid for again. ${told}`
}
