/** What faults have led to: a table that says which kinds and which fates no program has met. */
import * as Exit from "effect/Exit"
import { errorOf, failureOf } from "./check.js"
import { faultKinds } from "./program.js"
import type { Call, Run } from "./run.js"

/**
 * The outcome of a call one of whose requests met a fault: an answer, at last; its texts were sent in other requests, or failed;
 * its error ended the job; or it was interrupted, with the job.
 */
const fates = ["answered", "sent in others", "failed", "ended the job", "interrupted"] as const

type Fate = (typeof fates)[number]

export const fateOf = (run: Run, call: Call): Fate => {
  const error = errorOf(call)
  if (call.exit !== undefined && Exit.isSuccess(call.exit)) return "answered"
  if (error === undefined) return "interrupted"
  if (error === failureOf(run)) return "ended the job"
  const texts = new Set(call.texts)
  const isSentAgain = run.calls.some(
    (other) => other.start > call.end && other.texts.some((text) => texts.has(text))
  )
  return isSentAgain ? "sent in others" : "failed"
}

type Seen = ReadonlyMap<string, number>

/** What a fault of a kind and a fate is counted as. */
export const cell = (name: string, fate: Fate): string => `fault ${name}: ${fate}`

const names = Object.keys(faultKinds)

const count = (seen: Seen, names: ReadonlyArray<string>, fates: ReadonlyArray<Fate>): number =>
  names
    .flatMap((name) => fates.map((fate) => seen.get(cell(name, fate)) ?? 0))
    .reduce((sum, times) => sum + times, 0)

/** How often each kind of fault has led to what. */
export const table = (seen: Seen): string => {
  const width = Math.max(...names.map(({ length }) => length))
  const rows = names.map((name) => [name, ...fates.map((fate) => count(seen, [name], [fate]) || "")])
  return [["fault", ...fates], ...rows]
    .map(([name, ...cells]) =>
      [String(name).padEnd(width), ...cells.map((cell) => String(cell).padStart(15))].join("")
    )
    .join("\n")
}

/** The kinds and the fates that were never reached. */
export const neverReached = (seen: Seen): ReadonlyArray<string> => [
  ...names.filter((name) => count(seen, [name], fates) === 0),
  ...fates.filter((fate) => count(seen, names, [fate]) === 0)
]
