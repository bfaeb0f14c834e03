/** Whitespace around a text is neither sent nor billed, and comes back as it was; a value that is no text is missing. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Outcome, TranslateStream } from "effect-translate"
import * as fc from "fast-check"
import { collect, de, fake, german, mark, meter, served, tags, values } from "./support.js"

describe("whitespace around a text", () => {
  it.virtual("is not sent, and is put back exactly", () =>
    Effect.gen(function* () {
      const { calls, provide } = fake()
      const texts = [" a", "b\n", "\u00a0\t c d \r\n\u2028", "\ufeffe", "f"]
      const outcomes = yield* collect(TranslateStream.translate(Stream.fromIterable(texts), de)).pipe(provide)
      expect(calls).toEqual([["a", "b", "c d", "e", "f"]])
      expect(values(outcomes)).toEqual([
        ` ${mark("a")}`,
        `${mark("b")}\n`,
        `\u00a0\t ${mark("c d")} \r\n\u2028`,
        `\ufeff${mark("e")}`,
        mark("f")
      ])
      expect(outcomes[0]).toMatchObject({
        translations: [{ text: ` ${mark("a")}` }],
        cost: { characters: 1 }
      })
    })
  )

  it.virtual("may be longer than a request, and is not billed", () =>
    Effect.gen(function* () {
      const blanks = " \n".repeat(70_000)
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make(`${blanks}xyz${blanks}`, "b"), { ...de, oversized: "fail" })
      )
      expect(tags(outcomes)).toEqual(["Translated", "Translated"])
      expect(outcomes[0]!.value === `${blanks}${german("xyz")}${blanks}`.replace("y", "ý")).toBe(true)
      expect(outcomes[0]!.cost.characters).toBe(3)
      expect(yield* meter).toMatchObject({ requests: 1, characters: 4 })
    }).pipe(Effect.provide(served()))
  )

  it.virtual("does not make equal texts different", () =>
    Effect.gen(function* () {
      const { calls, provide } = fake()
      const outcomes = yield* collect(
        TranslateStream.translate(Stream.make("a", " a", "a\n\n", "b", "\ta"), { ...de, dedupe: true })
      ).pipe(provide)
      expect(calls).toEqual([["a", "b"]])
      expect(tags(outcomes)).toEqual(["Translated", "Cached", "Cached", "Translated", "Cached"])
      expect(values(outcomes)).toEqual(["<a>", " <a>", "<a>\n\n", "<b>", "\t<a>"])
    })
  )

  it.virtual("of texts that are cut or protected comes back, too", () =>
    Effect.gen(function* () {
      const long = `\n\n${"A sentence. ".repeat(20_000)}\n`
      const outcomes = yield* Stream.make(long, "  {x} one <b>two</b> ").pipe(
        TranslateStream.translate({ ...de, placeholders: {} }),
        collect
      )
      expect(outcomes[0]!.value.startsWith("\n\n[de] Å")).toBe(true)
      expect(outcomes[0]!.value.endsWith("séñtéñçé. \n")).toBe(true)
      expect(outcomes[1]!.value).toBe("  [de] {x} öñé <b>twö</b> ")
    }).pipe(Effect.provide(served()))
  )

  it("comes back with any text", async () => {
    const blank = fc.constantFrom("", " ", "\n", "\u00a0", "\ufeff", "\u2029", "\u3000")
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(blank, fc.constantFrom("a", "b c", "\u200b", "\ud83d", "\u200f{x}\u200f"), blank), {
          minLength: 1,
          maxLength: 20
        }),
        fc.boolean(),
        (parts, dedupe) =>
          Effect.gen(function* () {
            const { provide } = fake()
            const outcomes = yield* collect(
              TranslateStream.translate(Stream.fromIterable(parts.map((part) => part.join(""))), {
                ...de,
                dedupe
              })
            ).pipe(provide)
            expect(values(outcomes)).toEqual(parts.map(([a, text, b]) => a + mark(text) + b))
          }).pipe(Effect.runPromise)
      ),
      { numRuns: 50 }
    )
  })
})

describe("a value that is no text", () => {
  it.virtual("such as an inherited method of a field's name, is missing", () =>
    Effect.gen(function* () {
      const { calls, provide } = fake()
      const rows: ReadonlyArray<{ title: string; constructor?: string; toString?: string }> = [
        { title: "a" },
        { title: "b", constructor: "c" }
      ] as never
      const outcomes = yield* Stream.fromIterable(rows).pipe(
        TranslateStream.translateFields(["title", "constructor", "toString"], de),
        collect,
        provide
      )
      expect(calls).toEqual([["a", "b", "c"]])
      expect(outcomes.map(({ value }) => Object.entries(value as object))).toEqual([
        [["title", "<a>"]],
        [
          ["title", "<b>"],
          ["constructor", "<c>"]
        ]
      ])
      expect(outcomes[0]!.texts).toEqual({ translated: 1, cached: 0, skipped: 2, failed: 0 })
    })
  )

  it.virtual("is missing where a function finds it, and does not stop the stream", () =>
    Effect.gen(function* () {
      const { calls, provide } = fake()
      const outcomes = yield* Stream.make("a", "b").pipe(
        TranslateStream.translateWith({
          ...de,
          texts: (text) =>
            [text, {}.constructor, 5, { length: "x" }, true] as unknown as ReadonlyArray<string>,
          replace: (_, [text]) => text
        }),
        Stream.rechunk(1),
        collect,
        provide
      )
      expect(values(outcomes)).toEqual(["<a>", "<b>"])
      expect(calls.flat()).toEqual(["a", "b"])
      expect(yield* Stream.run(Stream.fromIterable(outcomes), Outcome.tally)).toMatchObject({
        in: 10,
        skipped: 8
      })
    })
  )
})
