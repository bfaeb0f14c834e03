/** Files and reports of a job that are larger than what is read as a whole unless told otherwise. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Format } from "effect-translate/formats"
import { FileTranslation, JobReport, TranslationJob } from "effect-translate/jobs"
import { drain, failsWith } from "../stream/support.js"
import { keyed } from "../support/keyedFormat.js"
import { rowsOf, table, withService } from "./jobs.js"
import { file, marking, text } from "./support.js"

describe("maxFileBytes", () => {
  it.effect("bounds files that are read as a whole: 16 MiB unless told otherwise", () => {
    const { provide, requests } = marking()
    const options = { format: keyed, options: { targetLang: "de", dedupe: false } } as const
    const large = `a = ${"A".repeat(17 * 1024 * 1024)}\n`
    return Effect.gen(function* () {
      const { exit } = yield* drain(FileTranslation.translate(file(large, 1 << 20), options))
      expect(failsWith(exit)).toMatchObject({ _tag: "FormatError" })
      expect(requests).toEqual([])
      const parts = keyed.decode({ ...FileTranslation.decodeOptions({ ...options, maxFileBytes: 1 << 25 }) })
      expect(yield* text(Format.encode(parts(file(large, 1 << 20))))).toBe(large)
    }).pipe(provide)
  })
})

describe("JobReport", () => {
  it.effect("is read however large it is", () =>
    Effect.gen(function* () {
      const report = yield* TranslationJob.run({ sources: [table(rowsOf("b1")).source], targets: ["de"] })
      const large = { ...report, end: { ...report.end, next: "x".repeat(17 * 1024 * 1024) } }
      expect((yield* JobReport.decode(JobReport.encode(large))).end.next).toHaveLength(large.end.next.length)
    }).pipe(withService())
  )
})
