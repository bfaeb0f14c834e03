/** Good and failed elements, each to its own sink, and failed ones as a list of texts. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Csv, FailedUnits, Outcome, TranslateStream } from "effect-translate"
import {
  badRequest,
  chunked,
  counted,
  de,
  failsWith,
  fake,
  mark,
  numbered,
  still,
  unauthorized
} from "./support.js"

const poisoned = fake((texts) =>
  texts.some((text) => text.includes("!")) ? Effect.fail(badRequest) : Effect.void
)

const Row = Schema.Struct({ sku: Schema.String, title: Schema.String, body: Schema.String })

const text = <E>(bytes: Stream.Stream<Uint8Array, E>) => Stream.mkString(Stream.decodeText(bytes))

const sources = Stream.map((failed: Outcome.Failed<string>) => failed.source)

describe("split", () => {
  it.effect("gives each element to one of two sinks, in order and in one pass", () =>
    Effect.gen(function* () {
      const texts = numbered(300).map((text, index) => (index % 100 === 7 ? `${text}!` : text))
      const source = counted(300, (index) => texts[index]!, 40)
      const { failed, good } = yield* source.stream.pipe(
        TranslateStream.translate(de),
        FailedUnits.split({
          good: Stream.runCollect,
          failed: (outcomes) => Stream.runCollect(sources(outcomes))
        })
      )
      expect(Chunk.toReadonlyArray(good)).toEqual(texts.filter((text) => !text.endsWith("!")).map(mark))
      expect(Chunk.toReadonlyArray(failed)).toEqual(["t7!", "t107!", "t207!"])
      expect(source.state.opened).toBe(1)
    }).pipe(poisoned.provide)
  )

  it.effect("lets both sinks end with the elements before the stream's error, and fails with it", () =>
    Effect.gen(function* () {
      const ended: Array<readonly [string, number]> = []
      const count = (name: string) => (elements: Stream.Stream<unknown>) =>
        Effect.map(Stream.runCount(elements), (count) => ended.push([name, count]))
      const exit = yield* Stream.concat(chunked(numbered(10), 10), Stream.never).pipe(
        TranslateStream.translate(de),
        FailedUnits.split({ good: count("good"), failed: count("failed") }),
        Effect.exit
      )
      expect(failsWith(exit)).toBe(unauthorized)
      expect(ended.sort()).toEqual([
        ["failed", 10],
        ["good", 0]
      ])
    }).pipe(fake(() => Effect.fail(unauthorized)).provide)
  )

  it.effect("ends the other sink in good order when one fails, and fails with its error", () =>
    Effect.gen(function* () {
      let ended = -1
      const source = counted(100_000, (index) => (index === 500 ? "bad!" : `t${index}`), 50)
      const exit = yield* source.stream.pipe(
        TranslateStream.translate(de),
        FailedUnits.split({
          good: (values) => Effect.map(Stream.runCount(values), (count) => (ended = count)),
          failed: Stream.runForEach(() => Effect.fail("disk full"))
        }),
        Effect.exit
      )
      expect(failsWith(exit)).toBe("disk full")
      expect(ended).toBeGreaterThanOrEqual(500)
      expect(source.state.pulled).toBeLessThan(10_000)
      expect(source.state.closed).toBe(1)
    }).pipe(poisoned.provide)
  )

  it.virtual("bounds the elements that wait for a slow sink", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const source = counted(100_000, (index) => `t${index}`, 50)
      yield* source.stream.pipe(
        TranslateStream.translate(de),
        FailedUnits.split({ good: Stream.runForEach(() => Deferred.await(gate)), failed: Stream.runDrain }),
        Effect.fork
      )
      expect(yield* still(() => source.state.pulled)).toBeLessThanOrEqual(2000)
    }).pipe(fake().provide)
  )

  it.effect("goes on when a sink has enough", () =>
    Effect.gen(function* () {
      const { failed, good } = yield* chunked(["a!", "b!", ...numbered(300)], 60).pipe(
        TranslateStream.translate(de),
        FailedUnits.split({
          good: Stream.runCount,
          failed: (outcomes) => Stream.runCollect(Stream.take(sources(outcomes), 1))
        })
      )
      expect(good).toBe(300)
      expect(Chunk.toReadonlyArray(failed)).toEqual(["a!"])
    }).pipe(poisoned.provide)
  )
})

describe("failed units", () => {
  it.effect("of elements with several texts are named by key and field, with their possible bill once", () =>
    Effect.gen(function* () {
      const rows = Stream.make(
        { sku: "A", title: "Mug", body: "Holds tea" },
        { sku: "B", title: "Cup!", body: "Small" },
        { sku: "C", title: "Pot!", body: "Large, round!" }
      )
      const origin = { source: "products.csv", targetLang: "de" }
      const { failed, good } = yield* rows.pipe(
        TranslateStream.translateFields(["title", "body"], de),
        FailedUnits.split({
          good: (values) => text(Csv.encode(Row)(values)),
          failed: (outcomes) =>
            outcomes.pipe(
              Stream.mapConcat(FailedUnits.ofOutcome({ ...origin, key: ({ sku }) => sku })),
              FailedUnits.encode,
              FailedUnits.decode(),
              Stream.runCollect
            )
        })
      )
      expect(good).toBe("sku,title,body\nA,<Mug>,<Holds tea>\n")
      const { message } = badRequest
      const refused = { ...origin, reason: "BadRequest", message, ambiguousCharacters: 0 }
      expect(Chunk.toReadonlyArray(failed)).toEqual([
        { ...refused, key: "B.title", text: "Cup!" },
        { ...refused, key: "C.title", text: "Pot!" },
        { ...refused, key: "C.body", text: "Large, round!" }
      ])
    }).pipe(poisoned.provide)
  )

  it.effect("of texts, and of elements whose texts a function finds, hold the text", () =>
    Effect.gen(function* () {
      const listed = <A, B, E, R>(
        outcomes: Stream.Stream<Outcome.Outcome<B, A>, E, R>,
        texts?: (element: A) => ReadonlyArray<string>
      ) =>
        Effect.map(
          Stream.runCollect(
            Stream.mapConcat(
              Stream.filter(outcomes, Outcome.isFailed),
              FailedUnits.ofOutcome({ source: "all", key: () => "7", targetLang: "de", texts })
            )
          ),
          Chunk.map(({ key, text }) => [key, text])
        )
      const ofTexts = Stream.make("a!").pipe(TranslateStream.translate(de))
      expect([...(yield* listed(ofTexts))]).toEqual([["7", "a!"]])
      const texts = ({ all }: { readonly all: ReadonlyArray<string> }) => all
      const found = Stream.make({ all: ["a", "b!"] }).pipe(
        TranslateStream.translateWith({ ...de, texts, replace: (_, all) => all })
      )
      expect([...(yield* listed(found, texts))]).toEqual([["7.1", "b!"]])
    }).pipe(poisoned.provide)
  )
})
