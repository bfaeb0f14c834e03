/** The report of a job: its end, the characters that may be billed twice, and the next step. */
import * as Cause from "effect/Cause"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { isStoreError } from "../../store/StoreError.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import { isJobHalted } from "../JobError.js"
import type { Account } from "./jobAccount.js"
import * as JobReport from "./reportSchema.js"

const why = {
  unknown: "no answer came, or it could not be read, or the job ended before it came",
  expired: "the process that had sent it was killed or stopped before it noted an answer"
} as const

const states = ["unknown", "expired"] as const

const inDoubt = (sums: TranslationStore.AttemptSums): ReadonlyArray<JobReport.InDoubt> =>
  states
    .filter((state) => sums[state].attempts > 0)
    .map((state) => ({
      state,
      why: why[state],
      requests: sums[state].attempts,
      characters: sums[state].characters
    }))

/** The attempts that may be billed twice, by the ledger of the store; `undefined` if it can't be read. */
const inDoubtSince = (
  time: DateTime.Utc
): Effect.Effect<JobReport.JobReport["inDoubt"], never, TranslationStore.TranslationStore> =>
  TranslationStore.TranslationStore.pipe(
    Effect.flatMap((store) => store.attemptSums(time)),
    Effect.map(({ everything, since }) => ({ sinceStart: inDoubt(since), everything: inDoubt(everything) })),
    Effect.orElseSucceed(() => undefined)
  )

interface Ended {
  readonly state: JobReport.JobReport["end"]["state"]
  readonly targets: ReadonlyArray<JobReport.Target>
  readonly outputs: ReadonlyArray<JobReport.Output>
  /** Texts of the whole job, if that is known. */
  readonly total: number | undefined
  /** True if it was to translate some texts only. */
  readonly isPilot: boolean
  /** Its error. */
  readonly error: JobReport.Reason | undefined
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
  const unknown = sum(outputs, (output) => output.unknown?.texts ?? 0)
  const told =
    unknown === 0
      ? ""
      : ` ${count(unknown, "text")} of outputs ${unknown === 1 ? "has" : "have"} no record and stayed as ${unknown === 1 ? "it is" : "they are"}: accept ${unknown === 1 ? "it" : "them"} (OutputCheck.accept), or overwrite the outputs.`
  return stale === 0
    ? told
    : `${told} ${count(stale, "translation")} of a person ${are(stale)} older than the source: fill in "correction" in this report, and give the corrections to the store.`
}

const isWhole = ({ state }: JobReport.Output): boolean => state === "written" || state === "unchanged"

/** The sentence for the translated texts of a complete job, and those of them that look wrong, or were not looked at. */
const complete = ({ outputs, targets }: Pick<Ended, "outputs" | "targets">): string => {
  const flagged = sum(targets, ({ flagged = 0 }) => flagged)
  const unasked = sum(targets, ({ unasked = 0 }) => unasked)
  const doubts = [
    ...(flagged === 0 ? [] : [`${count(flagged, "text")} ${flagged === 1 ? "looks" : "look"} wrong`]),
    ...(unasked === 0 ? [] : [`a check has not looked at ${count(unasked, "text")}`])
  ]
  const end =
    doubts.length === 0
      ? ", and the same again bills nothing."
      : `, ${doubts.length === 1 ? "and " : ""}${doubts.join(", and ")}. The same again bills nothing.`
  switch (JobReport.extent({ outputs, targets })) {
    case "nothing":
      return "There was no text to translate."
    case "everything":
      return `All texts are translated${end}`
    case "others": {
      const left = sum(outputs, ({ onlyPlaceholders }) => onlyPlaceholders?.texts ?? 0)
      const told =
        left === 0
          ? ""
          : `${count(left, "text")} ${left === 1 ? "was" : "were"} left as they are, since they are nothing but placeholders: see "onlyPlaceholders" of the outputs. `
      return `${told}All other texts are translated${end}`
    }
  }
}

/** The sentence for the open texts of a job that has come to its end. */
const incomplete = ({
  isPilot,
  outputs,
  targets
}: Pick<Ended, "isPilot" | "outputs" | "targets">): string => {
  const failed = sum(targets, (target) => target.failed)
  const open = outputs.filter((output) => !isWhole(output))
  // A source has the same values in all languages.
  const sources = new Map(outputs.map(({ selection, source }) => [source, selection?.noTexts ?? 0]))
  const noTexts = sum([...sources.values()], (values) => values)
  const unmatched = JobReport.unmatchedChoices(outputs)
  const found = [
    ...(noTexts === 0
      ? []
      : [`${count(noTexts, "chosen value")} ${are(noTexts)} no text${noTexts === 1 ? "" : "s"}`]),
    ...unmatched.map(({ known, value }) => `no source has ${value}, but ${known}`),
    ...(failed === 0 ? [] : [`${count(failed, "text")} ${failed === 1 ? "has" : "have"} failed`]),
    ...(open.length === 0 ? [] : [`${count(open.length, "output")} ${are(open.length)} not whole`])
  ].join(", and ")
  return isPilot &&
    failed === 0 &&
    noTexts + unmatched.length === 0 &&
    open.every(({ state }) => state !== "failed")
    ? `This was a pilot: ${found}. Run the job without its limit to translate the rest: finished translations are stored and not paid for again.`
    : `${found}. See why in the failed units and the outputs, mend that, and run the same again: finished translations are stored and not paid for again.`
}

/** The translations that a job has stored, if its store was replaced or removed meanwhile. */
const lost = (targets: Ended["targets"]): string => {
  const characters = count(
    sum(targets, ({ characters }) => characters.least),
    "character"
  )
  return `what this job has translated (${characters}) is not in the store that is there now, and is paid for again unless the store's file is put back`
}

/** The next step after a job, in words. */
const adviceAfter = ({ error, isPilot, outputs, state, targets, total }: Ended): string => {
  const told = `${billed(targets)}${toCorrect(outputs)}`
  if (state === "complete") return `${complete({ outputs, targets })} ${told}`
  if (state === "incomplete") return `${incomplete({ outputs, targets, isPilot })} ${told}`
  const done = sum(targets, (target) => target.in - target.failed)
  const left = Math.max(0, (total ?? 0) - done)
  const rest = total === undefined ? "the rest is translated" : `${count(left, "text")} ${are(left)} left`
  const kept =
    error?.tag === "StoreReplaced"
      ? lost(targets)
      : `stored translations are not paid for again${JobReport.isOfStore(error) ? ", but answers that the store could not take are" : ""}`
  return `Run the same again${state === "failed" ? " once the cause is mended" : ""}: ${rest}, and ${kept}. ${told}`
}

/** The end of a job. */
const stateOf = (
  exit: Exit.Exit<unknown, unknown>,
  outputs: ReadonlyArray<JobReport.Output>
): JobReport.JobReport["end"]["state"] => {
  if (Exit.isFailure(exit)) {
    const isHalted = isJobHalted(Cause.squash(exit.cause))
    return isHalted || Cause.isInterruptedOnly(exit.cause) ? "interrupted" : "failed"
  }
  if (JobReport.hasUnmatchedChoices(outputs)) return "incomplete"
  return outputs.every(
    ({ state, tally }) => (state === "written" || state === "unchanged") && tally.failed === 0
  )
    ? "complete"
    : "incomplete"
}

/** The report of a job that has ended. */
export const make = <E>(
  account: Account<E>,
  exit: Exit.Exit<unknown, unknown>,
  sourceLang: string | undefined
) =>
  Effect.gen(function* () {
    const { startedAt, targetReports: targets } = account
    const outputs = account.outputs.map(({ report }) => report)
    const state = stateOf(exit, outputs)
    const total = yield* account.total
    const error = Exit.isFailure(exit) && state === "failed" ? Cause.squash(exit.cause) : undefined
    const reason = error === undefined ? undefined : JobReport.describe(error)
    // A store that is gone would be tried once more, for as long as its schedule says.
    const inDoubt = isStoreError(error) ? undefined : yield* inDoubtSince(startedAt)
    return {
      version: 1,
      startedAt,
      endedAt: yield* DateTime.now,
      ...(sourceLang === undefined ? {} : { sourceLang }),
      end: {
        state,
        ...(reason === undefined ? {} : { error: reason }),
        next: adviceAfter({ state, targets, outputs, total, error: reason, isPilot: account.isPilot })
      },
      targets,
      outputs,
      ...(inDoubt === undefined ? {} : { inDoubt })
    } satisfies JobReport.JobReport
  })
