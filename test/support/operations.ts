/** How many operations of Effect something takes: the same number on every machine, unlike time. */
import * as Effect from "effect/Effect"
import * as Scheduler from "effect/Scheduler"

/** The operations of an effect and of all its fibers: the runtime asks before each one whether to yield. */
const operationsOf = <E>(effect: Effect.Effect<unknown, E>): Effect.Effect<number, E> =>
  Effect.suspend(() => {
    let operations = 0
    const counting: Scheduler.Scheduler = {
      scheduleTask: (task, priority, fiber) => Scheduler.defaultScheduler.scheduleTask(task, priority, fiber),
      shouldYield: (fiber) => {
        operations++
        return Scheduler.defaultScheduler.shouldYield(fiber)
      }
    }
    return Effect.map(Effect.withScheduler(effect, counting), () => operations)
  })

/** The operations of one request more: what is made once for a whole run falls out. */
export const operationsPerRequest = <E>(run: (requests: number) => Effect.Effect<unknown, E>) =>
  Effect.gen(function* () {
    yield* run(10)
    const few = yield* operationsOf(run(30))
    const many = yield* operationsOf(run(130))
    return (many - few) / 100
  })
