/** Values of options that are read before anything is sent. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as parameters from "../../src/cli/parameters.js"
import * as glossaryOption from "../../src/cli/translate/glossaryOption.js"
import type { SharedPlan } from "../../src/cli/translate/translateOptions.js"

it.effect("--parameter is a name and a value", () =>
  Effect.gen(function* () {
    expect(yield* parameters.valuesOf([])).toBe(undefined)
    expect(yield* parameters.valuesOf(["a=true", "b=x=y"])).toEqual({ a: true, b: "x=y" })
    for (const wrong of ["nothing", "=x", "a="]) {
      const { message } = yield* Effect.flip(parameters.valuesOf(["a=1", wrong]))
      expect(message).toBe(
        `--parameter must be a name and a value, such as some_option=true, not ${JSON.stringify(wrong)}.`
      )
    }
  })
)

it.effect("--glossary takes the id of one without --from, and no file of terms", () =>
  Effect.gen(function* () {
    const plan = (glossary: string) => ({ glossary, languages: ["de"] }) as unknown as SharedPlan
    expect(yield* glossaryOption.make(plan("an-id"))).toEqual({ glossaryId: "an-id" })
    const { message } = yield* Effect.flip(glossaryOption.make(plan("terms.csv")))
    expect(message).toBe("--glossary needs --from: the terms of a file are for a pair of languages.")
  }).pipe(Effect.provide(NodeContext.layer))
)
