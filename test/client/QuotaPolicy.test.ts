/** What a client does once its quota is used up: by itself, and under streams that an emulator bills. */
import { describe, expect, it } from "@effect/vitest"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/TestClock"
import {
  ConcurrencyLimit,
  Outcome,
  QuotaPolicy,
  RetryPolicy,
  type TranslateClient,
  TranslateError,
  TranslateStream,
  WriteStream
} from "effect-translate"
import { type Emulator, Fault } from "effect-translate/emulator"
import * as failOver from "../../src/client/internal/pacing/failOver.js"
import * as waitForQuota from "../../src/client/internal/pacing/waitForQuota.js"
import { Halted } from "../../src/internal/halted.js"
import {
  answerOf,
  badRequest,
  causes,
  charactersOf,
  collect,
  de,
  drain,
  failsWith,
  fake,
  meter,
  numbered,
  quotaExceeded,
  script,
  unauthorized
} from "../stream/support.js"
import { emulatedInProcess } from "../support/emulator.js"
import { retries } from "../support/retries.js"
import * as virtualClock from "../support/virtualClock.js"

/** A client whose texts a test answers. */
const clientBy = (work?: Parameters<typeof fake>[0]) => {
  const { service, ...rest } = fake(work)
  const client = {
    translateText: ({ text, ...options }: TranslateClient.TranslateRequest) =>
      service.translate(text, options)
  } as TranslateClient.Service
  return { ...rest, service: client }
}

/** What each call leads to, in the order of the calls; the last of it holds for all that follow. */
const answers = (...steps: ReadonlyArray<Effect.Effect<unknown, TranslateError.CallError>>) =>
  clientBy((_, call) => steps[Math.min(call, steps.length - 1)]!)

const refused = Effect.fail(quotaExceeded)

/** Used up until told otherwise; each answer takes a second. */
const usedUp = () => {
  const quota = { isUsedUp: true }
  const service = clientBy(() =>
    Effect.delay(
      Effect.suspend(() => (quota.isUsedUp ? refused : Effect.void)),
      "1 second"
    )
  )
  return { quota, ...service }
}

const hourly = Schedule.spaced("1 hour")

const translating = (client: TranslateClient.Service, text = "a") =>
  client.translateText({ text: [text], ...de })

/** Calls with the texts t0, t1, …, each in a fiber of its own. */
const fork = (client: TranslateClient.Service, count: number) =>
  Effect.forEach(numbered(count), (text) => Effect.fork(translating(client, text)))

const periodEnds = (end: number | null): Effect.Effect<TranslateClient.Usage> =>
  Effect.succeed({ endTime: end === null ? undefined : DateTime.unsafeMake(end) })

/** A client under `QuotaPolicy.wait`, whose usage a test answers. */
const patient = (
  client: TranslateClient.Service,
  { schedule = Schedule.spaced("15 minutes"), usage }: Partial<waitForQuota.WaitOptions> = {}
) => waitForQuota.make(client, { schedule, usage })

const days = (count: number) => Duration.toMillis(Duration.days(count))

const halting = (halted: Effect.Effect<void>) => Effect.provideService(Halted, halted)

describe("without a policy", () => {
  it("the refusal has a message that says how to go on", () => {
    expect(quotaExceeded.message).toBe(
      "POST /v2/translate: The quota is used up, status 456. Raise the limit of the subscription or the key, use another key, or wait for the next period; then run the rest. A `QuotaPolicy` makes a stream wait or change the key by itself."
    )
  })
})

describe("wait", () => {
  it.effect("sends the refused texts again when the schedule says", () =>
    Effect.gen(function* () {
      const { calls, service } = answers(refused, refused, Effect.void)
      const fiber = yield* Effect.fork(translating(yield* patient(service, { schedule: hourly }), "x"))
      yield* TestClock.adjust("59 minutes")
      expect(calls.length).toBe(1)
      yield* TestClock.adjust("1 minute")
      expect(calls.length).toBe(2)
      yield* TestClock.adjust("59 minutes")
      expect(calls.length).toBe(2)
      yield* TestClock.adjust("1 minute")
      expect(calls).toEqual([["x"], ["x"], ["x"]])
      expect(yield* Fiber.join(fiber)).toEqual({ ...answerOf(["x"]), attempts: 3 })
    })
  )

  it.effect.each([2, -2])(
    "waits as long as the schedule says at most, though somebody sets the clock by %i hours",
    (hours) => {
      let setTo = 0
      return virtualClock.run(
        Effect.gen(function* () {
          const { calls, service } = answers(refused, Effect.void)
          yield* Effect.fork(translating(yield* patient(service, { schedule: hourly })))
          yield* Effect.sleep("30 minutes")
          setTo = hours * 3_600_000
          yield* Effect.sleep("31 minutes")
          expect(calls.length).toBe(2)
        }),
        { setTo: () => setTo }
      )
    }
  )

  it.effect("tries every 15 minutes unless told otherwise", () =>
    Effect.gen(function* () {
      const { calls, service } = answers(refused)
      const fiber = yield* Effect.fork(translating(yield* patient(service)))
      yield* TestClock.adjust("1 day")
      expect(calls.length).toBe(1 + 4 * 24)
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("counts the possible cost of refused attempts, in answers and in errors", () =>
    Effect.gen(function* () {
      const doubtful = new TranslateError.QuotaExceeded({
        ...quotaExceeded,
        attempts: 3,
        ambiguousAttempts: 2
      })
      const run = (end: Effect.Effect<void, TranslateError.CallError>) =>
        Effect.gen(function* () {
          const { service } = answers(Effect.fail(doubtful), refused, end)
          const fiber = yield* Effect.fork(translating(yield* patient(service, { schedule: hourly })))
          yield* TestClock.adjust("2 hours")
          return yield* Effect.either(Fiber.join(fiber))
        })
      expect(yield* run(Effect.void)).toMatchObject({ right: { attempts: 5, ambiguousAttempts: 2 } })
      const { left } = (yield* run(Effect.fail(badRequest))) as unknown as { left: TranslateError.BadRequest }
      expect(left).toBeInstanceOf(TranslateError.BadRequest)
      expect(left).toMatchObject({ _tag: "BadRequest", status: 400, attempts: 5, ambiguousAttempts: 2 })
    })
  )

  it.effect("holds all calls, those to come too, and tries with one at a time", () =>
    Effect.gen(function* () {
      const { calls, quota, service, state } = usedUp()
      const client = yield* patient(service, { schedule: hourly })
      const first = yield* fork(client, 8)
      yield* TestClock.adjust("1 minute")
      expect(calls.length).toBe(8)
      const later = yield* fork(client, 8)
      yield* TestClock.adjust("5 hours")
      expect(calls.length).toBe(8 + 5)
      quota.isUsedUp = false
      state.maxInFlight = 0
      yield* TestClock.adjust("59 minutes")
      yield* TestClock.adjust("30 seconds")
      expect([calls.length, state.maxInFlight]).toEqual([8 + 6 + 15, 15])
      const texts = (yield* Fiber.join(Fiber.all([...first, ...later]))).map(
        ({ translations }) => translations[0]!.text
      )
      expect(texts).toEqual([...numbered(8), ...numbered(8)].map((text) => `<${text}>`))
    })
  )

  it.effect("gives the error back once the schedule has ended, and begins anew with the next call", () =>
    Effect.gen(function* () {
      const { calls, quota, service } = usedUp()
      const client = yield* patient(service, {
        schedule: hourly.pipe(Schedule.intersect(Schedule.recurs(2)))
      })
      const first = yield* Effect.fork(Effect.flip(translating(client)))
      yield* TestClock.adjust("1 minute")
      const held = yield* Effect.replicateEffect(Effect.fork(Effect.flip(translating(client))), 4)
      yield* TestClock.adjust("3 hours")
      const errors = yield* Effect.all([Fiber.join(first), ...held.map(Fiber.join)])
      expect(new Set(errors.map(({ _tag }) => _tag))).toEqual(new Set(["QuotaExceeded"]))
      expect(errors.reduce((sum, { attempts }) => sum + attempts, 0)).toBe(3)
      for (const { attempts, delivery } of errors) {
        expect(delivery).toBe(attempts === 0 ? "not-sent" : "rejected")
      }
      expect(calls.length).toBe(3)
      const next = yield* Effect.fork(translating(client))
      yield* TestClock.adjust("2 seconds")
      expect(calls.length).toBe(4)
      quota.isUsedUp = false
      yield* TestClock.adjust("2 hours")
      yield* Fiber.join(next)
      expect(calls.length).toBe(5)
    })
  )

  it.effect("begins the schedule anew once a request has got through", () =>
    Effect.gen(function* () {
      const { service } = answers(refused, Effect.void, refused, Effect.void, refused)
      const client = yield* patient(service, {
        schedule: hourly.pipe(Schedule.intersect(Schedule.recurs(1)))
      })
      const run = Effect.zipLeft(Effect.fork(Effect.either(translating(client))), TestClock.adjust("3 hours"))
      const results = yield* Effect.all([run, run, run].map(Effect.flatMap(Fiber.join)))
      expect(results.map(({ _tag }) => _tag)).toEqual(["Right", "Right", "Left"])
    })
  )

  it.effect("lets the next call try at once if the trying one fails otherwise", () =>
    Effect.gen(function* () {
      const { calls, service } = answers(refused, refused, Effect.fail(badRequest), Effect.void)
      const client = yield* patient(service, { schedule: hourly })
      const [a, b] = yield* fork(client, 2)
      yield* TestClock.adjust("1 hour")
      expect(calls.length).toBe(2)
      yield* TestClock.adjust("1 hour")
      expect(calls.length).toBe(4)
      const ends = yield* Effect.all([Effect.either(Fiber.join(a!)), Effect.either(Fiber.join(b!))])
      expect(ends.map(({ _tag }) => _tag).sort()).toEqual(["Left", "Right"])
    })
  )

  it.effect("hands over to another call if it is interrupted while it waits, or while it tries", () =>
    Effect.gen(function* () {
      const { calls, quota, service, state } = usedUp()
      const client = yield* patient(service, { schedule: hourly })
      const fibers = new Map(
        (yield* fork(client, 4)).map((fiber, index) => [`t${index}` as string, fiber] as const)
      )
      const interrupt = (text: string) =>
        Effect.suspend(() => {
          const fiber = fibers.get(text)!
          fibers.delete(text)
          return Fiber.interrupt(fiber)
        })
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("30 minutes")
      yield* interrupt("t0")
      yield* TestClock.adjust("30 minutes")
      expect([calls.length, state.inFlight]).toEqual([5, 1])
      quota.isUsedUp = false
      yield* interrupt(calls[4]![0]!)
      yield* TestClock.adjust("1 millis")
      expect([calls.length, state.inFlight]).toEqual([6, 1])
      yield* TestClock.adjust("2 seconds")
      yield* TestClock.adjust("2 seconds")
      expect((yield* Fiber.join(Fiber.all(fibers.values()))).length).toBe(2)
    })
  )

  it.effect("does not keep a call waiting for the turns of interrupted ones", () =>
    Effect.gen(function* () {
      const { calls, quota, service } = usedUp()
      const client = yield* patient(service, { schedule: hourly })
      const fibers = yield* fork(client, 3)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.interruptAll(fibers)
      quota.isUsedUp = false
      const next = yield* Effect.fork(translating(client))
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(next)
      expect(calls.length).toBe(4)
    })
  )

  it.effect("tells the schedule of every refusal", () =>
    Effect.gen(function* () {
      const seen: Array<TranslateError.QuotaExceeded> = []
      const { service } = answers(refused, refused, Effect.void)
      const client = yield* patient(service, {
        schedule: hourly.pipe(
          Schedule.tapInput((error: TranslateError.QuotaExceeded) => Effect.sync(() => seen.push(error)))
        )
      })
      const fiber = yield* Effect.fork(translating(client))
      yield* TestClock.adjust("2 hours")
      yield* Fiber.join(fiber)
      expect(seen.map(({ status }) => status)).toEqual([456, 456])
    })
  )

  describe("usage", () => {
    const waiting = (usage: Effect.Effect<TranslateClient.Usage, unknown>) =>
      Effect.gen(function* () {
        const asked = { count: 0 }
        const { calls, service } = usedUp()
        const client = yield* patient(service, {
          schedule: hourly,
          usage: Effect.zipRight(
            Effect.sync(() => asked.count++),
            usage
          )
        })
        const fibers = yield* fork(client, 3)
        yield* TestClock.adjust("1 minute")
        return { asked, calls, fibers }
      })

    it.effect("tells the end of the period, which is waited for; after that the schedule holds", () =>
      Effect.gen(function* () {
        const { asked, calls } = yield* waiting(
          // A service that has not reset the quota yet may tell of the next period already.
          Effect.map(Clock.currentTimeMillis, (now) => ({
            endTime: DateTime.unsafeMake(now < days(30) ? days(30) : days(60))
          }))
        )
        yield* TestClock.setTime(days(30) - 1)
        expect(calls.length).toBe(3)
        yield* TestClock.setTime(days(30))
        expect(calls.length).toBe(4)
        yield* TestClock.adjust("62 minutes")
        expect([calls.length, asked.count]).toEqual([5, 1])
      })
    )

    for (const [what, usage] of [
      ["nothing", Effect.succeed({})],
      ["no end", periodEnds(null)],
      ["an end that has passed", periodEnds(500)],
      ["an error", Effect.fail(unauthorized)]
    ] as const) {
      it.effect(`leaves it to the schedule if it tells ${what}`, () =>
        Effect.gen(function* () {
          const { asked, calls } = yield* waiting(usage)
          yield* TestClock.adjust("1 hour")
          expect([calls.length, asked.count]).toEqual([4, 2])
        })
      )
    }

    it.effect("is not waited for when the job has ended", () =>
      Effect.gen(function* () {
        const halted = yield* Deferred.make<void>()
        const client = yield* patient(answers(refused).service, { usage: Effect.never })
        const fiber = yield* Effect.fork(halting(Deferred.await(halted))(translating(client)))
        yield* TestClock.adjust("1 minute")
        yield* Deferred.succeed(halted, undefined)
        expect(yield* Effect.flip(Fiber.join(fiber))).toBe(quotaExceeded)
      })
    )
  })

  it.effect("waits longer than timers can", () =>
    Effect.gen(function* () {
      const { calls, service } = answers(refused, Effect.void)
      const clock = yield* Effect.clock
      const ofJavaScript: typeof clock = Object.assign(Object.create(clock), {
        sleep: (duration: Duration.Duration) =>
          Duration.toMillis(duration) > 2 ** 31 - 1 ? Effect.never : clock.sleep(duration)
      })
      const client = yield* patient(service, { usage: periodEnds(days(31)) })
      const fiber = yield* Effect.fork(Effect.withClock(translating(client), ofJavaScript))
      for (let day = 0; day < 31; day++) yield* TestClock.adjust("1 day")
      yield* Fiber.join(fiber)
      expect(calls.length).toBe(2)
    })
  )

  it.effect("ends at once when the job has ended: nothing is sent any more", () =>
    Effect.gen(function* () {
      const halted = yield* Deferred.make<void>()
      const { calls, service } = usedUp()
      const client = yield* patient(service, { schedule: hourly })
      const job = halting(Deferred.await(halted))
      const sent = yield* Effect.fork(job(translating(client)))
      yield* TestClock.adjust("1 minute")
      const held = yield* Effect.fork(job(translating(client)))
      yield* TestClock.adjust("1 minute")
      yield* Deferred.succeed(halted, undefined)
      expect(yield* Effect.flip(Fiber.join(sent))).toBe(quotaExceeded)
      expect(Exit.isInterrupted(yield* Fiber.await(held))).toBe(true)
      yield* TestClock.adjust("5 hours")
      expect(calls.length).toBe(1)
    })
  )

  it.effect("sends nothing again for a job that has ended, whatever the schedule", () =>
    Effect.gen(function* () {
      const { calls, service } = answers(refused)
      const client = yield* patient(service, { schedule: Schedule.forever })
      expect(yield* Effect.flip(halting(Effect.void)(translating(client)))).toBe(quotaExceeded)
      expect(calls.length).toBe(1)
    })
  )
})

/** A ring of clients. */
const ring = (...clients: Arr.NonEmptyReadonlyArray<TranslateClient.Service>) =>
  Effect.sync(() => failOver.make(clients))

/** A client that knows some documents, and what it was asked for. */
const keeping = (...ids: ReadonlyArray<string>) => {
  const asked: Array<string> = []
  const { service } = answers(Effect.void)
  const missing = new TranslateError.NotFound({
    method: "POST",
    path: "/v2/document/d",
    delivery: "rejected",
    attempts: 1,
    ambiguousAttempts: 0,
    status: 404
  })
  const found = <A>(what: string, documentId: string, value: A) => {
    asked.push(`${what} ${documentId}`)
    return ids.includes(documentId) ? Effect.succeed(value) : Effect.fail(missing)
  }
  const documents = {
    ...service.documents,
    status: ({ documentId }: { readonly documentId: string }) =>
      found("status", documentId, { documentId, status: "done" }),
    download: ({ documentId }: { readonly documentId: string }) =>
      Stream.fromEffect(found("download", documentId, new Uint8Array([1])))
  } as unknown as TranslateClient.Service["documents"]
  return { asked, service: { ...service, documents } }
}

describe("the documents of an earlier process, under failOver", () => {
  const handle = (documentId: string) => ({ documentId, documentKey: Redacted.make("k") })

  it.scoped(
    "are looked for at each client, and asked for at that one from then on, until they are downloaded",
    () =>
      Effect.gen(function* () {
        const [a, b, c] = [keeping(), keeping("d"), keeping("d")]
        const { documents } = yield* ring(a.service, b.service, c.service)
        expect(yield* documents.status(handle("d"))).toMatchObject({ documentId: "d" })
        yield* documents.status(handle("d"))
        yield* Stream.runDrain(documents.download(handle("d")))
        yield* Stream.runDrain(documents.download(handle("d")))
        expect(a.asked).toEqual(["status d", "status d"])
        expect(b.asked).toEqual(["status d", "status d", "download d", "status d", "download d"])
        expect(c.asked).toEqual([])
      })
  )

  it.scoped("are not found if no client knows them", () =>
    Effect.gen(function* () {
      const [a, b] = [keeping(), keeping()]
      const { documents } = yield* ring(a.service, b.service)
      expect(yield* Effect.flip(documents.status(handle("d")))).toMatchObject({ _tag: "NotFound" })
      expect(yield* Effect.flip(Stream.runDrain(documents.download(handle("d"))))).toMatchObject({
        _tag: "NotFound"
      })
      expect([a.asked, b.asked]).toEqual([
        ["status d", "status d"],
        ["status d", "status d"]
      ])
    })
  )
})

describe("failOver", () => {
  it.scoped("sends the refused texts to the next at once, and begins there from then on", () =>
    Effect.gen(function* () {
      const [a, b] = [answers(Effect.void, refused), answers(Effect.void)]
      const client = yield* ring(a.service, b.service)
      for (const text of ["1", "2", "3"]) yield* translating(client, text)
      expect(a.calls).toEqual([["1"], ["2"]])
      expect(b.calls).toEqual([["2"], ["3"]])
    })
  )

  it.scoped("passes over no client, however many calls are refused at the same time", () =>
    Effect.gen(function* () {
      const slow = Effect.delay("1 second")
      const members = [answers(slow(refused)), answers(slow(refused)), answers(slow(Effect.void))] as const
      const [a, b, c] = members
      const fiber = yield* fork(yield* ring(a.service, b.service, c.service), 8)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(Fiber.all(fiber))
      expect(members.map(({ calls }) => calls.length)).toEqual([8, 8, 8])
    })
  )

  it.scoped("does not move on for a late refusal by an earlier client", () =>
    Effect.gen(function* () {
      const members = [
        answers(Effect.delay(refused, "1 minute"), refused),
        answers(Effect.void),
        answers(Effect.void)
      ] as const
      const [a, b, c] = members
      const client = yield* ring(a.service, b.service, c.service)
      const late = yield* Effect.fork(translating(client, "late"))
      yield* Effect.yieldNow()
      yield* translating(client)
      yield* TestClock.adjust("1 minute")
      yield* Fiber.join(late)
      expect(members.map(({ calls }) => calls.length)).toEqual([2, 2, 0])
    })
  )

  it.scoped("fails with the error of the last when all are used up, and asks each once", () =>
    Effect.gen(function* () {
      const last = new TranslateError.QuotaExceeded({ ...quotaExceeded, serviceMessage: "the last" })
      const [a, b] = [
        answers(Effect.delay(refused, "1 second")),
        answers(Effect.delay(Effect.fail(last), "1 second"))
      ]
      const fibers = yield* fork(yield* ring(a.service, b.service), 8)
      yield* TestClock.adjust("1 minute")
      for (const fiber of fibers) {
        expect(yield* Effect.flip(Fiber.join(fiber))).toMatchObject({
          serviceMessage: "the last",
          attempts: 2
        })
      }
      expect([a.calls.length, b.calls.length]).toEqual([8, 8])
    })
  )

  it.scoped("begins with the first again once all were used up", () =>
    Effect.gen(function* () {
      const [a, b] = [answers(refused, Effect.void), answers(refused)]
      const client = yield* ring(a.service, b.service)
      expect(yield* Effect.flip(translating(client))).toMatchObject({ _tag: "QuotaExceeded" })
      yield* translating(client)
      yield* translating(client)
      expect([a.calls.length, b.calls.length]).toEqual([3, 1])
    })
  )

  it.scoped("leaves other errors alone", () =>
    Effect.gen(function* () {
      const [a, b] = [answers(Effect.fail(unauthorized)), answers(Effect.void)]
      const client = yield* ring(a.service, b.service)
      expect(yield* Effect.flip(translating(client))).toBe(unauthorized)
      expect(b.calls.length).toBe(0)
    })
  )

  it.scoped("counts the possible cost of refused attempts", () =>
    Effect.gen(function* () {
      const doubtful = new TranslateError.QuotaExceeded({
        ...quotaExceeded,
        attempts: 3,
        ambiguousAttempts: 2
      })
      const client = yield* ring(answers(Effect.fail(doubtful)).service, answers(Effect.void).service)
      expect(yield* translating(client)).toMatchObject({ attempts: 4, ambiguousAttempts: 2 })
    })
  )

  it.scoped("waits for the whole ring if it is put under a wait", () =>
    Effect.gen(function* () {
      const [a, b] = [answers(refused, refused, Effect.void), answers(refused)]
      const client = yield* Effect.flatMap(ring(a.service, b.service), (client) =>
        patient(client, { schedule: hourly })
      )
      const fiber = yield* Effect.fork(translating(client))
      yield* TestClock.adjust("2 hours")
      expect(yield* Fiber.join(fiber)).toMatchObject({ attempts: 5 })
      expect([a.calls.length, b.calls.length]).toEqual([3, 2])
    })
  )
})

/** Texts of 10 characters. */
const texts = Array.from({ length: 400 }, (_, index) => `text ${index + 10000}`)

const corpus = Stream.fromIterable([...texts, "", " "])

/** An emulator with some keys, and a client of the first under a policy. */
const servedUnder = (quota: TranslateClient.Policies["quota"], ...keys: ReadonlyArray<Emulator.KeyOptions>) =>
  emulatedInProcess({ keys, client: { quota } })

/** Goes on with these keys. */
const onTo = (...keys: Arr.NonEmptyReadonlyArray<string>) =>
  QuotaPolicy.failOver(
    Arr.map(keys, (key) => ({ key: Redacted.make(key), limit: ConcurrencyLimit.makeUnlimited }))
  )

const tally = (outcomes: ReadonlyArray<Outcome.Outcome<string, string>>) =>
  Stream.run(Stream.fromIterable(outcomes), Outcome.tally)

const refusals = (counts: { readonly statuses: { readonly [status: number]: number } }) =>
  counts.statuses[456] ?? 0

const english = { targetLang: "en-US", maxTexts: 50 } as const

describe("a stream", () => {
  it.virtual("under no policy stops within a round trip of the first 456, and accounts for every text", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(TranslateStream.translate(corpus, de))
      const error = failsWith(exit) as TranslateError.QuotaExceeded
      expect(error._tag).toBe("QuotaExceeded")
      expect(error.message).toContain("then run the rest")
      const sum = yield* tally(out)
      expect(sum.in).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
      const { characters, requests, statuses } = yield* meter
      expect(sum).toMatchObject({ translated: 200, characters: 2000, ambiguousCharacters: 0 })
      expect([characters, statuses[200]]).toEqual([2000, 4])
      expect(requests).toBeLessThanOrEqual(4 + 8)
      expect(new Set(causes(out))).toEqual(new Set(["Translated", "QuotaExceeded", "Skipped"]))
    }).pipe(Effect.provide(servedUnder([], { key: "a", characterLimit: 2000 })))
  )

  it.virtual("under failOver goes on with the next keys, and pays for each text once", () =>
    Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(corpus, de))
      expect(yield* tally(outcomes)).toEqual({
        in: 402,
        translated: 400,
        cached: 0,
        skipped: 2,
        failed: 0,
        characters: 4000,
        ambiguousCharacters: 0
      })
      const { characters, keys } = yield* meter
      expect(characters).toBe(charactersOf(texts))
      expect(["a", "b", "c"].map((key) => keys[key]!.characters)).toEqual([500, 1500, 2000])
      expect(refusals(keys.a!)).toBeLessThanOrEqual(8)
      expect(refusals(keys.c!)).toBe(0)
    }).pipe(
      Effect.provide(
        servedUnder(
          onTo("b", "c"),
          { key: "a", characterLimit: 700 },
          { key: "b", characterLimit: 1500 },
          { key: "c", characterLimit: null }
        )
      )
    )
  )

  it.virtual("under failOver ends with the error when all keys are used up", () =>
    Effect.gen(function* () {
      const { exit, out } = yield* drain(TranslateStream.translate(corpus, de))
      expect(failsWith(exit)).toMatchObject({ _tag: "QuotaExceeded" })
      const sum = yield* tally(out)
      expect(sum.in).toBe(sum.translated + sum.cached + sum.skipped + sum.failed)
      const { keys } = yield* meter
      expect(sum.characters).toBe(3000)
      expect(["a", "b"].map((key) => keys[key]!.characters)).toEqual([1000, 2000])
    }).pipe(
      Effect.provide(
        servedUnder(onTo("b"), { key: "a", characterLimit: 1000 }, { key: "b", characterLimit: 2000 })
      )
    )
  )

  it.virtual("under failOver counts an attempt in doubt at the first key besides the second's", () =>
    Effect.gen(function* () {
      yield* script(Fault.cutConnection(), Fault.status(456))
      const outcomes = yield* collect(TranslateStream.translate(Stream.make("12345"), de))
      expect(yield* tally(outcomes)).toMatchObject({
        translated: 1,
        characters: 5,
        ambiguousCharacters: 5
      })
    }).pipe(
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ schedule: retries(5, 1) })),
      Effect.provide(servedUnder(onTo("b"), { key: "a" }, { key: "b" }))
    )
  )

  for (const [name, operator] of [
    ["rephrased", WriteStream.rephrase(english)],
    ["corrected", WriteStream.correct(english)]
  ] as const) {
    it.virtual(`of texts that are ${name} goes on with the next key under failOver`, () =>
      Effect.gen(function* () {
        const improved = operator(corpus)
        const outcomes = yield* collect(improved)
        expect(yield* tally(outcomes)).toMatchObject({ in: 402, translated: 400, skipped: 2, failed: 0 })
        const { keys } = yield* meter
        expect(["a", "b"].map((key) => keys[key]!.characters)).toEqual([1000, 3000])
      }).pipe(Effect.provide(servedUnder(onTo("b"), { key: "a", characterLimit: 1000 }, { key: "b" })))
    )
  }

  it.virtual("ends at once when it is interrupted while it waits", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(drain(TranslateStream.translate(corpus, de)))
      while (refusals(yield* meter) === 0) yield* Effect.sleep("1 millis")
      yield* Fiber.interrupt(fiber)
    }).pipe(Effect.provide(servedUnder(QuotaPolicy.wait(), { key: "a", characterLimit: 0 })))
  )

  describe("over months", () => {
    const untilPeriodEnds = QuotaPolicy.wait({ untilPeriodEnds: true })

    const run = Effect.gen(function* () {
      const outcomes = yield* collect(TranslateStream.translate(corpus, de))
      return {
        sum: yield* tally(outcomes),
        meter: yield* meter,
        month: DateTime.formatIsoDateUtc(yield* DateTime.now).slice(0, 7)
      }
    })

    const all = { in: 402, translated: 400, cached: 0, skipped: 2, failed: 0, characters: 4000 }

    it.effect(
      "under wait goes on when the period ends, and pays for each text once",
      () =>
        Effect.gen(function* () {
          const { meter, month, sum } = yield* virtualClock.run(run)
          expect(sum).toEqual({ ...all, ambiguousCharacters: 0 })
          expect(meter.characters).toBe(4000)
          expect(meter.keys.a!.statuses[200]).toBe(8 + 3)
          expect(refusals(meter)).toBeLessThanOrEqual(3 * 8)
          expect(month).toBe("1970-04")
        }).pipe(Effect.provide(servedUnder(untilPeriodEnds, { key: "a", characterLimit: 1000 }))),
      60_000
    )

    it.effect(
      "of texts that are improved goes on when the period ends, under wait",
      () =>
        Effect.gen(function* () {
          const improved = collect(WriteStream.rephrase(corpus, english))
          const sum = yield* virtualClock.run(Effect.flatMap(improved, tally))
          expect(sum).toEqual({ ...all, ambiguousCharacters: 0 })
          expect((yield* meter).characters).toBe(4000)
        }).pipe(Effect.provide(servedUnder(untilPeriodEnds, { key: "a", characterLimit: 1000 }))),
      60_000
    )

    it.effect(
      "under wait over failOver uses all keys of each month",
      () =>
        Effect.gen(function* () {
          const { meter, month, sum } = yield* virtualClock.run(run)
          expect(sum).toEqual({ ...all, ambiguousCharacters: 0 })
          expect(["a", "b"].map((key) => meter.keys[key]!.characters)).toEqual([2000, 2000])
          expect(month).toBe("1970-02")
        }).pipe(
          Effect.provide(
            servedUnder(
              [onTo("b"), QuotaPolicy.wait({ schedule: Schedule.spaced("1 day") })],
              { key: "a", characterLimit: 1000 },
              { key: "b", characterLimit: 1000 }
            )
          )
        ),
      60_000
    )
  })
})
