import type { Counts, Meter } from "../Meter.js"

interface MutableCounts {
  requests: number
  texts: number
  characters: number
  bytesReceived: number
  readonly statuses: { [status: number]: number }
}

const zero = (): MutableCounts => ({ requests: 0, texts: 0, characters: 0, bytesReceived: 0, statuses: {} })

const copy = (counts: MutableCounts): Counts => ({ ...counts, statuses: { ...counts.statuses } })

/** Counts requests; nothing here suspends, so no fiber sees it half done. */
export class MeterState {
  readonly total = zero()
  readonly keys = new Map<string, MutableCounts>()
  faults = 0
  inFlight = 0
  maxConcurrent = 0

  add(key: string): void {
    this.keys.set(key, zero())
  }

  arrive(key: string | undefined): void {
    this.inFlight++
    this.maxConcurrent = Math.max(this.maxConcurrent, this.inFlight)
    this.each(key, (counts) => counts.requests++)
  }

  receive(key: string | undefined, bytes: number): void {
    this.each(key, (counts) => {
      counts.bytesReceived += bytes
    })
  }

  bill(key: string, texts: number, characters: number): void {
    this.each(key, (counts) => {
      counts.texts += texts
      counts.characters += characters
    })
  }

  answer(key: string | undefined, status: number): void {
    this.each(key, (counts) => {
      counts.statuses[status] = (counts.statuses[status] ?? 0) + 1
    })
  }

  snapshot(): Meter {
    return {
      ...copy(this.total),
      keys: Object.fromEntries(Array.from(this.keys, ([key, counts]) => [key, copy(counts)])),
      faults: this.faults,
      maxConcurrent: this.maxConcurrent
    }
  }

  private each(key: string | undefined, change: (counts: MutableCounts) => void): void {
    change(this.total)
    const counts = key === undefined ? undefined : this.keys.get(key)
    if (counts !== undefined) change(counts)
  }
}
