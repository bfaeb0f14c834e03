/** Sums of `npm start`: a run that left texts untranslated does not end with 0. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Outcome, TranslateError } from "effect-translate"
import * as Ledger from "../../examples/internal/ledger.js"
import * as Signals from "../../examples/internal/signals.js"

const totals = (failed: number): Ledger.Totals => ({
  language: "de",
  tally: { ...Outcome.zero, in: 3, translated: 3 - failed, failed },
  requests: 1,
  retries: 0,
  seconds: 1,
  firstError:
    failed === 0 ? undefined : TranslateError.invalidRequest({ method: "POST", path: "/v2/translate" }, [])
})

const codeOf = (...failed: ReadonlyArray<number>) =>
  Effect.map(Effect.exit(Ledger.failOnFailures(failed.map(totals))), (exit) => {
    let code: number | undefined
    Signals.exitCode(exit, (value) => {
      code = value
    })
    return code
  })

it.effect("a run of which a text failed in one language ends with 1, another with 0", () =>
  Effect.gen(function* () {
    expect(yield* codeOf(0, 1)).toBe(1)
    expect(yield* codeOf(0, 0)).toBe(0)
  })
)
