/** How do I test what my pipeline does while the service is down or the quota is used up? Under `TestClock`, hours take no time. */
import { Console, Effect, Fiber, Schedule, Stream, TestClock, TestContext } from "effect"
import { CircuitBreaker, Outcome, QuotaPolicy, RetryPolicy, TranslateStream } from "effect-translate"
import { Emulator, Fault } from "effect-translate/emulator"

const pipeline = Stream.make("Good morning", "Good night").pipe(
  TranslateStream.translate({ targetLang: "de" }),
  Outcome.orFail,
  Stream.runDrain
)

const client = {
  // So many failures in a row, and the service counts as down: it is asked once a minute, for ten minutes.
  circuit: CircuitBreaker.make({
    failures: 3,
    startSchedule: Schedule.upTo(Schedule.spaced("1 minute"), "10 minutes")
  }),
  quota: QuotaPolicy.wait({ schedule: Schedule.spaced("1 hour") })
}

/** Runs the pipeline for so long against a fault, and tells how it ended and the cost. */
const after = (time: `${number} ${"minutes" | "hours"}`, times: number, fault: Fault.Fault) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.fork(pipeline)
    yield* TestClock.adjust(time)
    const result = yield* Effect.match(Fiber.join(fiber), {
      onFailure: ({ _tag }) => _tag,
      onSuccess: () => "translated"
    })
    const { characters, requests } = yield* (yield* Emulator.Emulator).meter
    yield* Console.log(`${result} after ${time}`, { requests, characters })
  }).pipe(Effect.provide(Emulator.layerClient({ faults: [Fault.times(fault, times)], client })))

Effect.all([
  after("2 minutes", 3, Fault.status(503)),
  after("2 hours", 2, Fault.status(456)),
  after("30 minutes", Number.POSITIVE_INFINITY, Fault.cutConnection({ when: "before" }))
]).pipe(
  RetryPolicy.withRetryPolicy({ schedule: Schedule.recurs(3) }),
  Effect.provide(TestContext.TestContext),
  Effect.runPromise
)
