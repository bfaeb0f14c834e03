/** What is said of a job after it. */
import { expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import type { JobReport } from "effect-translate/jobs"
import * as authors from "../../src/cli/translate/authorSummary.js"
import * as summary from "../../src/cli/translate/summary.js"

const now = DateTime.unsafeMake(0)

const report: JobReport.JobReport = {
  version: 1,
  startedAt: now,
  endedAt: now,
  end: { state: "complete", next: "" },
  targets: [
    {
      targetLang: "de",
      in: 3,
      translated: 3,
      cached: 0,
      skipped: 0,
      failed: 0,
      flagged: 2,
      characters: { least: 9, most: 9 },
      requests: 1,
      retries: 0,
      refusals: {},
      took: 0
    }
  ],
  outputs: []
}

const unit = {
  source: "a",
  key: "1",
  targetLang: "de",
  reason: "Flagged",
  message: "",
  ambiguousCharacters: 0
}

const finding = (check: string) =>
  ({ check, severity: "warning", explanation: `It is ${check}.`, source: [], translation: [] }) as const

it("the summary of a job says how many texts look wrong, where they are listed, and by which checks", () => {
  const reasons = summary.makeReasons()
  reasons.add({ ...unit, findings: [finding("odd"), finding("long")] })
  reasons.add({ ...unit, findings: [finding("odd")] })
  const told = summary.ofReport({
    report,
    estimate: undefined,
    keeps: true,
    reasons,
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(told).toContain(
    '2 texts look wrong: see failed.jsonl, where "correction" may be filled in, or "accepted": true if it is right.'
  )
  expect(told).toContain("\nEverything is translated, and 2 texts look wrong. 9 characters were billed.")
  expect(told).toContain("  2 × odd: It is odd.\n  1 × long: It is long.")
  expect(told).toContain("look wrong")
  expect(told).not.toContain("failed (Flagged)")
})

it("the summary of a job names each check that has refused a text, and how many", () => {
  const linesOf = (...checks: ReadonlyArray<string>) => {
    const reasons = summary.makeReasons()
    for (const check of checks) {
      const refused = { reason: "TranslationRefused", message: `Refused by ${check}.`, checks: [check] }
      reasons.add({ ...unit, ...refused })
    }
    return reasons.lines(undefined)
  }
  expect(linesOf("empty", "placeholders", "empty")).toEqual([
    "3 texts failed (refused by empty: 2, by placeholders: 1):",
    "  Refused by empty.",
    "  Refused by placeholders."
  ])
  expect(linesOf("empty", "empty")).toEqual(["2 texts failed (empty): Refused by empty."])
})

it("the summary of a job whose store was removed names the characters that are not stored, and does not say that they are", () => {
  const error = { tag: "StoreReplaced", message: "The file of the store was removed." }
  const told = summary.ofReport({
    report: { ...report, end: { state: "failed", next: "", error } },
    estimate: undefined,
    keeps: true,
    reasons: summary.makeReasons(),
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(told).toContain(
    "What this run has translated (9 characters) is not in the store that is there now, and is paid for again unless its file is put back."
  )
  expect(told).not.toContain("not paid for again")
})

it("the summary of a job tells of texts that may be paid twice, unless the job has sent nothing", () => {
  const inDoubt = {
    sinceStart: [],
    everything: [{ state: "unknown", why: "no answer came", requests: 2, characters: 1_500 }]
  } as const
  const toldOf = (requests: number) =>
    summary.ofReport({
      report: { ...report, targets: report.targets.map((target) => ({ ...target, requests })), inDoubt },
      estimate: undefined,
      keeps: true,
      reasons: summary.makeReasons(),
      failedUnits: "failed.jsonl",
      leftOut: []
    })
  expect(toldOf(1)).toContain(
    "May be paid twice: 1,500 characters of 2 requests, of all runs with this store, as no answer came."
  )
  expect(toldOf(0)).not.toContain("May be paid twice")
})

const none = { stale: 0, unknown: 0, orphaned: 0, otherChoices: [], otherTerms: 0 }
const target = { ...report.targets[0]!, ...none, characters: 201, paid: 0, bytes: 0 }

const forecast = {
  isExact: false,
  targets: [target],
  failures: [],
  unmatched: [],
  texts: 3,
  characters: 201,
  requests: 1,
  cost: undefined
}

it.each([
  [200, "The budget of 200 characters does not suffice: it lacks 1 character."],
  [150, "The budget of 150 characters does not suffice: it lacks 51 characters."],
  [201, "The budget of 201 characters suffices."]
])("a forecast of 201 characters tells how much a budget of %i lacks", (left, told) => {
  expect(summary.ofBudget({ ...forecast, budget: { left, suffices: left >= 201 } })).toBe(told)
})

it("a forecast says how many texts hold terms that are new, have changed or are gone", () => {
  const targets = [0, 1, 12].map((otherTerms) => ({ ...target, otherTerms }))
  expect(authors.ofForecast(targets)).toEqual([
    "de: 1 text holds terms that are new, have changed or are gone: it is translated again.",
    "de: 12 texts hold terms that are new, have changed or are gone: they are translated again."
  ])
})

it("the summary of a job that was halted begins its sentence about an estimate with a capital", () => {
  const told = summary.ofReport({
    report: { ...report, end: { state: "interrupted", next: "" } },
    estimate: { ...forecast, targets: [{ ...target, translated: 965_432, cached: 0 }] },
    keeps: true,
    reasons: summary.makeReasons(),
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(told).toContain(
    "9 characters were billed. About 965,000 texts are left: finished translations are stored"
  )
})

it("the summary of a job that its store has ended tells of answers that are not stored", () => {
  const error = { tag: "StoreFull", message: "There is no space left." }
  const told = summary.ofReport({
    report: { ...report, end: { state: "failed", error, next: "" } },
    estimate: undefined,
    keeps: true,
    reasons: summary.makeReasons(),
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(told).toContain("but answers that the store could not take are.")
  expect(told).not.toContain("inished translations are stored")
})

it("the summary of a job does not say that everything is translated where files were left out", () => {
  const tellOf = (leftOut: summary.Options["leftOut"]) =>
    summary.ofReport({
      report: { ...report, targets: [{ ...report.targets[0]!, flagged: undefined }] },
      estimate: undefined,
      keeps: true,
      reasons: summary.makeReasons(),
      failedUnits: "failed.jsonl",
      leftOut
    })
  expect(tellOf([])).toContain("Everything is translated. 9 characters were billed.")
  expect(tellOf([{ path: "guide.de.md", reason: "translation" }])).toContain("Everything is translated.")
  const told = tellOf([
    { path: "docs/.draft.md", reason: "hidden" },
    { path: "docs/.github/", reason: "hidden" },
    { path: "docs/a.png", reason: "unknownEnding" },
    { path: "docs/b.png", reason: "unknownEnding" }
  ])
  expect(told).toContain(
    "4 left out: 2 hidden (docs/.draft.md, docs/.github/); 2 of unknown endings (.png). A file that is named itself is taken.\nAll files are translated but those left out. 9 characters were billed."
  )
  expect(told).not.toContain("Everything is translated")
})

it.each([
  [
    ["b"],
    "de.json",
    "1 translation was written by a person before its source changed. Change it there, or say that"
  ],
  [
    ["b", "c"],
    "de.json",
    "2 translations were written by a person before their sources changed. Change them there, or say which"
  ],
  [
    ["b"],
    undefined,
    "1 translation was written by a person before its source changed. Change it there. To have"
  ]
])("the summary of a job tells of translations of persons that are old, in %s of %s", (keys, path, told) => {
  const output = {
    source: "en.json",
    output: path,
    targetLang: "de",
    state: "written",
    tally: report.targets[0]
  }
  const stale = keys.map((key) => ({ key }))
  const outputs = [{ ...output, stale }] as unknown as JobReport.JobReport["outputs"]
  const text = summary.ofReport({
    report: { ...report, outputs },
    estimate: undefined,
    keeps: true,
    reasons: summary.makeReasons(),
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(text).toContain(told)
})

it("the summary of a pilot says that the rest is not sent, and how it is translated", () => {
  const [target] = report.targets
  const told = summary.ofReport({
    report: {
      ...report,
      end: { state: "incomplete", next: "" },
      targets: [{ ...target!, in: 7, skipped: 4, flagged: 0 }]
    },
    estimate: undefined,
    limit: 3,
    keeps: true,
    reasons: summary.makeReasons(),
    failedUnits: "failed.jsonl",
    leftOut: []
  })
  expect(told).toContain("not sent")
  expect(told).not.toContain("kept")
  expect(told).toContain("This was a pilot of 3 texts a file: without --limit the rest is translated.")
})
