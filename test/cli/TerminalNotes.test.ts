/** What is told of a job where there is no terminal: a line now and then. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/TestClock"
import * as Output from "../../src/cli/output.js"
import { show } from "../../src/cli/terminal/showProgress.js"
import * as ConcurrencyLimit from "../../src/client/ConcurrencyLimit.js"
import * as Progress from "../../src/stream/Progress.js"
import { observe } from "../../src/stream/ProgressObserver.js"

/** What is noted while a progress is shown. */
const noted = (mode: Partial<Output.Mode>, total?: number) =>
  Effect.gen(function* () {
    const notes: Array<string> = []
    const output: Output.Service = {
      ...Output.make({ json: false, quiet: false, verbose: false, ...mode }),
      isInteractive: false,
      note: (line) => Effect.sync(() => notes.push(line))
    }
    const progress = yield* Progress.make({ total })
    const halting = yield* Deferred.make<void>()
    const end = yield* Deferred.make<string>()
    const fiber = yield* Deferred.await(end).pipe(
      show(progress, Deferred.await(halting)),
      Effect.provideService(Output.Output, output),
      Effect.provide(ConcurrencyLimit.layerAdaptive()),
      Effect.fork
    )
    const observer = progress[observe]({ targetLang: "de" })
    const texts = (count: number) =>
      observer.emitted([
        {
          _tag: "Translated",
          source: "",
          value: "",
          translations: [],
          cost: { characters: 0, ambiguousCharacters: 0 },
          texts: { translated: count, cached: 0, skipped: 0, failed: 0 }
        }
      ])
    return {
      notes,
      observer,
      texts,
      halting,
      result: Effect.zipRight(Deferred.succeed(end, "done"), Fiber.join(fiber))
    }
  })

describe("a job without a terminal", () => {
  it.effect(
    "tells of each tenth that is done, at most every five seconds, and every minute at any rate",
    () =>
      Effect.gen(function* () {
        const { notes, observer, result, texts } = yield* noted({}, 1000)
        yield* TestClock.adjust("1 second")
        expect(notes).toEqual([])
        for (let second = 0; second < 20; second++) {
          observer.sent(20, 200).ended(1, { characters: 200, ambiguousCharacters: 0 })
          texts(20)
          yield* TestClock.adjust("1 second")
        }
        expect(notes).toEqual([
          "100 of 1,000 texts, 20 a second, about 50 seconds left, 1,000 characters billed",
          "200 of 1,000 texts, 20 a second, about 40 seconds left, 2,000 characters billed",
          "300 of 1,000 texts, 20 a second, about 40 seconds left, 3,000 characters billed",
          "400 of 1,000 texts, 20 a second, about 30 seconds left, 4,000 characters billed"
        ])
        yield* TestClock.adjust("61 seconds")
        expect(notes.slice(4)).toEqual(["400 of 1,000 texts, 4,000 characters billed"])
        texts(600)
        yield* TestClock.adjust("61 seconds")
        // What has ended is told by its summary.
        expect(notes).toHaveLength(5)
        yield* result
      })
  )

  it.effect("tells once that the service is not there, and explains the first Ctrl-C", () =>
    Effect.gen(function* () {
      const { halting, notes, observer } = yield* noted({})
      observer.outage("TimedOut", 500)
      yield* TestClock.adjust("3 seconds")
      observer.outage("TimedOut", 9000)
      yield* TestClock.adjust("3 seconds")
      observer.outage(undefined)
      yield* Deferred.succeed(halting, undefined)
      yield* TestClock.adjust("1 second")
      expect(notes).toEqual([
        "The service does not answer in time: waiting.",
        "Finishing requests in flight. Press Ctrl-C again to stop now."
      ])
    })
  )

  for (const mode of [{ quiet: true }, { json: true }]) {
    it.effect(`tells nothing with --${Object.keys(mode).join()}`, () =>
      Effect.gen(function* () {
        const { halting, notes, observer, result } = yield* noted(mode, 1000)
        observer.outage("TimedOut", 500)
        yield* Deferred.succeed(halting, undefined)
        yield* TestClock.adjust("5 minutes")
        expect(notes).toEqual([])
        expect(yield* result).toBe("done")
      })
    )
  }
})
