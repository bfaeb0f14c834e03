/** The schedule of questions, driven by the TestClock over a scripted transport. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { DocumentTranslation } from "effect-translate/documents"
import { once } from "../support/client.js"
import { type Step, scripted, sentAt } from "../support/scriptedClient.js"
import * as virtualClock from "../support/virtualClock.js"

const handle = { documentId: "D1", documentKey: Redacted.make("K1") }

const status = (status: string, more: object = {}): Step => ({
  body: { document_id: "D1", status, ...more }
})
const done = status("done", { billed_characters: 42 })
const repeat = (step: Step, times: number) => Array.from({ length: times }, () => step)

/** The pauses between the questions of a run that ends, in milliseconds. */
const pauses = (script: ReadonlyArray<Step>, options?: DocumentTranslation.WaitOptions) =>
  Effect.gen(function* () {
    const exit = yield* Effect.exit(DocumentTranslation.awaitDone(handle, options))
    const times = yield* sentAt
    return { exit, times, pauses: times.slice(1).map((at, index) => at - times[index]!) }
  }).pipe(once, Effect.provide(scripted(script)), virtualClock.run)

const longest = (value: number) => Random.fixed([value])
const withRandom = (value: number) => Effect.withRandom(longest(value))

describe("the poll schedule", () => {
  it.effect("asks at once, then after pauses that double from a tenth of a second to 30 s", () =>
    Effect.gen(function* () {
      const script = [...repeat(status("translating"), 10), done]
      const shortest = yield* withRandom(0)(pauses(script))
      expect(shortest.times[0]).toBe(0)
      expect(shortest.pauses.map(Math.round)).toEqual([
        100, 200, 400, 800, 1600, 3200, 6400, 12_800, 20_000, 20_000
      ])
      const upper = yield* withRandom(1)(pauses(script))
      expect(upper.pauses.map(Math.round)).toEqual([
        150, 300, 600, 1200, 2400, 4800, 9600, 19_200, 30_000, 30_000
      ])
    })
  )

  for (const estimate of [undefined, 0, 1, 2, 2147483647]) {
    it.effect(`finds a document that is ready after 150 ms soon, whatever the estimate is: ${estimate}`, () =>
      Effect.gen(function* () {
        const more = estimate === undefined ? {} : { seconds_remaining: estimate }
        const { times } = yield* withRandom(1)(pauses([...repeat(status("translating", more), 3), done]))
        expect(times.find((at) => at >= 150)).toBeLessThanOrEqual(300)
      })
    )
  }

  it.effect("waits at least a second after a failing question, whatever the policy of calls", () =>
    Effect.gen(function* () {
      const script = [...repeat({ status: 503 }, 5), done]
      const exit = yield* DocumentTranslation.awaitDone(handle).pipe(
        Effect.zipRight(sentAt),
        Effect.provide(scripted(script)),
        withRandom(0),
        virtualClock.run
      )
      expect(exit.slice(1).map((at, index) => Math.round(at - exit[index]!))).toEqual([
        1000, 2000, 4000, 8000, 16_000
      ])
    })
  )

  it.effect("has jitter: two documents drift apart", () =>
    Effect.gen(function* () {
      const script = [...repeat(status("queued"), 5), done]
      const first = yield* Effect.withRandom(Random.make("a"))(pauses(script))
      const second = yield* Effect.withRandom(Random.make("b"))(pauses(script))
      expect(first.pauses).not.toEqual(second.pauses)
      for (const pause of [...first.pauses, ...second.pauses]) {
        expect(pause).toBeGreaterThanOrEqual(100)
        expect(pause).toBeLessThanOrEqual(30_000)
      }
    })
  )

  for (const absurd of [2147483647, -1, -2147483648, 1e300, 86_401]) {
    it.effect(`ignores seconds_remaining ${absurd}: "it may be a very large number"`, () =>
      Effect.gen(function* () {
        const script = (more: object) => [...repeat(status("translating", more), 6), done]
        const hinted = yield* withRandom(0.5)(pauses(script({ seconds_remaining: absurd })))
        const plain = yield* withRandom(0.5)(pauses(script({})))
        expect(hinted.pauses).toEqual(plain.pauses)
        expect(hinted.pauses).toHaveLength(6)
      })
    )
  }

  it.effect("takes an estimate of three seconds or more as a hint", () =>
    Effect.gen(function* () {
      const { pauses: found } = yield* withRandom(0)(
        pauses([
          status("queued", { seconds_remaining: 10 }),
          status("queued", { seconds_remaining: 3600 }),
          status("queued", { seconds_remaining: 3 }),
          status("queued", { seconds_remaining: 2 }),
          done
        ])
      )
      expect(found.map(Math.round)).toEqual([10_000, 20_000, 3000, 800])
    })
  )

  it.effect("does not ask every second because the estimate is always 1", () =>
    Effect.gen(function* () {
      const { times } = yield* withRandom(0.5)(
        pauses([...repeat(status("translating", { seconds_remaining: 1 }), 40), done])
      )
      // An hour's tenth: forty questions at least take 3 minutes, not 40 seconds.
      expect(times.at(-1)).toBeGreaterThan(180_000)
    })
  )

  it.effect("goes on after 429, 503, 500 and cut connections, and waits for Retry-After", () =>
    Effect.gen(function* () {
      const {
        exit,
        pauses: found,
        times
      } = yield* withRandom(0)(
        pauses([
          { status: 429, headers: { "retry-after": "120" } },
          { status: 503 },
          { status: 500 },
          { fails: "ECONNRESET" },
          { fails: "ECONNREFUSED" },
          done
        ])
      )
      expect(Exit.isSuccess(exit)).toBe(true)
      expect(times).toHaveLength(6)
      expect(found[0]).toBeGreaterThanOrEqual(120_000)
    })
  )

  it.effect("answers the last status, with the billed characters", () =>
    Effect.gen(function* () {
      const { exit } = yield* pauses([status("queued"), done])
      expect(exit).toEqual(Exit.succeed(expect.objectContaining({ status: "done", billedCharacters: 42 })))
    })
  )

  it.effect("ends at the deadline, and says how to go on", () =>
    Effect.gen(function* () {
      const { exit, times } = yield* pauses(repeat(status("translating"), 100), { deadline: "5 minutes" })
      const error = yield* Effect.flip(exit)
      expect(error).toMatchObject({ _tag: "DocumentOverdue", documentId: "D1", lastStatus: "translating" })
      expect(Duration.toMillis((error as { after: Duration.Duration }).after)).toBe(300_000)
      expect(error.message).toMatch(/wait again with the same handle/)
      expect(times.at(-1)).toBeLessThanOrEqual(300_000)
    })
  )

  it.effect("the deadline does not follow a clock that is set back", () => {
    let setTo = 0
    const setBack = Effect.sync(() => {
      setTo = -3_600_000
    })
    return Effect.gen(function* () {
      yield* Effect.fork(Effect.delay(setBack, "1 minute"))
      const error = yield* Effect.flip(DocumentTranslation.awaitDone(handle, { deadline: "5 minutes" }))
      expect(error).toMatchObject({ _tag: "DocumentOverdue", lastStatus: "translating" })
      expect(Number(yield* Clock.currentTimeNanos) / 1e6).toBeLessThanOrEqual(300_000)
    }).pipe(Effect.provide(scripted(repeat(status("translating"), 1000))), (waiting) =>
      virtualClock.run(waiting, { setTo: () => setTo })
    )
  })

  it.effect("a question that hangs does not outlive the deadline", () =>
    Effect.gen(function* () {
      const { exit } = yield* pauses([status("queued"), "hang"], { deadline: "20 seconds" })
      expect(yield* Effect.flip(exit)).toMatchObject({ _tag: "DocumentOverdue", lastStatus: "queued" })
    })
  )

  it.effect("can be replaced; when it ends, the document is overdue", () =>
    Effect.gen(function* () {
      const pollSchedule = Schedule.intersect(Schedule.spaced("7 seconds"), Schedule.recurs(3))
      const script = [status("queued"), { status: 503 }, done]
      expect((yield* pauses(script, { pollSchedule })).pauses).toEqual([7000, 7000])
      const { exit, times } = yield* pauses(repeat(status("translating"), 9), { pollSchedule })
      const error = yield* Effect.flip(exit)
      expect(error).toMatchObject({ _tag: "DocumentOverdue", lastStatus: "translating" })
      expect(Duration.toMillis((error as { after: Duration.Duration }).after)).toBe(21_000)
      expect(times).toHaveLength(4)
    })
  )

  it.effect("error is a DocumentFailed with the service's message", () =>
    Effect.gen(function* () {
      const { exit, times } = yield* pauses([
        status("queued"),
        status("error", { error_message: "Source and target language are equal." })
      ])
      const error = yield* Effect.flip(exit)
      expect(error).toMatchObject({
        _tag: "DocumentFailed",
        serviceMessage: "Source and target language are equal."
      })
      expect(error.message).toContain("The service says: Source and target language are equal.")
      expect(times).toHaveLength(2)
    })
  )

  it.effect("an unknown handle and a refused key are told at once", () =>
    Effect.gen(function* () {
      for (const [code, tag] of [
        [404, "NotFound"],
        [403, "Unauthorized"]
      ] as const) {
        const { exit, times } = yield* pauses([status("queued"), { status: code }])
        expect(yield* Effect.flip(exit)).toMatchObject({ _tag: tag })
        expect(times).toHaveLength(2)
      }
    })
  )

  it.effect("a status that is not known yet is waited through", () =>
    Effect.gen(function* () {
      const { exit } = yield* pauses([status("proofreading"), done])
      expect(Exit.isSuccess(exit)).toBe(true)
    })
  )
})

describe("a schedule of one's own", () => {
  it.effect("may take the default for some statuses, and another pause for others", () =>
    Effect.gen(function* () {
      const pollSchedule = DocumentTranslation.pollSchedule.pipe(
        Schedule.intersect(Schedule.identity<DocumentTranslation.Answer>()),
        Schedule.modifyDelay(([, answer], pause) =>
          "status" in answer && answer.status === "queued" ? Duration.minutes(1) : pause
        )
      )
      const { pauses: found } = yield* withRandom(0)(
        pauses([status("queued"), status("queued"), status("translating"), done], { pollSchedule })
      )
      expect(found.map(Math.round)).toEqual([60_000, 60_000, 400])
    })
  )
})

describe("watch", () => {
  it.effect("emits each status as it comes", () =>
    Effect.gen(function* () {
      const seen: Array<readonly [status: string, at: number]> = []
      yield* DocumentTranslation.watch(handle).pipe(
        Stream.runForEach(({ status }) =>
          Effect.map(Clock.currentTimeMillis, (at) => seen.push([status, Math.round(at)]))
        )
      )
      expect(seen).toEqual([
        ["queued", 0],
        ["translating", 150],
        ["done", 450]
      ])
    }).pipe(
      withRandom(1),
      Effect.provide(
        scripted([status("queued"), status("translating", { seconds_remaining: 2147483647 }), done])
      ),
      virtualClock.run
    )
  )

  it.effect("emits the error's status before it fails", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const result = yield* DocumentTranslation.watch(handle).pipe(
        Stream.tap(({ status }) => Effect.sync(() => seen.push(status))),
        Stream.runCollect,
        Effect.map(Chunk.size),
        Effect.either
      )
      expect(seen).toEqual(["error"])
      expect(Either.isLeft(result)).toBe(true)
    }).pipe(Effect.provide(scripted([status("error", { error_message: "No." })])))
  )
})
