/** Every row of the specification's Limits table, quoted. */
import { describe, expect, it } from "@effect/vitest"
import * as Api from "effect-translate/api"

describe("the Limits table", () => {
  it('"Text translation body | 128 KiB (131072 bytes)"', () => {
    expect(Api.Limits.translateBodyBytes).toBe(131072)
  })
  it('"Texts per translation request | 50"', () => {
    expect(Api.Limits.translateTexts).toBe(50)
  })
  it('"custom_instructions per translation request | 10, each at most 300 characters"', () => {
    expect(Api.Limits.translateCustomInstructions).toBe(10)
    expect(Api.Limits.translateCustomInstructionCharacters).toBe(300)
  })
  it('"Write request body | 10 KiB (10240 bytes)"', () => {
    expect(Api.Limits.writeBodyBytes).toBe(10240)
  })
  it('"Style rule list name | 1024 characters"', () => {
    expect(Api.Limits.styleRuleListNameCharacters).toBe(1024)
  })
  it('"Custom instructions per style rule list | 200"', () => {
    expect(Api.Limits.styleRuleListCustomInstructions).toBe(200)
  })
  it('"Custom instruction label / prompt | 100 / 300 characters"', () => {
    expect(Api.Limits.customInstructionLabelCharacters).toBe(100)
    expect(Api.Limits.customInstructionPromptCharacters).toBe(300)
  })
  it('"Style rule list page size | 1 to 25, default 10"', () => {
    expect(Api.Limits.styleRuleListPageSize).toEqual({ min: 1, max: 25, default: 10 })
  })
  it('"Glossary dictionary size | 10 MB per dictionary", which is 10,000,000 bytes', () => {
    expect(Api.Limits.glossaryDictionaryBytes).toBe(10000000)
  })
  it('"Glossary name, each source phrase, each target phrase | 1024 UTF-8 bytes"', () => {
    expect(Api.Limits.glossaryPhraseBytes).toBe(1024)
  })
  it('"Active developer keys | 25"', () => {
    expect(Api.Limits.activeDeveloperKeys).toBe(25)
  })
  it('"Analytics date range | 366 days"', () => {
    expect(Api.Limits.analyticsRangeDays).toBe(366)
  })
  it('"Key-level usage limit | characters per one-month usage period […]; emails at 80% and 100%"', () => {
    expect(Api.Limits.keyUsageLimit).toEqual({ periodMonths: 1, warningShares: [0.8, 1] })
  })
  it('"translation_memory_threshold | 0 to 100, default 75"', () => {
    expect(Api.Limits.translationMemoryThreshold).toEqual({ min: 0, max: 100, default: 75 })
  })
  it('of the wire facts: "glossary_ids, array of at most 5"', () => {
    expect(Api.Limits.translateGlossaries).toBe(5)
  })
})
