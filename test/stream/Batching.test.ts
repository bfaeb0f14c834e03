/** Packing: properties over texts that make the number of texts bind, and of texts that make the bytes bind. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TranslateClient } from "effect-translate"
import * as fc from "fast-check"
import { jsonBytes } from "../../src/internal/utf8.js"
import * as Batching from "../../src/stream/internal/batching.js"
import { served, translate, translations } from "../support/client.js"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"
import * as recording from "../support/recordingServer.js"

const maxBytes = 131072
const maxTexts = 50

/** The body as the client makes it. */
const body = (texts: ReadonlyArray<string>, options: TranslateClient.TranslateOptions) =>
  JSON.stringify({ text: texts, ...Schema.encodeSync(TranslateClient.TranslateOptions)(options) })

const bytesOf = (texts: ReadonlyArray<string>, options: TranslateClient.TranslateOptions) =>
  Buffer.byteLength(body(texts, options))

/** Any code units: controls, quotes, surrogates in pairs, alone and in the wrong order. */
const utf16 = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.integer({ min: 0, max: 0x7f }),
      fc.constantFrom(0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c, 0x7f, 0x2028, 0x2029, 0xfeff, 0xffff)
    ),
    { maxLength: 40 }
  )
  .map((units) => String.fromCharCode(...units))

/** A unit repeated: texts of up to a whole body and a little more, in characters of 1 to 6 bytes. */
const large = fc
  .tuple(
    fc.constantFrom("a", "é", "世", "🌍", "\n", "\u0001", "\ud800", '"'),
    fc.oneof(
      { weight: 5, arbitrary: fc.integer({ min: 0, max: 3_000 }) },
      { weight: 4, arbitrary: fc.integer({ min: 3_000, max: 30_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 30_000, max: 140_000 }) }
    )
  )
  .map(([unit, bytes]) =>
    unit.repeat(Math.ceil(bytes / Buffer.byteLength(JSON.stringify(unit).slice(1, -1))))
  )

const corpus = fc.oneof(
  fc.array(utf16, { maxLength: 130, size: "max" }),
  fc.array(large, { minLength: 5, maxLength: 25, size: "max" }),
  fc.array(fc.oneof(utf16, large), { maxLength: 60, size: "max" })
)

const options: fc.Arbitrary<TranslateClient.TranslateOptions> = fc.record(
  {
    targetLang: fc.constantFrom("de", "pt-BR", "fr"),
    context: fc.oneof(utf16, fc.constant("世".repeat(20_000)), fc.constant("x".repeat(100_000))),
    formality: fc.constantFrom("more" as const, "prefer_less" as const),
    showBilledCharacters: fc.boolean(),
    ignoreTags: fc.array(utf16, { maxLength: 3 })
  },
  { requiredKeys: ["targetLang"] }
)

interface Item {
  readonly index: number
  readonly text: string
}

const itemsOf = (texts: ReadonlyArray<string>): ReadonlyArray<Item> =>
  texts.map((text, index) => ({ index, text }))

const packAll = (texts: ReadonlyArray<string>, limits: Batching.Limits) => {
  const packed: Array<Batching.Packed<Item>> = []
  const packer = Batching.makePacker<Item>(limits, (next) => packed.push(next))
  for (const item of itemsOf(texts)) packer.offer(item, item.text)
  packer.flush()
  return packed
}

const batchesOf = <A>(packed: ReadonlyArray<Batching.Packed<A>>) =>
  packed.filter((next): next is Batching.Batch<A> => next._tag === "Batch")

const oversizedOf = <A>(packed: ReadonlyArray<Batching.Packed<A>>) =>
  packed.filter((next): next is Batching.Oversized<A> => next._tag === "Oversized")

describe("jsonBytes", () => {
  for (const [what, text, bytes] of [
    ["nothing as its quotes", "", 2],
    ["ASCII as one byte each", "abc", 5],
    ["a quote and a backslash as two each", '"\\', 6],
    ["the short escapes as two each", "\b\t\n\f\r", 12],
    ["other controls as six each", "\u0000\u001f\u000b", 20],
    ["DEL as one", "\u007f", 3],
    ["Latin and Cyrillic as two", "éЖ", 6],
    ["CJK as three", "世界", 8],
    ["line separators as three, unescaped", "\u2028\u2029", 8],
    ["an emoji as four", "🌍", 6],
    ["a lone surrogate as its escape", "\ud83c", 8],
    ["surrogates in the wrong order as two escapes", "\udf0d\ud83c", 14]
  ] as const) {
    it(`counts ${what}`, () => {
      expect(jsonBytes(text)).toBe(bytes)
      expect(Buffer.byteLength(JSON.stringify(text))).toBe(bytes)
    })
  }

  it("is the length of the JSON string of any UTF-16 string", () => {
    fc.assert(
      fc.property(utf16, (text) => {
        expect(jsonBytes(text)).toBe(Buffer.byteLength(JSON.stringify(text)))
      }),
      { numRuns: runs(5000, 400) }
    )
  })

  it("is right for every code unit", () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const text = String.fromCharCode(unit)
      if (jsonBytes(text) !== Buffer.byteLength(JSON.stringify(text))) expect.fail(`U+${unit.toString(16)}`)
    }
  })
})

describe("a packer", () => {
  it("keeps the order, loses nothing, repeats nothing, and keeps every body within the limits, for any corpus", async () => {
    let boundByBytes = 0
    let boundByTexts = 0
    let oversized = 0
    await assertReaching(
      fc.property(corpus, options, (texts, options) => {
        const overheadBytes = bytesOf([], options)
        const packed = packAll(texts, { overheadBytes })
        const batches = batchesOf(packed)

        const indices = batches.flatMap(({ items }) => items.map(({ index }) => index))
        const large = oversizedOf(packed)
        const fitting = texts
          .map((_, index) => index)
          .filter((index) => !large.some(({ item }) => item.index === index))
        expect(indices).toEqual(fitting)

        for (const { bytes, items, texts } of batches) {
          expect(texts).toEqual(items.map(({ text }) => text))
          expect(bytes).toBe(bytesOf(texts, options))
          expect(bytes).toBeLessThanOrEqual(maxBytes)
          expect(texts.length).toBeLessThanOrEqual(maxTexts)
          expect(texts.length).toBeGreaterThan(0)
        }
        batches.slice(0, -1).forEach((batch, index) => {
          const next = batches[index + 1]!.texts[0]!
          const withNext = batch.bytes + Buffer.byteLength(`,${JSON.stringify(next)}`)
          expect(batch.texts.length === maxTexts || withNext > maxBytes).toBe(true)
          if (batch.texts.length === maxTexts) boundByTexts++
          else boundByBytes++
        })
        for (const { bytes, item } of large) {
          expect(bytes).toBe(bytesOf([item.text], options))
          expect(bytes).toBeGreaterThan(maxBytes)
          oversized++
        }
      }),
      runs(1000),
      () => {
        expect(boundByBytes).toBeGreaterThan(10)
        expect(boundByTexts).toBeGreaterThan(0)
        expect(oversized).toBeGreaterThan(0)
      }
    )
  })

  const overheadBytes = bytesOf([], { targetLang: "de" })

  it("fills a body to the last byte", () => {
    const room = maxBytes - overheadBytes
    // Two strings: four quotes and a comma.
    const half = "a".repeat((room - 5) >> 1)
    const rest = "a".repeat(room - 5 - half.length)
    expect(packAll([half, rest], { overheadBytes })).toMatchObject([{ bytes: maxBytes, texts: [half, rest] }])
    expect(packAll([half, `${rest}a`], { overheadBytes })).toHaveLength(2)
  })

  it("packs a text that just fits, and hands out one that does not as oversized", () => {
    const room = maxBytes - overheadBytes - 2
    expect(packAll(["a".repeat(room)], { overheadBytes })).toMatchObject([{ _tag: "Batch", bytes: maxBytes }])
    expect(packAll(["a".repeat(room + 1)], { overheadBytes })).toMatchObject([
      { _tag: "Oversized", bytes: maxBytes + 1, item: { index: 0 } }
    ])
  })

  it("closes a batch at the 50th text", () => {
    const sizes = batchesOf(
      packAll(
        Array.from({ length: 101 }, () => "a"),
        { overheadBytes }
      )
    ).map(({ texts }) => texts.length)
    expect(sizes).toEqual([50, 50, 1])
  })

  it("hands out an oversized text at once and leaves the open batch as it is", () => {
    const packed = packAll(["a", "x".repeat(maxBytes), "b"], { overheadBytes })
    expect(packed.map(({ _tag }) => _tag)).toEqual(["Oversized", "Batch"])
    expect(batchesOf(packed)[0]!.texts).toEqual(["a", "b"])
  })

  it("hands out nothing for nothing", () => {
    expect(packAll([], { overheadBytes })).toEqual([])
  })

  it("takes other limits", () => {
    const packed = packAll(["aaaa", "bbbb", "c", "d", "eeeeeeee"], {
      overheadBytes: 10,
      maxBytes: 17,
      maxTexts: 2
    })
    expect(packed).toMatchObject([
      { texts: ["aaaa"], bytes: 16 },
      { texts: ["bbbb"], bytes: 16 },
      { texts: ["c", "d"], bytes: 17 },
      { _tag: "Oversized", bytes: 20 }
    ])
  })

  it("reads every text a fixed number of times, however many texts are packed", () => {
    /** Texts that count how often somebody looks at them. */
    const looks = (count: number) => {
      let looked = 0
      const packer = Batching.makePacker<Item>({ overheadBytes }, () => {})
      for (let index = 0; index < count; index++) {
        const item = {
          index,
          get text() {
            looked++
            return "a text"
          }
        }
        packer.offer(item, item.text)
      }
      packer.flush()
      return looked
    }
    expect(looks(20_000)).toBe(2 * looks(10_000))
  })
})

describe("on the wire", () => {
  it.effect("a batch has exactly the bytes that packing counted", () =>
    Effect.gen(function* () {
      const samples = fc.sample(fc.tuple(corpus, options), { numRuns: 12, seed: 4711 })
      const counted: Array<number> = []
      for (const [texts, options] of samples) {
        const batches = batchesOf(packAll(texts, { overheadBytes: bytesOf([], options) }))
        for (const batch of batches) {
          yield* recording.answer(translations(...batch.texts.map(() => "x")))
          yield* translate({ ...options, text: batch.texts })
          counted.push(batch.bytes)
        }
      }
      const requests = yield* recording.requests
      expect(requests.map(({ headers }) => Number(headers["content-length"]))).toEqual(counted)
      expect(requests.map(({ body }) => body.length)).toEqual(counted)
      expect(counted.length).toBeGreaterThan(15)
      expect(Math.max(...counted)).toBeGreaterThan(120_000)
    }).pipe(Effect.provide(served()))
  )
})
