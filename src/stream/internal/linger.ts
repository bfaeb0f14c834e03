import type * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

/** The scheduler of an open batch. */
interface Scheduler {
  readonly openBatch: number
  readonly endLinger: (openBatch: number) => void
}

/** Tells a scheduler when its open batch has waited for more texts for long enough. */
export class Linger {
  private readonly hasBegun = Effect.unsafeMakeLatch()
  /** The open batch, and when its time is over. */
  private batch = 0
  private end = 0
  private ended = 0

  constructor(
    private readonly millis: number,
    private readonly clock: Clock.Clock,
    private readonly scheduler: Scheduler,
    private readonly onEnd: () => void
  ) {}

  /** The scheduler may have another open batch now. */
  observe(): void {
    const { openBatch } = this.scheduler
    if (openBatch === this.batch) return
    this.batch = openBatch
    this.end = this.now + this.millis
    if (openBatch > 0) this.hasBegun.unsafeOpen()
  }

  /** Runs for as long as the stream does. */
  readonly run: Effect.Effect<never> = Effect.suspend(() => {
    if (this.batch === 0 || this.batch === this.ended) {
      this.hasBegun.unsafeClose()
      return Effect.zipRight(this.hasBegun.await, this.run)
    }
    const left = this.end - this.now
    if (left > 0) return Effect.zipRight(this.clock.sleep(Duration.millis(Math.ceil(left))), this.run)
    this.ended = this.batch
    this.scheduler.endLinger(this.batch)
    this.onEnd()
    return this.run
  })

  /** In milliseconds. Monotonic: the system's clock may be set back. */
  private get now(): number {
    return Number(this.clock.unsafeCurrentTimeNanos()) / 1e6
  }
}
