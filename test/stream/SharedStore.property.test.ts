/** Streams that share a store which denies, fails, loses claims and takes its time, whenever it likes. */
import { describe, expect, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import {
  type Outcome,
  type TranslateError,
  TranslateStream,
  TranslationStore,
  Translator
} from "effect-translate"
import { StoreError } from "effect-translate/store"
import * as fc from "fast-check"
import { SendGate } from "../../src/internal/sendGate.js"
import { runs } from "../support/long.js"
import { openStore } from "../support/openStore.js"
import { assertReaching } from "../support/reaching.js"
import * as virtualClock from "../support/virtualClock.js"
import {
  answerOf,
  badRequest,
  charactersOf,
  chunked,
  de,
  inDoubt,
  mark,
  quotaExceeded,
  unavailable
} from "./support.js"

const scenario = fc.record({
  streams: fc.array(
    fc.record({
      texts: fc.array(
        fc.oneof(fc.constantFrom("a", "b", "cc", "ddd"), fc.string({ minLength: 1, maxLength: 6 })),
        { maxLength: 40, size: "max" }
      ),
      chunk: fc.integer({ min: 1, max: 20 }),
      concurrency: fc.integer({ min: 1, max: 4 }),
      maxTexts: fc.integer({ min: 1, max: 6 }),
      unordered: fc.boolean(),
      linger: fc.constantFrom(undefined, 0, "30 millis" as const),
      /** When it is interrupted. */
      end: fc.option(fc.integer({ min: 0, max: 300 }), { nil: undefined, freq: 5 })
    }),
    { minLength: 1, maxLength: 4 }
  ),
  /** One in so many of each. */
  denials: fc.integer({ min: 2, max: 20 }),
  losses: fc.integer({ min: 3, max: 20 }),
  storeFailures: fc.constantFrom(15, 100, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY),
  failures: fc.integer({ min: 2, max: 20 }),
  choices: fc.infiniteStream(fc.nat(100_000))
})

type Scenario = typeof scenario extends fc.Arbitrary<infer S> ? S : never

const storeFailure = new StoreError.StoreUnavailable({ store: "test.db", code: "SQLITE_BUSY" })

/** What chance decides. */
const chances = ({ choices }: Scenario) => {
  const choose = (count: number): number => choices.next().value! % count
  const oneIn = (count: number): boolean => count !== Number.POSITIVE_INFINITY && choose(count) === 0
  const pause = Effect.suspend(() => {
    const millis = choose(3) === 0 ? 1 + choose(60) : 0
    return millis === 0 ? Effect.void : Effect.sleep(millis)
  })
  return { choose, oneIn, pause }
}

const unreliable = (store: TranslationStore.Service, given: Scenario): TranslationStore.Service => {
  const { oneIn, pause } = chances(given)
  const mayFail = Effect.zipRight(
    pause,
    Effect.suspend(() => (oneIn(given.storeFailures) ? Effect.fail(storeFailure) : Effect.void))
  )
  const claim = (session: TranslationStore.Session, texts: ReadonlyArray<string>) => {
    const asked = texts.filter(() => !oneIn(given.denials))
    if (asked.length === 0) {
      return Effect.succeed({
        granted: texts.map(() => false),
        maySend: () => Effect.die("denied"),
        ended: () => {}
      })
    }
    return Effect.map(session.claim(asked), (claim): TranslationStore.Claim => {
      const granted = new Set(asked.filter((_, index) => claim.granted[index]))
      return {
        granted: texts.map((text) => granted.has(text)),
        maySend: (ambiguousAttempts) =>
          Effect.flatMap(mayFail, () =>
            oneIn(given.losses) ? Effect.succeed(false) : claim.maySend(ambiguousAttempts)
          ),
        ended: claim.ended
      }
    })
  }
  return {
    ...store,
    open: (namespace) =>
      Effect.map(openStore(store, namespace), (session) => ({
        pollInterval: session.pollInterval,
        lookUp: (texts) => Effect.zipRight(mayFail, session.lookUp(texts)),
        claim: (texts) =>
          Effect.zipRight(
            mayFail,
            Effect.suspend(() => claim(session, texts))
          ),
        record: (results) => Effect.zipRight(mayFail, session.record(results))
      }))
  }
}

/** A service that fails as it likes, and a client that asks before each attempt. */
const serviceOf = (given: Scenario) => {
  const { choose, oneIn, pause } = chances(given)
  /** Texts of requests that were billed for sure, and those that may have been. */
  const sent = { billed: [] as Array<string>, inDoubt: [] as Array<string> }
  const translate = (texts: ReadonlyArray<string>) =>
    Effect.flatMap(SendGate, (open) => {
      const maySend = open!()
      const attempt = (ambiguous: number): ReturnType<Translator.Service["translate"]> =>
        Effect.flatMap(Effect.zipRight(pause, maySend(ambiguous)), (isAllowed) => {
          if (!isAllowed) return ambiguous === 0 ? Effect.interrupt : Effect.fail(inDoubt)
          const outcome = Effect.suspend(() => {
            if (!oneIn(given.failures)) {
              sent.billed.push(...texts)
              return Effect.zipRight(pause, Effect.succeed(answerOf(texts, ambiguous)))
            }
            const errors = [unavailable, badRequest, inDoubt, inDoubt, inDoubt, quotaExceeded]
            const error: TranslateError.TranslateError = errors[choose(choose(3) === 0 ? 6 : 5)]!
            if (error !== inDoubt) return Effect.fail(error)
            sent.inDoubt.push(...texts)
            return choose(2) === 0 ? attempt(ambiguous + 1) : Effect.fail(error)
          })
          return Effect.zipRight(pause, outcome)
        })
      return attempt(0)
    })
  const identity = { service: "name:fake", account: "name:fake" }
  return { sent, service: Translator.Translator.of({ translate, identify: () => Effect.succeed(identity) }) }
}

interface Ended {
  readonly outcomes: ReadonlyArray<Outcome.Outcome<string>>
  readonly exit: Exit.Exit<void, Outcome.StreamError>
  readonly isInterrupted: boolean
}

const run = (given: Scenario) =>
  Effect.gen(function* () {
    const store = yield* TranslationStore.makeMemory({ pollInterval: "20 millis" })
    const { sent, service } = serviceOf(given)
    const flaky = unreliable(store, given)
    const fibers = yield* Effect.forEach(given.streams, ({ chunk, end, texts, ...options }) => {
      const outcomes: Array<Outcome.Outcome<string>> = []
      const running = TranslateStream.translate(chunked(texts, chunk), {
        ...de,
        ...options,
        store: flaky
      }).pipe(
        Stream.runForEach((outcome) => Effect.sync(() => outcomes.push(outcome))),
        Effect.fork
      )
      return Effect.fork(
        Effect.gen(function* () {
          const fiber = yield* running
          if (end !== undefined)
            yield* Effect.fork(Effect.delay(Fiber.interrupt(fiber), Duration.millis(end)))
          const exit = yield* Fiber.await(fiber)
          return { outcomes, exit, isInterrupted: Exit.isInterrupted(exit) }
        })
      )
    }).pipe(Effect.provideService(Translator.Translator, service))
    const ended: ReadonlyArray<Ended> = yield* Effect.forEach(fibers, Fiber.join)
    return { ended, sent, stats: yield* store.stats }
  })

const checkStream = (
  texts: ReadonlyArray<string>,
  unordered: boolean,
  { exit, isInterrupted, outcomes }: Ended
) => {
  const sources = outcomes.map(({ source }) => source)
  if (!unordered) expect(sources).toEqual(texts.slice(0, sources.length))
  if (Exit.isSuccess(exit)) expect(sources.toSorted()).toEqual(texts.toSorted())
  else if (!isInterrupted) expect(exit.cause._tag).toBe("Fail")
  for (const { _tag, source, texts: counts, value } of outcomes) {
    expect(counts.translated + counts.cached + counts.skipped + counts.failed).toBe(1)
    const isTranslated = _tag === "Translated" || _tag === "Cached"
    expect(value).toBe(isTranslated ? source.replace(source.trim(), mark) : source)
  }
}

describe("whatever a store does", () => {
  it("streams end, no text is lost, and none is paid for twice that the ledger does not name", async () => {
    const seen = {
      cached: 0,
      failed: 0,
      translated: 0,
      inDoubt: 0,
      ended: 0,
      stopped: 0,
      interrupted: 0
    }
    // A text that is billed twice: "the ledger" in SharedStore.test.ts.
    await assertReaching(
      fc.asyncProperty(scenario, async (given) => {
        const { ended, sent, stats } = await Effect.runPromise(virtualClock.run(run(given)))
        ended.forEach((each, index) => {
          const { texts, unordered } = given.streams[index]!
          checkStream(texts, unordered, each)
          for (const { texts } of each.outcomes) {
            seen.cached += texts.cached
            seen.failed += texts.failed
            seen.translated += texts.translated
          }
          seen[each.isInterrupted ? "interrupted" : Exit.isSuccess(each.exit) ? "ended" : "stopped"]++
        })
        const { answered, inFlight, unknown } = stats.attempts
        const billed = charactersOf(sent.billed)
        const once = charactersOf([...new Set(sent.billed)])
        expect(inFlight.attempts).toBe(0)
        expect(answered.characters).toBeLessThanOrEqual(billed)
        expect(billed + charactersOf(sent.inDoubt)).toBeLessThanOrEqual(
          answered.characters + unknown.characters
        )
        expect(billed - once).toBeLessThanOrEqual(unknown.characters)
        seen.inDoubt += sent.inDoubt.length
      }),
      runs(300, 16),
      () => {
        for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(0)
      }
    )
  })
})
