/** The effect of signals on a command. */
import { describe, expect, it, vi } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as interrupts from "../../src/cli/interrupts.js"
import * as Output from "../../src/cli/output.js"

const second = 1000

/** A command that runs as `main` runs it, what it notes, and what signals do to it. */
const running = (
  command: Effect.Effect<unknown, never, interrupts.Interrupts | Output.Output>
): Effect.Effect<{
  readonly notes: ReadonlyArray<string>
  readonly calls: ReadonlyArray<string>
  /** Signals at some times, in milliseconds. */
  readonly signals: (...times: ReadonlyArray<number>) => Effect.Effect<void>
  readonly ended: Effect.Effect<Exit.Exit<unknown>>
}> =>
  Effect.gen(function* () {
    const notes: Array<string> = []
    const calls: Array<string> = []
    const { service, signal } = interrupts.make(
      () => {
        calls.push("interrupt")
        fiber.unsafeInterruptAsFork(fiber.id())
      },
      () => calls.push("exit")
    )
    const output: Output.Service = {
      ...Output.make({ json: false, quiet: false, verbose: false }),
      note: (line) => Effect.sync(() => notes.push(line))
    }
    const fiber: Fiber.RuntimeFiber<unknown> = yield* interrupts.answered(command).pipe(
      Effect.provideService(interrupts.Interrupts, service),
      Effect.provideService(Output.Output, output),
      // What is stuck never ends.
      Effect.forkDaemon
    )
    yield* turns
    return {
      notes,
      calls,
      signals: (...times) =>
        Effect.forEach(
          times,
          (time) =>
            Effect.zipRight(
              Effect.sync(() => signal(time, "SIGINT")),
              turns
            ),
          {
            discard: true
          }
        ),
      ended: Fiber.await(fiber)
    }
  })

/** Lets fibers run until they wait. */
const turns = Effect.repeatN(Effect.yieldNow(), 50)

const graceful = <A>(use: (requested: Effect.Effect<void>) => Effect.Effect<A>) =>
  Effect.flatMap(interrupts.Interrupts, (service) => service.graceful(use))

const isInterrupted = (exit: Exit.Exit<unknown>) =>
  Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)

const stopping = "Stopping. Press Ctrl-C again to stop now."

/** Does not listen to an interruption, as what waits for a store while it is closed. */
const stuck = Effect.uninterruptible(Effect.never)

describe("the first signal", () => {
  it.effect("interrupts a command, and says so", () =>
    Effect.gen(function* () {
      const { calls, ended, notes, signals } = yield* running(Effect.never)
      yield* signals(0)
      expect(isInterrupted(yield* ended)).toBe(true)
      expect(notes).toEqual([stopping])
      expect(calls).toEqual([])
    })
  )

  it.effect("is answered at once while a command does not end", () =>
    Effect.gen(function* () {
      const { notes, signals } = yield* running(stuck)
      yield* signals(0)
      expect(notes).toEqual([stopping])
    })
  )

  it.effect("asks a graceful run to end, which is not interrupted and has its result", () =>
    Effect.gen(function* () {
      const { ended, notes, signals } = yield* running(
        graceful((requested) => Effect.as(requested, "finished"))
      )
      yield* signals(0)
      expect(yield* ended).toEqual(Exit.succeed("finished"))
      expect(notes).toEqual([])
    })
  )

  it.effect("interrupts a command after its graceful part", () =>
    Effect.gen(function* () {
      const { ended, notes, signals } = yield* running(
        Effect.zipRight(
          graceful(() => Effect.void),
          Effect.never
        )
      )
      yield* signals(0)
      expect(isInterrupted(yield* ended)).toBe(true)
      expect(notes).toEqual([stopping])
    })
  )

  it.effect("is known to each graceful part that comes later", () =>
    Effect.gen(function* () {
      const wait = graceful((requested) => requested)
      const { ended, signals } = yield* running(Effect.zipRight(wait, wait))
      yield* signals(0)
      expect(yield* ended).toEqual(Exit.void)
    })
  )

  it.effect("is told by the command that finishes: a second one stops it now", () =>
    Effect.gen(function* () {
      const { notes, signals } = yield* running(interrupts.finishing(() => Effect.never))
      yield* signals(0)
      expect(notes).toEqual(["Finishing requests in flight. Press Ctrl-C again to stop now."])
    })
  )

  it.effect("is the same if a shell or npx relays it", () =>
    Effect.gen(function* () {
      const { calls, signals } = yield* running(graceful(() => Effect.never))
      yield* signals(0, 100)
      expect(calls).toEqual([])
    })
  )
})

describe("the second signal", () => {
  it.effect("interrupts a graceful run", () =>
    Effect.gen(function* () {
      const { calls, ended, signals } = yield* running(graceful(() => Effect.never))
      yield* signals(0, second)
      expect(isInterrupted(yield* ended)).toBe(true)
      expect(calls).toEqual(["interrupt"])
    })
  )

  it.effect("ends the process after two seconds at most", () =>
    Effect.gen(function* () {
      vi.useFakeTimers({ toFake: ["setTimeout"] })
      const { calls, signals } = yield* running(stuck)
      yield* signals(0, second)
      vi.advanceTimersByTime(1999)
      expect(calls).toEqual(["interrupt"])
      vi.advanceTimersByTime(1)
      expect(calls).toEqual(["interrupt", "exit"])
    }).pipe(Effect.ensuring(Effect.sync(() => vi.useRealTimers())))
  )

  it.effect("leaves a third one to end it at once", () =>
    Effect.gen(function* () {
      const { calls, signals } = yield* running(stuck)
      yield* signals(0, second, 2 * second)
      expect(calls).toEqual(["interrupt", "exit"])
    })
  )
})
