/** How fast something goes, over the last seconds. */
export interface Pace {
  /** So many are done at this time. */
  readonly mark: (now: number, done: number) => void
  /** How many are done in a second. */
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
  const forget = (now: number) => {
    const recent = marks.findIndex(({ at }) => at > now - windowMillis)
    // The last one before the window tells what was done when it began.
    const old = recent === -1 ? marks.length - 1 : recent - 1
    if (old > 0) marks.splice(0, old)
  }
  return {
    mark: (now, done) => {
      const last = marks[marks.length - 1]
      if (last !== undefined && now - last.at < leastMillis) return
      forget(now)
      marks.push({ at: now, done })
    },
    rate: (now, done) => {
      forget(now)
      const first = marks[0]
      return first === undefined || now <= first.at ? 0 : ((done - first.done) * 1000) / (now - first.at)
    }
  }
}
