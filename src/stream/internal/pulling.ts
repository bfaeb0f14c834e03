import * as Chunk from "effect/Chunk"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import type * as Option from "effect/Option"
import type { Protocol } from "./protocol.js"

interface Config<A, E, R> {
  readonly source: Effect.Effect<Chunk.Chunk<A>, Option.Option<E>, R>
  readonly context: Context.Context<R>
  readonly scheduler: Pick<Protocol<A, unknown>, "fatal" | "pulled" | "sourceEnded">
  /** Called once the scheduler knows of the end of a pull. */
  readonly onEnd: () => void
}

/** Pulls chunks of the source for the scheduler. A pull that waits can be interrupted, with its fiber. */
export class Pulling<A, E, R> {
  /** The fiber that pulls. */
  private fiber: Fiber.RuntimeFiber<unknown, unknown> | undefined
  /** The end of the source, or its error. */
  sourceEnd: Exit.Exit<never, Option.Option<E>> | undefined

  constructor(private readonly config: Config<A, E, R>) {}

  readonly pull: Effect.Effect<void, never, R> = Effect.uninterruptible(
    Effect.withFiberRuntime((fiber) => {
      const { context, onEnd, scheduler, source } = this.config
      const own = FiberRef.set(FiberRef.currentContext, fiber.getFiberRef(FiberRef.currentContext))
      this.fiber = fiber
      // A pull that begins after the end of the stream would not be interrupted any more.
      const chunk =
        scheduler.fatal === undefined ? Effect.interruptible(source) : Effect.succeed(Chunk.empty())
      // Calls that the source makes are none of this worker. `Effect.provide` would take 12 operations.
      const pulled = Effect.zipRight(FiberRef.set(FiberRef.currentContext, context), chunk)
      return Effect.map(Effect.zipLeft(Effect.exit(pulled), own), (exit) => {
        this.fiber = undefined
        if (Exit.isSuccess(exit)) scheduler.pulled(Chunk.toReadonlyArray(exit.value))
        else {
          this.sourceEnd = Exit.failCause(exit.cause)
          scheduler.sourceEnded()
        }
        onEnd()
      })
    })
  )

  /** Interrupts the fiber that pulls. Returns `true` if there is one. */
  interrupt(): boolean {
    const { fiber } = this
    fiber?.unsafeInterruptAsFork(FiberId.none)
    this.fiber = undefined
    return fiber !== undefined
  }
}
