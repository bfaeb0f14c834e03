/** How long it takes after a fault until what it has struck goes on, by nothing but the log of the service. */
import type { Entry } from "./log.js"

export interface Fault {
  readonly what: string
  readonly at: number
  /** Since when what was struck could go on: later where the database was away. */
  readonly from: number
  /** The processes that it struck. @default all */
  readonly pids?: ReadonlyArray<number>
  /** When these went on, if they were frozen: what is read of them before was sent before. */
  readonly thawedAt?: number
}

/** A step has texts that follow each other, more or less. */
const distance = 500

/** What comes next in a step whose texts were in flight is one of so many. */
const following = 250

const keyOf = ({ lang }: Entry, number: number) => `${lang} ${number}`

const numbersOf = ({ numbers = [] }: Entry) => numbers

/** Texts that other places have too are far from those around them. */
const together = (entry: Entry): ReadonlyArray<number> => {
  const numbers = [...numbersOf(entry)].sort((a, b) => a - b)
  const middle = numbers[Math.floor(numbers.length / 2)] ?? 0
  return numbers.filter((number) => Math.abs(number - middle) <= distance)
}

const isOf = ({ pids }: Fault, { worker }: Entry) => pids === undefined || pids.includes(worker)

/** Requests that were under way when it happened. */
export const struckBy = (log: ReadonlyArray<Entry>, fault: Fault): ReadonlyArray<Entry> =>
  log.filter((entry) => entry.arrived <= fault.from && entry.ended > fault.at && isOf(fault, entry))

/** Numbers of texts that are near each other. */
const stepsOf = (numbers: ReadonlyArray<number>): ReadonlyArray<readonly [first: number, last: number]> => {
  const steps: Array<[number, number]> = []
  for (const number of [...new Set(numbers)].sort((a, b) => a - b)) {
    const step = steps.at(-1)
    if (step !== undefined && number - step[1] <= distance) step[1] = number
    else steps.push([number, number])
  }
  return steps
}

/**
 * Seconds until each of the steps that had requests under way was gone on with: until a request came that was answered to who had sent it,
 * and that has a text of those requests, or one of those that follow them and that nobody had sent before. `undefined` where none came.
 */
export const secondsOf = (log: ReadonlyArray<Entry>, fault: Fault): ReadonlyArray<number | undefined> => {
  const struck = struckBy(log, fault)
  const lost = new Set(struck.flatMap((entry) => numbersOf(entry).map((number) => keyOf(entry, number))))
  const sent = new Set<string>()
  for (const entry of log) {
    if (entry.arrived > fault.from) continue
    for (const number of numbersOf(entry)) sent.add(keyOf(entry, number))
  }
  const isStill = (entry: Entry) =>
    fault.thawedAt !== undefined && entry.arrived < fault.thawedAt && isOf(fault, entry)
  const later = log
    .filter((entry) => entry.arrived > fault.from && !entry.isLost && entry.status === 200 && !isStill(entry))
    .sort((a, b) => a.arrived - b.arrived)
  return stepsOf(struck.flatMap(together)).map(([first, last]) => {
    const next = later.find((entry) =>
      numbersOf(entry).some((number) => {
        const key = keyOf(entry, number)
        return number >= first && number <= last + following && (lost.has(key) || !sent.has(key))
      })
    )
    return next === undefined ? undefined : (next.arrived - fault.from) / 1000
  })
}

/** Texts of each second that were answered to who had sent them, each counted once. */
export const rateOf = (log: ReadonlyArray<Entry>, from: number, to: number): number => {
  const answered = new Map<string, number>()
  for (const entry of [...log].sort((a, b) => a.ended - b.ended)) {
    if (entry.isLost || entry.status !== 200) continue
    for (const number of numbersOf(entry)) {
      const key = keyOf(entry, number)
      if (!answered.has(key)) answered.set(key, entry.ended)
    }
  }
  const within = [...answered.values()].filter((ended) => ended >= from && ended < to)
  return (within.length * 1000) / (to - from)
}
