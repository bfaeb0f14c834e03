/** Good and failed elements, each to its own sink, and failed ones as rows. */
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Csv, DeadLetter, Outcome, TranslateStream } from "effect-translate"
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
const FailedRow = Schema.Struct({ ...Row.fields, ...DeadLetter.fields })

const text = <E>(bytes: Stream.Stream<Uint8Array, E>) => Stream.mkString(Stream.decodeText(bytes))

const sources = Stream.map((failed: Outcome.Failed<string>) => failed.source)

describe("split", () => {
  it.effect("gives each element to one of two sinks, in order and in one pass", () =>
    Effect.gen(function* () {
      const texts = numbered(300).map((text, index) => (index % 100 === 7 ? `${text}!` : text))
      const source = counted(300, (index) => texts[index]!, 40)
      const { failed, good } = yield* source.stream.pipe(
        TranslateStream.translate(de),
        Outcome.split({ good: Stream.runCollect, failed: (outcomes) => Stream.runCollect(sources(outcomes)) })
      )
      expect(Chunk.toReadonlyArray(good)).toEqual(texts.filter((text) => !text.endsWith("!")).map(mark))
      expect(Chunk.toReadonlyArray(failed)).toEqual(["t7!", "t107!", "t207!"])
      expect(source.state.opened).toBe(1)
    }).pipe(poisoned.provide)
  )

  it.effect("lets both sinks end with what came before the stream's error, and fails with it", () =>
    Effect.gen(function* () {
      const ended: Array<readonly [string, number]> = []
      const count = (name: string) => (elements: Stream.Stream<unknown>) =>
        Effect.map(Stream.runCount(elements), (count) => ended.push([name, count]))
      const exit = yield* Stream.concat(chunked(numbered(10), 10), Stream.never).pipe(
        TranslateStream.translate(de),
        Outcome.split({ good: count("good"), failed: count("failed") }),
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
        Outcome.split({
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

  it.virtual("bounds what waits for a slow sink", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const source = counted(100_000, (index) => `t${index}`, 50)
      yield* source.stream.pipe(
        TranslateStream.translate(de),
        Outcome.split({ good: Stream.runForEach(() => Deferred.await(gate)), failed: Stream.runDrain }),
        Effect.fork
      )
      expect(yield* still(() => source.state.pulled)).toBeLessThanOrEqual(2000)
    }).pipe(fake().provide)
  )

  it.effect("goes on when a sink has enough", () =>
    Effect.gen(function* () {
      const { failed, good } = yield* chunked(["a!", "b!", ...numbered(300)], 60).pipe(
        TranslateStream.translate(de),
        Outcome.split({
          good: Stream.runCount,
          failed: (outcomes) => Stream.runCollect(Stream.take(sources(outcomes), 1))
        })
      )
      expect(good).toBe(300)
      expect(Chunk.toReadonlyArray(failed)).toEqual(["a!"])
    }).pipe(poisoned.provide)
  )
})

describe("dead letters", () => {
  it.effect("go to a CSV file with their source, and the reason", () =>
    Effect.gen(function* () {
      const rows = Stream.make(
        { sku: "A", title: "Mug", body: "Holds tea" },
        { sku: "B", title: "Cup!", body: "Small" },
        { sku: "C", title: "Pot!", body: "Large, round!" }
      )
      const { failed, good } = yield* rows.pipe(
        TranslateStream.translateFields(["title", "body"], de),
        Outcome.split({
          good: (values) => text(Csv.encode(Row)(values)),
          failed: (outcomes) => text(outcomes.pipe(Stream.map(DeadLetter.make), Csv.encode(FailedRow)))
        })
      )
      expect(good).toBe("sku,title,body\nA,<Mug>,<Holds tea>\n")
      const { message } = badRequest
      expect(failed).toBe(
        [
          "sku,title,body,failedFields,reason,message,ambiguousCharacters",
          `B,Cup!,Small,title,BadRequest,"${message}",0`,
          `C,Pot!,"Large, round!","title, body",BadRequest,"${message}",0`,
          ""
        ].join("\n")
      )
    }).pipe(poisoned.provide)
  )

  it.effect("of texts hold the text", () =>
    Effect.gen(function* () {
      const { failed } = yield* Stream.make("a!").pipe(
        TranslateStream.translate(de),
        Outcome.split({
          good: Stream.runDrain,
          failed: (outcomes) => Stream.runHead(Stream.map(outcomes, DeadLetter.make))
        })
      )
      expect(failed).toMatchObject({ value: { text: "a!", failedFields: "text", reason: "BadRequest" } })
    }).pipe(poisoned.provide)
  )
})
