/** Discrete events under a clock of their own, without fibers: an hour of a service and its callers in some milliseconds. */
import type { Algorithm } from "../../src/client/internal/pacing/adaptiveLimit.js"
import { Limiter, type Permit } from "../../src/client/internal/pacing/limiter.js"

interface Event {
  readonly at: number
  /** Events of one time run in the order in which they were planned. */
  readonly nth: number
  readonly run: () => void
}

const isBefore = (a: Event, b: Event): boolean => a.at < b.at || (a.at === b.at && a.nth < b.nth)

export class EventLoop {
  now = 0
  private planned = 0
  /** A binary heap: no event is before its parent. */
  private readonly events: Array<Event> = []

  after(millis: number, run: () => void): void {
    const event = { at: this.now + millis, nth: this.planned++, run }
    let index = this.events.push(event) - 1
    while (index > 0) {
      const parent = (index - 1) >> 1
      if (isBefore(this.events[parent]!, event)) break
      this.events[index] = this.events[parent]!
      index = parent
    }
    this.events[index] = event
  }

  /** Runs what is planned before a time. */
  run(until: number): void {
    while (this.events.length > 0 && this.events[0]!.at < until) {
      const event = this.next()
      this.now = event.at
      event.run()
    }
    this.now = until
  }

  private next(): Event {
    const { events } = this
    const first = events[0]!
    const last = events.pop()!
    if (events.length === 0) return first
    let index = 0
    for (;;) {
      let child = 2 * index + 1
      if (child + 1 < events.length && isBefore(events[child + 1]!, events[child]!)) child++
      if (child >= events.length || isBefore(last, events[child]!)) break
      events[index] = events[child]!
      index = child
    }
    events[index] = last
    return first
  }
}

/** A limiter in a loop of events: the decisions of `ConcurrencyLimit`, without its fibers. */
export const limited = (loop: EventLoop, algorithm: Algorithm) => {
  const limiter = new Limiter(algorithm)
  const startTimers = () => {
    for (const { afterMillis, run } of limiter.takeTimers()) {
      loop.after(afterMillis, () => {
        run()
        limiter.update(loop.now)
        startTimers()
      })
    }
  }
  return {
    limiter,
    /** Goes on with a permit once there is one. */
    take: (use: (permit: Permit) => void) => {
      const permit = limiter.takeNow(loop.now)
      if (permit === undefined) limiter.wait(loop.now, (permit) => loop.after(0, () => use(permit)))
      else use(permit)
      startTimers()
    },
    end: (...[permit, how, retryAfter]: [Permit, "accepted" | "refused", Parameters<Limiter["end"]>[3]?]) => {
      limiter.end(permit, how, loop.now, retryAfter)
      startTimers()
    }
  }
}
