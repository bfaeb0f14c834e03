import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as fc from "fast-check"
import * as Text from "../../src/api/Text.js"

const wild = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(undefined), fc.constant(null))

const field = <A>(valid: fc.Arbitrary<A>) =>
  fc.oneof({ weight: 40, arbitrary: valid }, { weight: 1, arbitrary: wild })

const ids = fc.constantFrom("a", "b-1")

const requests = fc.record(
  {
    text: field(fc.array(fc.string(), { minLength: 1, maxLength: 51 })),
    targetLang: field(fc.constantFrom("de", "EN-us", "zh-hans", "ja", "fr-CA")),
    sourceLang: field(fc.constantFrom("en", "JA")),
    context: field(fc.string()),
    modelType: field(fc.constantFrom("latency_optimized", "quality_optimized", "prefer_quality_optimized")),
    splitSentences: field(fc.constantFrom("0", "1", "nonewlines")),
    formality: field(fc.constantFrom("more", "less", "prefer_more")),
    glossaryId: field(ids),
    glossaryIds: field(fc.array(ids, { maxLength: 5 })),
    styleId: field(ids),
    customInstructions: field(fc.array(fc.string(), { maxLength: 10 })),
    translationMemoryThreshold: field(fc.integer({ min: 0, max: 100 })),
    showBilledCharacters: field(fc.boolean()),
    tagHandlingVersion: field(fc.constantFrom("v1")),
    ignoreTags: field(fc.array(fc.string())),
    misspelt: fc.string()
  },
  { requiredKeys: ["text", "targetLang"] }
)

/** Mostly without the field that nobody knows. */
const likely = fc.oneof(
  { weight: 4, arbitrary: requests.map(({ misspelt: _, ...request }) => request as object) },
  { weight: 1, arbitrary: requests as fc.Arbitrary<object> },
  { weight: 1, arbitrary: fc.anything() }
)

describe("the hand-written encoder of a request", () => {
  it("agrees with the declared schema on any request: the same JSON, or the same refusal", () => {
    let encoded = 0
    let refused = 0
    fc.assert(
      fc.property(likely, (request) => {
        const expected = Schema.encodeUnknownEither(Text.TranslateRequestDeclared)(request)
        const actual = Schema.encodeUnknownEither(Text.TranslateRequest)(request)
        expect(Either.isRight(actual)).toBe(Either.isRight(expected))
        if (Either.isRight(actual) && Either.isRight(expected)) {
          encoded++
          expect(JSON.parse(JSON.stringify(actual.right))).toStrictEqual(
            JSON.parse(JSON.stringify(expected.right))
          )
        } else refused++
      }),
      { numRuns: 4000 }
    )
    expect(Math.min(encoded, refused)).toBeGreaterThan(200)
  })
})
