/** How do I test what my pipeline does while the service is down or the quota is used up? Under `TestClock`, hours take no time. */
import { Console, Effect, Fiber, Schedule, Stream, TestClock, TestContext } from "effect"
import { CircuitBreaker, Outcome, QuotaPolicy, RetryPolicy, TranslateStream } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"

const pipeline = Stream.make("Good morning", "Good night").pipe(
  TranslateStream.translate({ targetLang: "de" }),
  Outcome.orFail,
  Stream.runCollect
)

/** Runs the pipeline for so long, and tells what became of it and what it has cost. */
const after = (time: `${number} ${"minutes" | "hours"}`) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(pipeline)
    yield* TestClock.adjust(time)
    const result = yield* Effect.match(Fiber.join(fiber), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: () => "translated"
    })
    const { characters, requests } = yield* (yield* Emulator.Emulator).meter
    yield* Console.log(`${result} after ${time}`, { requests, characters })
  })

/** So many failures in a row, and the service counts as down: it is asked once a minute, for ten minutes. */
const circuit = CircuitBreaker.make({
  failures: 3,
  startSchedule: Schedule.upTo(Schedule.spaced("1 minute"), "10 minutes")
})

const quota = QuotaPolicy.wait({ schedule: Schedule.spaced("1 hour") })

const services = (fault: Fault.Fault) => Emulator.layerClient({ faults: [fault], client: { circuit, quota } })

const busy = Fault.times(Fault.status(503), 3)
const down = Fault.times(Fault.cutConnection({ when: "before" }), Number.POSITIVE_INFINITY)
const usedUp = Fault.times(Fault.status(456), 2)

const program = Effect.gen(function* () {
  yield* Effect.provide(after("2 minutes"), services(busy))
  yield* Effect.provide(after("2 hours"), services(usedUp))
  yield* Effect.provide(after("30 minutes"), services(down))
})

program.pipe(
  RetryPolicy.withRetryPolicy({ schedule: Schedule.recurs(3) }),
  Effect.provide(TestContext.TestContext),
  Effect.runPromise
)
