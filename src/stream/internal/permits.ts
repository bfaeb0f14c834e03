/** The permits of a stream: how many of its batches are in flight. */
import type { FirstAnswers } from "./firstAnswers.js"

/** The most batches that give up their permits while they wait to be sent again: more than the six failures that make an outage. */
const mostParked = 8

/** A batch that has given up its permit while it waits to be sent again. */
export interface Parked {
  /** Takes a permit if one is free; else the next free one is kept for it. Returns true if it has one. */
  readonly tryResume: () => boolean
  /** Takes a permit, if need be beyond the concurrency. */
  readonly resume: () => void
}

export class Permits {
  inFlight = 0
  /** Batches that have given up their permits. */
  parked = 0
  /** Parked batches that wait for a permit: they come before new ones. */
  private queued = 0

  constructor(
    /** The most batches in flight. */
    readonly concurrency: number,
    private readonly firstAnswers?: FirstAnswers | undefined
  ) {}

  /** True if fewer batches are in flight than may be. */
  get isFree(): boolean {
    return this.inFlight < this.concurrency
  }

  /** True if a new batch may be sent. */
  get isAvailable(): boolean {
    return this.inFlight + this.queued < this.concurrency && this.firstAnswers?.mayBegin !== false
  }

  acquire(): void {
    this.inFlight++
    this.firstAnswers?.begun(1)
  }

  release(): void {
    this.inFlight--
    this.firstAnswers?.begun(-1)
  }

  /**
   * A batch in flight waits to be sent again. In an outage it gives up its permit, so that another one may be sent; otherwise only
   * if more are in flight than may be. `undefined` if it keeps its permit.
   */
  park(isOutage: boolean): Parked | undefined {
    if (this.parked >= mostParked || (!isOutage && this.inFlight <= this.concurrency)) return undefined
    this.release()
    this.parked++
    let state: "parked" | "queued" | "resumed" = "parked"
    const resume = () => {
      if (state === "resumed") return
      if (state === "queued") this.queued--
      state = "resumed"
      this.parked--
      this.acquire()
    }
    const tryResume = () => {
      if (state === "parked") {
        state = "queued"
        this.queued++
      }
      const { isFree } = this
      if (isFree) resume()
      return isFree
    }
    return { tryResume, resume }
  }
}
