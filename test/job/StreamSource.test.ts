/** Bytes as a source: what flows, what is read as a whole, and what ends which language. */
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { Csv } from "effect-translate"
import { type Format, Json, JsonLines } from "effect-translate/formats"
import { type JobReport, JobSource, TranslationJob } from "effect-translate/jobs"
import { badRequest } from "../stream/support.js"
import { keyed } from "../support/keyedFormat.js"
import * as virtualClock from "../support/virtualClock.js"
import { run } from "./fileSources.js"
import { many, SinkError, withService } from "./jobs.js"
import { file, marking } from "./support.js"

const csv = Csv.make({ columns: ["t"] })
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A source whose outputs are strings. */
const piped = <E = never, R = never>(
  format: Format.Format,
  bytes: Stream.Stream<Uint8Array, E, R>,
  {
    onWrite = () => Effect.void,
    ...options
  }: {
    readonly onWrite?: (targetLang: string, text: string) => Effect.Effect<unknown, SinkError>
    readonly failed?: "source" | "empty"
  } = {}
) => {
  const outputs: Record<string, string> = {}
  const source = JobSource.bytes({
    name: "pipe",
    format,
    bytes,
    write: (targetLang) => (translated) =>
      Stream.runForEach(translated, (piece) => {
        const text = decoder.decode(piece)
        outputs[targetLang] = (outputs[targetLang] ?? "") + text
        return onWrite(targetLang, text)
      }),
    ...options
  })
  return { source, outputs }
}

describe("a source of bytes", () => {
  it.effect("is written as it comes, while its input waits for more", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const input = yield* Queue.unbounded<Uint8Array>()
      const written = yield* Queue.unbounded<string>()
      const send = (text: string) => Queue.offer(input, encoder.encode(text))
      const { source } = piped(csv, Stream.fromQueue(input), {
        onWrite: (targetLang, text) => Queue.offer(written, `${targetLang} ${text}`)
      })
      const running = yield* Effect.fork(run(source))
      yield* send("t\nA\n")
      expect(yield* Queue.take(written)).toBe("de t\nde: A\n")
      yield* send("B\nC")
      expect(yield* Queue.take(written)).toBe("de de: B\n")
      yield* Queue.shutdown(input)
      expect(yield* Queue.take(written)).toBe("de de: C")
      expect((yield* Fiber.join(running)).states).toEqual(["written"])
    }).pipe(provide)
  })

  for (const [name, format, text, translated] of [
    ["streams", csv, "t,u\nA,1\n\nB,2\n", "t,u\n<A>,1\n\n<B>,2\n"],
    ["streams without a header", JsonLines.make({ select: ["t"] }), '{"t":"A"}\n', '{"t":"<A>"}\n'],
    ["is read as a whole", keyed, "a = A\nb = B\n", "a = <A>\nb = <B>\n"]
  ] as const) {
    it.effect(`of a format that ${name} is read once, and written in all languages`, () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        let reads = 0
        const bytes = Stream.suspend(() => {
          reads++
          return file(text)
        })
        const { outputs, source } = piped(format, bytes)
        expect((yield* run(source, ["de", "fr"])).states).toEqual(["written", "written"])
        const expected = (lang: string) => translated.replaceAll(/<(.)>/g, `${lang}: $1`)
        expect(outputs).toEqual({ de: expected("de"), fr: expected("fr") })
        expect(reads).toBe(1)
        const forecast = yield* source.forecast({
          targets: [{ options: { targetLang: "de" } }, { options: { targetLang: "fr" } }]
        })
        expect(forecast.map((target) => target.characters * 2)).toEqual([sent().length, sent().length])
      }).pipe(provide)
    })
  }

  it.effect(
    "whose parts are the same for all languages is decoded once, and its error ends each of them",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        let decoded = 0
        const counting: Format.Format = {
          ...csv,
          decode: (options) => (bytes) =>
            Stream.tap(csv.decode(options)(bytes), () => Effect.sync(() => void decoded++))
        }
        const rows = Array.from({ length: 500 }, (_, index) => `row ${index}`)
        const whole = piped(counting, file(`t\n${rows.join("\n")}\n`))
        const languages = ["de", "fr", "ja"]
        expect((yield* run(whole.source, languages)).states).toEqual(languages.map(() => "written"))
        for (const lang of languages) {
          expect(whole.outputs[lang]).toBe(`t\n${rows.map((row) => `${lang}: ${row}\n`).join("")}`)
        }
        expect(decoded).toBe(501)
        const broken = piped(counting, file('t\nA\n"B'))
        expect((yield* run(broken.source, ["de", "fr"])).states).toEqual(["FormatError", "FormatError"])
        expect(broken.outputs).toEqual({ de: "t\nde: A\n", fr: "t\nfr: A\n" })
        // A column for each language makes parts of its own.
        const format = Csv.make({ columns: ["t"], outputColumn: "{column}.{lang}" })
        const columns = piped(format, file("t\nA\n"))
        yield* run(columns.source, ["de", "fr"])
        expect(columns.outputs).toEqual({ de: "t,t.de\nA,de: A\n", fr: "t,t.fr\nA,fr: A\n" })
      }).pipe(provide)
    }
  )

  it.effect(
    "that a limit cuts is written with the rest as it came, as a whole only if that is asked for",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const flowing = piped(csv, file("t\nA\nB\n"))
        expect((yield* run(flowing.source, ["de"], { limit: 1 })).states).toEqual(["partial"])
        expect(flowing.outputs).toEqual({ de: "t\nde: A\nB\n" })
        const whole = piped(keyed, file("a = A\nb = B\n"))
        expect((yield* run(whole.source, ["de"], { limit: 1 })).states).toEqual(["withheld"])
        expect(whole.outputs).toEqual({})
        expect((yield* run(whole.source, ["de"], { limit: 1, partial: true })).states).toEqual(["partial"])
        expect(whole.outputs).toEqual({ de: "a = de: A\nb = B\n" })
      }).pipe(provide)
    }
  )

  it.effect("leaves the source's text where a text has failed, or nothing", () => {
    const { provide } = marking((texts) => (texts.includes("bad") ? badRequest : undefined))
    return Effect.gen(function* () {
      for (const [format, text] of [
        [csv, "t\nbad\nB\n"],
        [keyed, "a = bad\nb = B\n"]
      ] as const) {
        const kept = piped(format, file(text))
        yield* run(kept.source)
        expect(kept.outputs.de).toBe(text.replace("B", "de: B"))
        const emptied = piped(format, file(text), { failed: "empty" })
        yield* run(emptied.source)
        expect(emptied.outputs.de).not.toContain("bad")
        expect(emptied.outputs.de).toContain("de: B")
      }
    }).pipe(provide)
  })

  it.effect("that fails ends its sinks with the error, and those that flow after the texts before it", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const failing = (text: string) => Stream.concat(file(text), Stream.fail(new SinkError("gone")))
      const flowing = piped(csv, failing("t\nA\nB\n"))
      expect(yield* Effect.flip(run(flowing.source, ["de", "fr"]))).toBeInstanceOf(SinkError)
      expect(flowing.outputs).toEqual({ de: "t\nde: A\nde: B\n", fr: "t\nfr: A\nfr: B\n" })
      const whole = piped(keyed, failing("a = A\n"))
      expect(yield* Effect.flip(run(whole.source))).toBeInstanceOf(SinkError)
      expect(whole.outputs).toEqual({})
    }).pipe(provide)
  })

  it.effect("goes on in other languages if the sink of one fails", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      for (const format of [csv, keyed]) {
        const { outputs, source } = piped(format, file(format === csv ? "t\nA\n" : "a = A\n"), {
          onWrite: (targetLang) =>
            targetLang === "fr" ? Effect.fail(new SinkError("broken pipe")) : Effect.void
        })
        const { states } = yield* run(source, ["de", "fr"])
        expect(states).toEqual(["written", "SinkError"])
        expect(outputs.de).toContain("de: A")
      }
    }).pipe(provide)
  })

  it.effect("that is not of its format fails so, also if the sink takes that for the end", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const source = JobSource.bytes({
        name: "pipe",
        format: csv,
        bytes: file("other\nA\n"),
        write: () => (bytes) => Effect.either(Stream.runCollect(bytes))
      })
      const { results } = yield* run(source)
      expect(results[0]).toMatchObject({ left: { _tag: "FormatError", file: "pipe" } })
      const whole = piped(Json.format, file("{"))
      expect((yield* run(whole.source)).states).toEqual(["FormatError"])
      expect(whole.outputs).toEqual({})
    }).pipe(provide)
  })

  it.effect("that is halted while it waits has written all that it has read", () =>
    Effect.gen(function* () {
      for (const [format, text, written] of [
        [csv, "t\nb1\nb2\n", "t\n[de] b1\n[de] b2\n"],
        [keyed, "a = b1\n", undefined]
      ] as const) {
        const stop = yield* Deferred.make<void>()
        const reports: Array<JobReport.JobReport> = []
        const units: Array<JobSource.UnitOutcome> = []
        const waits = Stream.fromEffect(
          Effect.zipRight(format === keyed ? Deferred.succeed(stop, undefined) : Effect.void, Effect.never)
        )
        const { outputs, source } = piped(format, Stream.concat(file(text), waits))
        const ended = yield* TranslationJob.run({
          sources: [source],
          targets: ["de"],
          haltWhen: Deferred.await(stop),
          onUnits: (found) => {
            units.push(...found)
            return units.length === 2 ? Deferred.succeed(stop, undefined) : Effect.void
          },
          onEnd: (report) => Effect.sync(() => reports.push(report))
        }).pipe(Effect.either)
        expect(Either.isLeft(ended) && ended.left._tag).toBe("JobHalted")
        expect(outputs.de).toBe(written)
        expect(reports[0]!.outputs[0]!.state).toBe("unfinished")
      }
    }).pipe(withService())
  )

  it.effect("flows in bounded memory of its own: a sink that waits holds its input back", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      let read = 0
      const lines = Stream.fromIterable(["t\n", ...many(10_000).map(({ title }) => `${title}\n`)]).pipe(
        Stream.rechunk(1),
        Stream.map((line) => {
          read++
          return encoder.encode(line)
        })
      )
      const { source } = piped(csv, lines, { onWrite: () => Effect.never })
      const job = yield* Effect.fork(run(source, ["de"], { options: { concurrency: 1 } }))
      // In virtual time this goes on once nothing else can.
      yield* Effect.sleep("1 minute")
      yield* Fiber.interrupt(job)
      expect(read).toBeGreaterThan(1)
      expect(read).toBeLessThan(5000)
    }).pipe(provide, virtualClock.run)
  })
})
