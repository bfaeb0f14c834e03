import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"

interface Call<A, B, E> {
  readonly item: A
  readonly answer: Deferred.Deferred<B, E>
  hasBegun: boolean
}

/** Until the events that have come so far have been seen to. */
const rest = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/**
 * Carries out calls together that come in the same moment, or while others are under way. The slower it is, the more they are. A
 * call that is interrupted has not begun, or waits for its end: nothing of it is done later.
 */
export const make = <A, B, E>(
  together: (items: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>
): ((item: A) => Effect.Effect<B, E>) => {
  const turn = Effect.unsafeMakeSemaphore(1)
  let waiting: Array<Call<A, B, E>> = []

  const carryOut = Effect.gen(function* () {
    yield* rest
    const calls = waiting
    waiting = []
    for (const call of calls) call.hasBegun = true
    const exit = yield* Effect.exit(together(calls.map(({ item }) => item)))
    for (const [index, { answer }] of calls.entries()) {
      yield* Deferred.done(
        answer,
        Exit.map(exit, (answers) => answers[index]!)
      )
    }
  })

  const withdraw = (call: Call<A, B, E>) =>
    Effect.suspend(() => {
      if (call.hasBegun) return Effect.exit(Deferred.await(call.answer))
      waiting = waiting.filter((other) => other !== call)
      return Effect.void
    })

  return (item) =>
    Effect.uninterruptible(
      Effect.gen(function* () {
        const call: Call<A, B, E> = { item, answer: yield* Deferred.make<B, E>(), hasBegun: false }
        waiting.push(call)
        yield* Effect.onInterrupt(Effect.interruptible(turn.take(1)), () => withdraw(call))
        yield* Effect.ensuring(
          Effect.suspend(() => (call.hasBegun ? Effect.void : carryOut)),
          turn.release(1)
        )
        return yield* Deferred.await(call.answer)
      })
    )
}
