import { describe, expect, it } from "@effect/vitest"
import { elsewhereOf, measureLanguage } from "../../bench/checks/measure.js"
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
  measureLanguage(checks, { catalogues: texts, prose: texts.slice(0, 100) }, "de", elsewhereOf(new Map()), {
    sample: 1000,
    seed: "1"
  })

const resultsOf = (checks: ReadonlyArray<Check.Check>, cpu: number): Results => ({
  half: "unseen",
  seed: "1",
  missing: [],
  languages: [resultOf(checks)],
  cpu: { all: cpu, byCheck: {} }
})

describe("measureLanguage", () => {
  it("counts pairs of the sample that some check flags, once, and by check", () => {
    const { catalogues, prose } = resultOf([wrong, all])
    expect(catalogues).toEqual({
      writers: 10,
      count: { all: 1000, flagged: 1000 },
      byCheck: { wrong: 1, all: 1000 }
    })
    expect(prose.byCheck).toEqual({ wrong: 1, all: 100 })
  })

  it("counts faults of each kind, and those that are found", () => {
    const { byFault } = resultOf([wrong])
    expect(byFault.empty!.all).toBe(400)
    expect(byFault.empty!.flagged).toBeGreaterThan(0)
    expect(byFault.empty!.flagged).toBeLessThan(400)
    expect(byFault["tag lost or changed"]).toEqual({ all: 0, flagged: 0 })
  })

  it("makes no fault of a pair that is flagged anyway", () => {
    expect(resultOf([wrong, all]).byFault.empty!.all).toBe(0)
  })

  it("is the same with the same seed", () => {
    expect(resultOf([wrong])).toEqual(resultOf([wrong]))
  })
})

describe("tables", () => {
  it("a goal that is missed is marked, and told", () => {
    const results = resultsOf([wrong], 12.5)
    expect(toText(results)).toContain("1.00 % NO")
    expect(toText(results)).toContain("12.50 NO")
    expect(toMarkdown(results)).toContain("| de | 100 | 10 | 1.00 % NO | wrong 1.00 % |")
    expect(isMissed(results)).toBe(true)
  })
})
