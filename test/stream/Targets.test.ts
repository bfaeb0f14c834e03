/** Several targets from one reading: what each gets, what ends one of them, and what holds back whom. */
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import {
  Budget,
  Outcome,
  Targets,
  type TranslateClient,
  TranslateStream,
  Translator,
  WriteStream
} from "effect-translate"
import { emulatedInProcess } from "../support/emulator.js"
import {
  answerOf,
  collect,
  counted,
  de,
  drain,
  failsWith,
  fake,
  mark,
  numbered,
  still,
  unauthorized,
  until
} from "./support.js"

const targets = ["de", "fr", "ja"] as const
type Target = (typeof targets)[number]

const translated = (targetLang: Target) => (texts: Stream.Stream<string>) =>
  TranslateStream.translate(texts, { targetLang })

const whole = {
  texts: (text: string): readonly [string] => [text],
  replace: (_: string, [text]: readonly [string]) => text
}

const clients = emulatedInProcess()

/** A translator that does something else for each target. */
const byTarget = (work: { readonly [T in Target]?: Translator.Service["translate"] }) =>
  Effect.provideService(Translator.Translator, {
    translate: (texts, options) =>
      work[options.targetLang as Target]?.(texts, options) ?? Effect.succeed(answerOf(texts))
  })

/** An operator that takes as many elements as it is let. */
const gated = (gate: Deferred.Deferred<void>, seen: Array<string>) => (texts: Stream.Stream<string>) =>
  texts.pipe(
    Stream.rechunk(1),
    Stream.tap((text) =>
      Effect.zipRight(
        Effect.sync(() => seen.push(text)),
        Deferred.await(gate)
      )
    ),
    Stream.map(outcomeOf)
  )

const outcomeOf = (text: string): Outcome.Outcome<string> => ({
  _tag: "Skipped",
  source: text,
  value: text,
  texts: { translated: 0, cached: 0, skipped: 1, failed: 0 },
  cost: { characters: 0, ambiguousCharacters: 0 }
})

const ofTarget = <T, X extends { readonly targetLang: T }>(events: ReadonlyArray<X>, targetLang: T) =>
  events.filter((event) => event.targetLang === targetLang)

describe("translate", () => {
  it.effect("reads the source once, and yields the outcomes of every target, in its order", () =>
    Effect.gen(function* () {
      const source = counted(500, (index) => `t${index}`, 70)
      const events = yield* collect(Targets.translate(source.stream, targets, translated))
      expect(source.state).toEqual({ pulled: 500, opened: 1, closed: 1 })
      for (const targetLang of targets) {
        const values = ofTarget(events, targetLang).map((event) => "value" in event && event.value)
        expect(values).toEqual(numbered(500).map(mark))
      }
    }).pipe(fake().provide)
  )

  it.effect("takes rows and data-last operators", () =>
    Effect.gen(function* () {
      const rows = Stream.make({ sku: 1, title: "Mug" }, { sku: 2, title: "Cup" })
      const piped = rows.pipe(
        Targets.translate(
          targets,
          (targetLang) => (rows) => TranslateStream.translateFields(rows, ["title"], { targetLang })
        )
      )
      const direct = Targets.translate(rows, targets, (targetLang) =>
        TranslateStream.translateFields(["title"], { targetLang })
      )
      for (const events of [yield* collect(piped), yield* collect(direct)]) {
        expect(ofTarget(events, "fr")).toMatchObject([
          { value: { sku: 1, title: mark("Mug") } },
          { value: { sku: 2, title: mark("Cup") } }
        ])
      }
    }).pipe(fake().provide)
  )

  const english = ["en-GB", "en-US"] as const
  const operators: Record<
    string,
    (
      targetLang: (typeof english)[number]
    ) => (
      texts: Stream.Stream<string>
    ) => Stream.Stream<
      Outcome.Outcome<string, string, unknown>,
      unknown,
      Translator.Translator | TranslateClient.TranslateClient
    >
  > = {
    translate: (targetLang) => TranslateStream.translate({ targetLang }),
    translateWith: (targetLang) => TranslateStream.translateWith({ ...whole, targetLang }),
    rephrase: (targetLang) => WriteStream.rephrase({ targetLang }),
    rephraseWith: (targetLang) => WriteStream.rephraseWith({ ...whole, targetLang })
  }

  it.virtual.each(Object.entries(operators))(
    "gives each target the result of the operator %s",
    ([_, operator]) =>
      Effect.gen(function* () {
        const source = counted(3, (index) => `t${index}`)
        const events = yield* collect(Targets.translate(source.stream, english, operator))
        for (const targetLang of english) {
          const direct = yield* collect(operator(targetLang)(Stream.fromIterable(numbered(3))))
          expect(ofTarget(events, targetLang)).toEqual(direct.map((outcome) => ({ ...outcome, targetLang })))
        }
        expect(source.state.opened).toBe(1)
      }).pipe(Effect.provide(clients))
  )

  it.effect("goes on for the others when one target ends, and tells the end of each", () =>
    Effect.gen(function* () {
      const source = counted(2000, (index) => `t${index}`, 100)
      const sums = yield* Targets.translate(source.stream, targets, translated).pipe(
        Stream.run(Targets.tally(targets))
      )
      expect(sums).toMatchObject([
        { targetLang: "de", in: 2000, translated: 2000, failed: 0, error: undefined },
        { targetLang: "fr", translated: 0, error: unauthorized },
        { targetLang: "ja", in: 2000, translated: 2000, failed: 0, error: undefined }
      ])
      expect(sums[1]!.in).toBe(sums[1]!.failed)
      expect(sums[1]!.in).toBeLessThan(2000)
    }).pipe(byTarget({ fr: () => Effect.fail(unauthorized) }))
  )

  it.effect("names a target's error after its outcomes", () =>
    Effect.gen(function* () {
      const events = yield* collect(Targets.translate(Stream.make("a", "b"), targets, translated))
      expect(ofTarget(events, "fr").map(({ _tag }) => _tag)).toEqual(["Failed", "Failed", "TargetFailed"])
    }).pipe(byTarget({ fr: () => Effect.fail(unauthorized) }))
  )

  it.effect("shares a budget, whichever target uses it up", () =>
    Effect.gen(function* () {
      const budget = yield* Budget.make(5)
      const sums = yield* Targets.translate(Stream.make("abc"), targets, (targetLang) =>
        TranslateStream.translate({ targetLang, budget })
      ).pipe(Stream.run(Targets.tally(targets)))
      expect(sums.filter(({ error }) => error?._tag === "BudgetExceeded")).toHaveLength(2)
      expect(sums.reduce((sum, { characters }) => sum + characters, 0)).toBe(3)
    }).pipe(fake().provide)
  )

  it.effect("fails with the source's error once every target has its outcomes", () =>
    Effect.gen(function* () {
      const source = Stream.concat(Stream.make("a", "b"), Stream.fail("broken" as const))
      const { exit, out } = yield* drain(Targets.translate(source, targets, translated))
      expect(failsWith(exit)).toBe("broken")
      expect(out.filter(({ _tag }) => _tag === "Translated")).toHaveLength(6)
      expect(out).toHaveLength(6)
    }).pipe(fake().provide)
  )

  it.effect("dies with a target that dies", () =>
    Effect.gen(function* () {
      const { exit } = yield* drain(
        Targets.translate(
          Stream.make("a"),
          targets,
          (targetLang) => (texts) =>
            targetLang === "fr" ? Stream.die("defect") : translated(targetLang)(texts)
        )
      )
      expect(Exit.isFailure(exit) && Array.from(Cause.defects(exit.cause))).toEqual(["defect"])
    }).pipe(fake().provide)
  )

  it.effect("closes the source when the consumer has enough", () =>
    Effect.gen(function* () {
      const source = counted(100_000, String, 10)
      const events = yield* collect(Stream.take(Targets.translate(source.stream, targets, translated), 5))
      expect(events).toHaveLength(5)
      expect(source.state.closed).toBe(1)
      expect(source.state.pulled).toBeLessThan(10_000)
    }).pipe(fake().provide)
  )
})

describe("a slow target", () => {
  it.virtual("holds back the others by a bounded buffer, and by nothing once it has ended", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const slow: Array<string> = []
      const source = counted(5000, String, 10)
      const seen: Array<string> = []
      const fiber = yield* Targets.translate(
        source.stream,
        ["slow", "fast"],
        (targetLang) => (texts) =>
          targetLang === "slow"
            ? Stream.concat(Stream.take(gated(gate, slow)(texts), 1), Stream.fail("ended" as const))
            : Stream.map(texts, outcomeOf)
      ).pipe(
        Stream.runForEach((event) =>
          Effect.sync(() => {
            if (event._tag === "Skipped" && event.targetLang === "fast") seen.push(event.value)
          })
        ),
        Effect.fork
      )
      yield* until(() => slow.length === 1)
      const held = yield* still(() => seen.length)
      expect(held).toBeGreaterThanOrEqual(100)
      expect(held).toBeLessThanOrEqual(200)
      expect(yield* still(() => source.state.pulled)).toBeLessThanOrEqual(250)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(fiber)
      expect(seen).toHaveLength(5000)
    })
  )

  it.virtual("lets no more be read than the consumer takes", () =>
    Effect.gen(function* () {
      const source = counted(100_000, String, 100)
      yield* Targets.translate(source.stream, targets, () => Stream.map(outcomeOf)).pipe(
        Stream.runForEach(() => Effect.never),
        Effect.fork
      )
      expect(yield* still(() => source.state.pulled)).toBeLessThanOrEqual(1000)
    })
  )
})

describe("run", () => {
  it.effect("gives each target's pipeline every element, and yields the result of each, or its error", () =>
    Effect.gen(function* () {
      const source = counted(300, (index) => `t${index}`, 300)
      const results = yield* Targets.run(
        source.stream,
        targets,
        (targetLang) => (texts) =>
          texts.pipe(TranslateStream.translate({ targetLang }), Outcome.orFail, Stream.runCount)
      )
      expect(results).toEqual([
        { targetLang: "de", result: Either.right(300) },
        { targetLang: "fr", result: Either.left(unauthorized) },
        { targetLang: "ja", result: Either.right(300) }
      ])
      expect(source.state.opened).toBe(1)
    }).pipe(byTarget({ fr: () => Effect.fail(unauthorized) }))
  )

  it.effect("stops reading when all targets have ended, also while the source waits", () =>
    Effect.gen(function* () {
      const source = Stream.concat(Stream.make("a"), Stream.never)
      const results = yield* source.pipe(
        Targets.run(targets, () => (texts) => Stream.runCollect(Stream.take(texts, 1)))
      )
      expect(results).toHaveLength(3)
    })
  )

  it.effect("fails with the source's error after every pipeline has ended", () =>
    Effect.gen(function* () {
      const counts: Array<number> = []
      const exit = yield* Stream.concat(Stream.make("a", "b"), Stream.fail("broken")).pipe(
        Targets.run(
          targets,
          () => (texts) => Effect.map(Stream.runCount(texts), (count) => counts.push(count))
        ),
        Effect.exit
      )
      expect(failsWith(exit)).toBe("broken")
      expect(counts).toEqual([2, 2, 2])
    })
  )
})

describe("tally", () => {
  it.effect("holds targets without an outcome too", () =>
    Effect.gen(function* () {
      const sums = yield* Targets.translate(Stream.empty, ["de"], () => TranslateStream.translate(de)).pipe(
        Stream.run(Targets.tally(["de"]))
      )
      expect(sums).toEqual([{ targetLang: "de", error: undefined, ...Outcome.zero }])
    }).pipe(fake().provide)
  )
})
