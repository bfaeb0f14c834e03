import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Budget from "../../stream/Budget.js"
import type { Input } from "../commands/translate.js"
import { Interrupts } from "../interrupts.js"
import * as Output from "../output.js"
import * as service from "../service.js"
import { Settings } from "../settings/settings.js"
import * as inputs from "../translate/inputs.js"
import * as plans from "../translate/plan.js"
import { run } from "../translate/run.js"
import { watch } from "../translate/watch.js"

export const handle = (input: Input) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    const { graceful } = yield* Interrupts
    const plan = yield* plans.make(input, translate)
    // A mistake in the names of files is told before one in the address of the service.
    const found = yield* inputs.make(plan)
    const budget = plan.budget === undefined ? undefined : yield* Budget.make(plan.budget)
    yield* graceful((requested) =>
      plan.watch
        ? watch(
            plan,
            requested,
            Effect.flatMap(inputs.make(plan), (found) => run(plan, found, { budget, requested }))
          )
        : run(plan, found, { budget, requested })
    ).pipe(Effect.provide(service.translator))
  }).pipe(
    // Standard output holds the translation.
    input.files.includes("-")
      ? Effect.provideService(Output.Output, Output.make(input, process.stderr))
      : identity
  )
