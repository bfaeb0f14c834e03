/** Ten kinds of bad answers: what jobs do with them by the checks that are built in. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Check } from "effect-translate/checks"
import { Fault } from "effect-translate/emulator"
import { TranslationJob } from "effect-translate/jobs"
import { answers } from "./badAnswers.js"
import { rowsOf, script, table, withService } from "./jobs.js"

const run = (verify?: TranslationJob.Options["verify"]) =>
  Effect.gen(function* () {
    yield* script(Fault.mistranslate((source) => answers[source] ?? source).pipe(Fault.times(999)))
    const [first, ...others] = Object.keys(answers)
    const report = yield* TranslationJob.run({
      sources: [table(rowsOf(first!, ...others)).source],
      targets: ["de"],
      options: { sourceLang: "en" },
      verify
    })
    return report.targets[0]!
  })

describe("ten kinds of bad answers", () => {
  it.effect("end as two that have failed, the empty one and the lost tag, and eight that look wrong", () =>
    Effect.gen(function* () {
      expect(yield* run()).toMatchObject({ in: 10, translated: 8, failed: 2, flagged: 8 })
    }).pipe(withService())
  )

  it.effect("end as ten that have failed, where each check fails them", () =>
    Effect.gen(function* () {
      const policies = Object.fromEntries(Check.defaults.map(({ name }) => [name, "fail" as const]))
      const { failed, flagged, translated } = yield* run({ policies })
      expect([translated, failed, flagged]).toEqual([0, 10, undefined])
    }).pipe(withService())
  )
})
