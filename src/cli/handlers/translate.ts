import * as Effect from "effect/Effect"
import * as Budget from "../../stream/Budget.js"
import type { Input } from "../commands/translate.js"
import * as service from "../service.js"
import { Settings } from "../settings.js"
import * as inputs from "../translate/inputs.js"
import * as plans from "../translate/plan.js"
import { run } from "../translate/run.js"

export const handle = (input: Input) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    const plan = yield* plans.make(input, translate)
    const budget = plan.budget === undefined ? undefined : yield* Budget.make(plan.budget)
    const found = yield* inputs.make(plan)
    yield* run(plan, found, { budget }).pipe(Effect.provide(service.translator))
  })
