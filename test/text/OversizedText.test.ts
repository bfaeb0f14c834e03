/** Splitting: nothing is lost, everything fits, and cuts are where a reader would make them. */
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import { TranslateClient } from "effect-translate"
import * as fc from "fast-check"
import { jsonBytes } from "../../src/internal/utf8.js"
import * as OversizedText from "../../src/text/OversizedText.js"
import { runs } from "../support/long.js"

const { context, join, split } = OversizedText

const texts = (text: string, maxBytes: number, options?: Partial<OversizedText.Options>) =>
  split(text, { maxBytes, ...options }).map((segment) => segment.text)

const piece = fc.oneof(
  fc.constantFrom(
    "👩‍👩‍👧‍👦",
    "🇩🇪",
    "👍🏽",
    "🌍",
    "e\u0301",
    `a${"\u0300\u0316".repeat(40)}`,
    "\ud83d",
    "\udc69",
    "\r\n",
    "\n",
    "\n\n",
    "\r\n\r\n",
    "\u2029",
    " ",
    "   \t ",
    "\u00a0",
    "\ufeff",
    ". ",
    "! ",
    '"',
    "\u0001"
  ),
  fc.constantFrom(
    "The house is old. ",
    "Is it? Yes! ",
    "Mr. Smith paid 3.50 for it",
    "今日は天気がいいです。散歩に行きましょう。",
    "今天天气很好我们去公园玩吧",
    "สวัสดีชาวโลกวันนี้อากาศดี",
    "مرحبا بالعالم. كيف حالك؟ ",
    "שלום עולם. ",
    "नमस्ते दुनिया। ",
    "x".repeat(120),
    "Donaudampfschifffahrtsgesellschaft"
  ),
  fc.fullUnicodeString({ maxLength: 12 }),
  fc.string({ unit: "grapheme", maxLength: 12 })
)

const anyText = fc.array(piece, { maxLength: 24 }).map((pieces) => pieces.join(""))

/** A limit that holds every character. */
const anyLimit = fc.oneof(fc.integer({ min: 8, max: 40 }), fc.integer({ min: 8, max: 400 }))

/** Where the text was cut. */
const cuts = (text: string, maxBytes: number) => {
  let at = 0
  return split(text, { maxBytes })
    .map(({ after, before, text }) => {
      at += before.length + text.length + after.length
      return at
    })
    .slice(0, -1)
}

const isInPair = (text: string, at: number) =>
  /[\udc00-\udfff]/.test(text.charAt(at)) && /[\ud800-\udbff]/.test(text.charAt(at - 1))

describe("Segmenter", () => {
  it("loses nothing, keeps to the limit, cuts no surrogate pair, sends no blank", () => {
    fc.assert(
      fc.property(anyText, anyLimit, (text, maxBytes) => {
        const segments = split(text, { maxBytes })
        const sent = segments.map((segment) => segment.text)
        expect(join(segments, sent)).toBe(text)
        expect(join(segments, [])).toBe(text)
        for (const part of sent) {
          expect(jsonBytes(part)).toBeLessThanOrEqual(maxBytes)
          expect(part).toBe(part.trim())
          expect(part === "").toBe(text.trim() === "")
        }
        for (const { after, before } of segments) expect((before + after).trim()).toBe("")
        for (const at of cuts(text, maxBytes)) expect(isInPair(text, at)).toBe(false)
      }),
      { numRuns: runs(1500) }
    )
  })

  it("cuts no character that fits", () => {
    const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("👩‍👩‍👧‍👦", "e\u0301", "🇩🇪", "👍🏽", "a", "世")),
        anyLimit,
        (list, max) => {
          const text = list.join("")
          const maxBytes = max + 30
          const starts = new Set([...graphemes.segment(text)].map(({ index }) => index))
          for (const at of cuts(text, maxBytes)) expect(starts.has(at)).toBe(true)
        }
      )
    )
  })

  it("cuts within a sentence only where no sentence ends in the room", () => {
    const sentences = new Intl.Segmenter("en", { granularity: "sentence" })
    const word = fc.stringMatching(/^[a-z]{1,12}$/)
    const sentence = fc
      .array(word, { minLength: 1, maxLength: 30 })
      .map((words) => `${words.join(" ").replace(/^./, (first) => first.toUpperCase())}.`)
    fc.assert(
      fc.property(
        fc.array(sentence, { maxLength: 30 }),
        fc.integer({ min: 20, max: 300 }),
        (list, maxBytes) => {
          const text = list.map((sentence) => `${sentence} `).join("")
          const ends = [...sentences.segment(text)].map(({ index, segment }) => index + segment.length)
          let start = 0
          for (const cut of cuts(text, maxBytes)) {
            const fitting = ends.filter((end) => end > start && end - start - 1 <= maxBytes - 2)
            if (fitting.length > 0) expect(cut).toBe(fitting.at(-1))
            start = cut
          }
        }
      )
    )
  })

  it("leaves no room for the next sentence, but where a cut is better before", () => {
    expect(texts("aaaa bbbb cccc dddd", 11)).toEqual(["aaaa bbbb", "cccc dddd"])
    expect(texts("a".repeat(30), 12)).toEqual(["a".repeat(10), "a".repeat(10), "a".repeat(10)])
  })

  it("cuts at paragraphs before sentences, sentences before lines, lines before words", () => {
    expect(texts("One is here. Two.\n\nThree is. Four is", 30)).toEqual([
      "One is here. Two.",
      "Three is. Four is"
    ])
    expect(texts("One is here. Two\nand three and four", 30)).toEqual([
      "One is here.",
      "Two\nand three and four"
    ])
    expect(texts("- one thing\n- two things\n- three things", 30)).toEqual([
      "- one thing\n- two things",
      "- three things"
    ])
    expect(texts("one thing and two things and three", 27)).toEqual(["one thing and two things", "and three"])
  })

  it("does not take a line's end within a sentence for the sentence's end", () => {
    expect(texts("It ends. But this goes on\nand on to here", 34)).toEqual([
      "It ends.",
      "But this goes on\nand on to here"
    ])
  })

  it("finds sentences and words in scripts without spaces", () => {
    expect(texts("今日は天気がいいです。散歩に行きましょう。", 40)).toEqual([
      "今日は天気がいいです。",
      "散歩に行きましょう。"
    ])
    expect(texts("私は日本語を勉強しています", 25, { locale: "ja" })).toEqual([
      "私は日本語を",
      "勉強しています"
    ])
  })

  it("keeps whitespace apart", () => {
    expect(split(" \n a. \r\n\r\n  b. \t", { maxBytes: 8 })).toEqual([
      { before: " \n ", text: "a.", after: " \r\n\r\n  " },
      { before: "", text: "b.", after: " \t" }
    ])
    expect(split("", { maxBytes: 8 })).toEqual([{ before: "", text: "", after: "" }])
    expect(split(" \n", { maxBytes: 8 })).toEqual([{ before: " \n", text: "", after: "" }])
  })

  it("puts a character that is larger than the limit into a segment of its own", () => {
    expect(texts("a\u0001🌍\ud800b", 3)).toEqual(["a", "\u0001", "🌍", "\ud800", "b"])
    expect(texts("abc", Number.NEGATIVE_INFINITY)).toEqual(["a", "b", "c"])
    expect(texts("abc", Number.POSITIVE_INFINITY)).toEqual(["abc"])
  })

  it("does not cut protected text, unless it is larger than a segment", () => {
    const unbreakable = /<x>.*?<\/x>|\{[^{}]*\}/
    expect(texts("aaaa bbbb {one. Two three} cccc", 24, { unbreakable })).toEqual([
      "aaaa bbbb",
      "{one. Two three} cccc"
    ])
    expect(texts("<x>a. b</x>".repeat(4), 30, { unbreakable })).toEqual([
      "<x>a. b</x>".repeat(2),
      "<x>a. b</x>".repeat(2)
    ])
    expect(texts(`{${"a".repeat(20)}}`, 12, { unbreakable }).join("")).toBe(`{${"a".repeat(20)}}`)
    fc.assert(
      fc.property(
        anyText,
        anyLimit,
        fc.constantFrom(unbreakable, /[\ud83d\s]/g, /x*/, /\s.\s/y),
        (text, maxBytes, unbreakable) => {
          const segments = split(text, { maxBytes, unbreakable })
          expect(join(segments, [])).toBe(text)
          for (const part of segments) expect(jsonBytes(part.text)).toBeLessThanOrEqual(maxBytes)
        }
      )
    )
  })

  it("takes a wrong locale for none", () => {
    expect(texts("One. Two.", 8, { locale: "not a locale" })).toEqual(["One.", "Two."])
  })

  it("puts a space between segments where a script without spaces became one with spaces", () => {
    const segments = split("你好。再见！谢谢。", { maxBytes: 12 })
    expect(segments.map(({ text }) => text)).toEqual(["你好。", "再见！", "谢谢。"])
    expect(join(segments, ["Hello.", "Goodbye!", "Thanks."])).toBe("Hello. Goodbye! Thanks.")
    expect(join(segments, ["こんにちは。", "さようなら！", "ありがとう。"])).toBe(
      "こんにちは。さようなら！ありがとう。"
    )
    expect(join(split("aaaabbbb", { maxBytes: 6 }), ["c", "d"])).toBe("cd")
  })

  describe("context", () => {
    const segments = split("One is old. Two is new. Three is blue. Four is green.", { maxBytes: 17 })

    it("is the text around a segment, in whole words", () => {
      expect(segments.map(({ text }) => text)).toEqual([
        "One is old.",
        "Two is new.",
        "Three is blue.",
        "Four is green."
      ])
      expect(context(segments, 1, 1000)).toBe("One is old.\nThree is blue. Four is green.")
      expect(context(segments, 1, 25)).toBe("One is old.\nThree is")
      expect(context(segments, 0, 30)).toBe("Two is new. Three is blue.")
      expect(context(segments, 3, 24)).toBe("is new. Three is blue.")
      expect(context(segments, 0, 0)).toBe("")
      expect(context(split("One", { maxBytes: 20 }), 0, 100)).toBe("")
    })

    it("has at most so many characters, all of them from around the segment", () => {
      fc.assert(
        fc.property(anyText, anyLimit, fc.nat(80), fc.nat(10), (text, maxBytes, characters, at) => {
          const segments = split(text, { maxBytes })
          const around = context(segments, at % segments.length, characters)
          expect(TranslateClient.characters(around)).toBeLessThanOrEqual(characters)
          expect(isInPair(around, 0) || around.trim() === around).toBe(true)
        })
      )
    })
  })

  describe("without Intl.Segmenter", () => {
    afterEach(() => {
      vi.unstubAllGlobals()
    })

    it("cuts at paragraphs, lines and words, and loses nothing", () => {
      vi.stubGlobal("Intl", { getCanonicalLocales: Intl.getCanonicalLocales })
      expect(texts("One. Two\nand three\nand four", 22)).toEqual(["One. Two\nand three", "and four"])
      fc.assert(
        fc.property(anyText, anyLimit, (text, maxBytes) => {
          const segments = split(text, { maxBytes })
          expect(join(segments, [])).toBe(text)
          for (const at of cuts(text, maxBytes)) expect(isInPair(text, at)).toBe(false)
        })
      )
    })
  })
})
