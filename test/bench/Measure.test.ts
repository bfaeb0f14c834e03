import { describe, expect, it } from "@effect/vitest"
import { contextOf, elsewhereOf, measureLanguage } from "../../bench/checks/measure.js"
import { isMissed, type Results, toMarkdown, toText } from "../../bench/checks/tables.js"
import type * as Check from "../../src/text/Check.js"

const checkOf = (name: string, isWrong: (pair: Check.Pair) => boolean): Check.Check => ({
  name,
  find: (pair) =>
    isWrong(pair)
      ? [{ check: name, severity: "error", explanation: "It is wrong.", source: [], translation: [] }]
      : []
})

const texts = Array.from({ length: 1000 }, (_, index) => ({
  source: `Text number ${index} of many`,
  translation: index === 7 ? "Falsch" : `Text Nummer ${index} von vielen`,
  writer: `writer ${index % 10}`
}))

const wrong = checkOf("wrong", ({ translation }) => translation === "Falsch" || translation === "")
const all = checkOf("all", () => true)

const resultOf = (checks: ReadonlyArray<Check.Check>) =>
  measureLanguage(checks, texts, 100, contextOf("de", texts, elsewhereOf(new Map([["de", texts]])), "1"))

const resultsOf = (checks: ReadonlyArray<Check.Check>, cpu: number): Results => ({
  seed: "1",
  missing: [],
  languages: [resultOf(checks)],
  cpu: { all: cpu, byCheck: {} }
})

describe("measureLanguage", () => {
  it("counts pairs of the sample that some check flags, once, and by check", () => {
    const { byCheck, people, writers } = resultOf([wrong, all])
    expect(people).toEqual({ all: 100, flagged: 100 })
    expect(byCheck).toEqual({ wrong: 1, all: 100 })
    expect(writers).toBe(10)
  })

  it("counts faults of each kind, and those that are found", () => {
    const { byFault } = resultOf([wrong])
    expect(byFault.empty!.all).toBe(400)
    expect(byFault.empty!.flagged).toBeGreaterThan(0)
    expect(byFault.empty!.flagged).toBeLessThan(400)
    expect(byFault["tag lost or changed"]).toEqual({ all: 0, flagged: 0 })
  })

  it("is the same with the same seed", () => {
    expect(resultOf([wrong])).toEqual(resultOf([wrong]))
  })
})

describe("tables", () => {
  it("a goal that is missed is marked, and told", () => {
    const results = resultsOf([wrong], 8.5)
    expect(toText(results)).toContain("1.00 % NO")
    expect(toText(results)).toContain("8.50 NO")
    expect(toMarkdown(results)).toContain("| de (tuned) | 100 | 10 | 1.00 % NO |")
    expect(isMissed(results)).toBe(true)
  })
})
