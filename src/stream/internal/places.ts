/** Counts the batches of a stream in flight, and admits new ones. */
import type { FirstAnswers } from "./firstAnswers.js"

/** The most batches that give their places to others while they wait to be sent again: more than it takes to find an outage. */
const mostParked = 8

interface Config {
  /** The most batches in flight. */
  readonly concurrency: number
  /** It takes in more while batches are parked. */
  readonly window: { batches: number }
  readonly firstAnswers?: FirstAnswers | undefined
}

export class Places {
  inFlight = 0
  /** Batches that wait to be sent again, and gave their place to others. */
  private parked = 0
  /** The number of these that may be sent once there is a place. */
  private returning = 0
  /** True if batches wait until the service has accepted one. */
  areHeldBack = false

  constructor(private readonly config: Config) {}

  /** True if there is one for a new batch: those that return come first, and until the service has accepted one there is only one. */
  get isFree(): boolean {
    const { concurrency, firstAnswers } = this.config
    if (this.areHeldBack || this.inFlight + this.returning >= concurrency) return false
    return firstAnswers?.mayBegin !== false
  }

  /** True if there is one for a batch that returns. */
  get isFreeToReturn(): boolean {
    return this.inFlight < this.config.concurrency
  }

  begin(): void {
    this.inFlight++
    this.config.firstAnswers?.begun(1)
  }

  end(): void {
    this.inFlight--
    this.config.firstAnswers?.begun(-1)
  }

  /**
   * A batch in flight has failed and waits to be sent again. In an outage another one may be sent meanwhile, unless too
   * many wait, and more is taken in for it; else it gives up only a place that it has beyond all others.
   */
  park(isOutage: boolean): boolean {
    if (this.parked >= mostParked || (!isOutage && this.inFlight <= this.config.concurrency)) return false
    this.end()
    this.parked++
    this.config.window.batches++
    return true
  }

  /** A parked batch waits for a place: those that come free are for it before they are for new batches. */
  return(): void {
    this.returning++
  }

  /** A parked batch has a place: that it waited for, if there is one, or one beyond all others. */
  unpark(isReturning: boolean): void {
    if (isReturning) this.returning--
    this.begin()
    this.config.window.batches--
    this.parked--
  }
}
