/** The rate of a count, over the last seconds. */
export interface Pace {
  /** Notes the count at this time. */
  readonly mark: (now: number, done: number) => void
  /** The rate for a second. */
  readonly rate: (now: number, done: number) => number
}

interface Mark {
  readonly at: number
  readonly done: number
}

const windowMillis = 10_000

/** Marks closer to each other than that tell nothing new. */
const leastMillis = 250

/** The first mark is where it starts. */
export const make = (): Pace => {
  const marks: Array<Mark> = []
  let latest: Mark | undefined
  const forget = (now: number) => {
    // Nothing was done since: counts less than a mark apart from the last one count too.
    if (latest !== undefined && latest.at <= now - windowMillis) marks.splice(0, marks.length, latest)
    const recent = marks.findIndex(({ at }) => at > now - windowMillis)
    // The last one before the window has the count at its beginning.
    const old = recent === -1 ? marks.length - 1 : recent - 1
    if (old > 0) marks.splice(0, old)
  }
  return {
    mark: (now, done) => {
      const last = marks[marks.length - 1]
      forget(now)
      latest = { at: now, done }
      if (last === undefined || now - last.at >= leastMillis) marks.push(latest)
    },
    rate: (now, done) => {
      forget(now)
      const first = marks[0]
      if (first === undefined || now <= first.at) return 0
      return ((done - first.done) * 1000) / Math.min(now - first.at, windowMillis)
    }
  }
}
