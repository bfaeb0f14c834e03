import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Api from "effect-translate/api"
import * as fc from "fast-check"
import { runs } from "../support/long.js"
import { assertReaching } from "../support/reaching.js"

describe("characters", () => {
  for (const [what, text, count] of [
    ["nothing as none", "", 0],
    ["ASCII", "Hello", 5],
    ["umlauts and CJK as one each", "Grüße 世界", 8],
    ["an emoji as one", "🌍", 1],
    ["300 emoji as 300", "😀".repeat(300), 300],
    ["a family of emoji by its code points", "👨‍👩‍👧", 5],
    ["a combining mark as one more", "e\u0301", 2],
    ["a lone high surrogate as one", "a\ud83cb", 3],
    ["a lone low surrogate as one", "a\udf0db", 3],
    ["surrogates in the wrong order as two", "\udf0d\ud83c", 2],
    ["two high surrogates and a low one as two", "\ud83c\ud83c\udf0d", 2],
    ["a high surrogate at the end as one", "a\ud83c", 2]
  ] as const) {
    it(`counts ${what}`, () => {
      expect(Api.Text.characters(text)).toBe(count)
    })
  }

  it("counts the code points of any UTF-16 string", () => {
    fc.assert(
      fc.property(utf16, (text) => {
        expect(Api.Text.characters(text)).toBe(Array.from(text).length)
      }),
      { numRuns: runs(1000) }
    )
  })
})

/** Any code units, so that surrogates stand alone, in pairs and in the wrong order. */
const utf16 = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.integer({ min: 0xd800, max: 0xdfff }),
      fc.integer({ min: 0, max: 0x7f })
    ),
    { maxLength: 40 }
  )
  .map((units) => String.fromCharCode(...units))

describe("the decoder of the answer, written by hand", () => {
  const languages = fc.oneof(fc.constantFrom("EN", "pt-br", "ZH-HANT", "", "x_1"), fc.string())
  const field = <A>(value: fc.Arbitrary<A>) =>
    fc.oneof(
      { weight: 6, arbitrary: value as fc.Arbitrary<unknown> },
      { weight: 1, arbitrary: fc.constantFrom(undefined, null, 0, 1.5, true, "", "x", [], {}, Number.NaN) }
    )
  const item = fc.record(
    {
      text: field(fc.string()),
      detected_source_language: field(languages),
      billed_characters: field(fc.integer()),
      model_type_used: field(fc.constantFrom("quality_optimized", "latency_optimized", "other")),
      unknown: fc.jsonValue()
    },
    { requiredKeys: [] }
  )
  const items = fc.oneof(
    { weight: 8, arbitrary: fc.array(item, { maxLength: 4 }) as fc.Arbitrary<unknown> },
    { weight: 1, arbitrary: fc.array(fc.oneof(item, fc.jsonValue()), { maxLength: 4 }) },
    { weight: 1, arbitrary: fc.jsonValue() }
  )
  const valid = fc.record(
    {
      translations: fc.array(
        fc.record(
          {
            text: fc.string(),
            detected_source_language: languages,
            billed_characters: fc.integer(),
            model_type_used: fc.string()
          },
          { requiredKeys: ["text"] }
        ),
        { minLength: 1, maxLength: 5 }
      ),
      more: fc.jsonValue()
    },
    { requiredKeys: ["translations"] }
  )
  const nearlyValid = fc.record({ translations: items, more: fc.jsonValue() }, { requiredKeys: [] })
  const body: fc.Arbitrary<unknown> = fc.oneof(valid, nearlyValid, items, fc.jsonValue(), fc.anything())

  const byHand = Schema.decodeUnknownEither(Api.Text.TranslateResult)
  const declared = Schema.decodeUnknownEither(Api.Text.TranslateResultDeclared)

  it("agrees with the declared schema on JSON that is valid, nearly valid, and neither", async () => {
    let decoded = 0
    let refused = 0
    await assertReaching(
      fc.property(body, (body) => {
        const expected = declared(body)
        const actual = byHand(body)
        expect(Either.isRight(actual)).toBe(Either.isRight(expected))
        if (Either.isRight(expected) && Either.isRight(actual)) {
          expect(actual.right).toStrictEqual(expected.right)
          decoded++
        } else {
          refused++
        }
      }),
      runs(4000),
      () => expect(Math.min(decoded, refused)).toBeGreaterThan(10)
    )
  })

  it("encodes as the declared schema does", () => {
    const result = fc.record({
      translations: fc.array(
        fc.record(
          {
            text: fc.string(),
            detectedSourceLanguage: languages,
            billedCharacters: fc.integer(),
            modelTypeUsed: fc.string()
          },
          { requiredKeys: ["text"] }
        ),
        { minLength: 1, maxLength: 5 }
      )
    })
    fc.assert(
      fc.property(result, (result) => {
        const value = result as unknown as Api.Text.TranslateResult
        expect(Schema.encodeSync(Api.Text.TranslateResult)(value)).toStrictEqual(
          Schema.encodeSync(Api.Text.TranslateResultDeclared)(value)
        )
      }),
      { numRuns: runs(1000) }
    )
  })

  it("refuses to encode a value that the declared schema refuses", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyValid, fc.anything()), (value) => {
        const expected = Schema.encodeUnknownEither(Api.Text.TranslateResultDeclared)(value)
        const actual = Schema.encodeUnknownEither(Api.Text.TranslateResult)(value)
        expect(Either.isRight(actual)).toBe(Either.isRight(expected))
      }),
      { numRuns: runs(1000) }
    )
  })

  it("takes no field from an object's prototype", () => {
    const inherited = Object.create({ text: "inherited" })
    const body = { translations: [inherited] }
    expect(Either.isRight(byHand(body))).toBe(Either.isRight(declared(body)))
  })

  it("does not tell the body in its complaint", () => {
    const complaint = byHand({ translations: [{ text: 1, secret: "the text" }] })
    expect(Either.isLeft(complaint)).toBe(true)
    expect(String(complaint)).not.toContain("the text")
  })
})
