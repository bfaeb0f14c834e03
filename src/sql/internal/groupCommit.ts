import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Scope from "effect/Scope"

interface Call<A, B, E> {
  readonly item: A
  readonly resume: (answer: Effect.Effect<B, E>) => void
  state: "waiting" | "begun" | "ended"
  /** Told of its end after it was interrupted. */
  onEnd: (() => void) | undefined
}

/**
 * Carries out calls together that come in the same moment, while others are under way, or less than `pauseMillis` after them. The
 * slower it is, the more they are. A call that is interrupted has not begun, or waits for its end: nothing of it is done later. The end
 * of the scope interrupts calls that have not begun, and later ones.
 */
export const make = <A, B, E>(
  together: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>,
  pauseMillis = 0
): Effect.Effect<(item: A) => Effect.Effect<B, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const isCalled = Effect.unsafeMakeLatch()
    let waiting: Array<Call<A, B, E>> = []
    let isClosed = false
    let lastEnd = Number.NEGATIVE_INFINITY

    /** Until the events that have come so far have been seen to, at least. In a time that nobody can set. */
    const rest = Effect.async<void>((resume) => {
      const left = lastEnd + pauseMillis - performance.now()
      if (left > 0) setTimeout(() => resume(Effect.void), left)
      else setImmediate(() => resume(Effect.void))
    })

    const carryOut = Effect.suspend(() => {
      const calls = waiting
      waiting = []
      isCalled.unsafeClose()
      for (const call of calls) call.state = "begun"
      return Effect.map(Effect.exit(together(calls.map(({ item }) => item))), (exit) => {
        lastEnd = performance.now()
        calls.forEach((call, index) => {
          call.state = "ended"
          call.resume(Exit.map(exit, (answers) => answers[index]!))
          call.onEnd?.()
        })
      })
    })
    const loop: Effect.Effect<never> = Effect.suspend(() =>
      isCalled.await.pipe(
        Effect.zipRight(rest),
        Effect.zipRight(Effect.uninterruptible(carryOut)),
        Effect.zipRight(loop)
      )
    )
    // Once the loop has ended.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isClosed = true
        for (const { resume } of waiting) resume(Effect.interrupt)
      })
    )
    yield* Effect.forkScoped(loop)

    return (item: A) =>
      Effect.async<B, E>((resume) => {
        if (isClosed) {
          resume(Effect.interrupt)
          return
        }
        const call: Call<A, B, E> = { item, resume, state: "waiting", onEnd: undefined }
        waiting.push(call)
        isCalled.unsafeOpen()
        return Effect.async<void>((resume) => {
          if (call.state === "waiting") waiting = waiting.filter((other) => other !== call)
          // It may have ended while its fiber has not gone on yet.
          if (call.state === "begun") call.onEnd = () => resume(Effect.void)
          else resume(Effect.void)
        })
      })
  })
