import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import * as Budget from "../../stream/Budget.js"
import type { Actions } from "../command.js"
import type { translate } from "../declarations/texts.js"
import * as Output from "../output.js"
import * as service from "../serviceClient.js"
import { Settings } from "../settings/settings.js"
import * as queryOption from "../translate/queryOption.js"
import * as remoteFiles from "../translate/remoteFiles.js"
import { run } from "../translate/runTranslation.js"
import * as sourceFiles from "../translate/sourceFiles.js"
import type { Plan } from "../translate/translateOptions.js"
import * as translateOptions from "../translate/translateOptions.js"
import { watch } from "../translate/watchFiles.js"

const translated = (plan: Plan) =>
  Effect.gen(function* () {
    // A mistake in the names of files is told before one in the address of the service.
    const found = yield* plan.query === undefined ? sourceFiles.make(plan) : queryOption.inputsOf(plan)
    const budget = plan.budget === undefined ? undefined : yield* Budget.make(plan.budget)
    const running = plan.watch
      ? watch(
          plan,
          Effect.flatMap(sourceFiles.make(plan), (found) => run(plan, found, budget))
        )
      : run(plan, found, budget)
    yield* Effect.provide(running, service.client)
  })

export const actions: Actions<typeof translate> = (input) =>
  Effect.gen(function* () {
    const { translate } = yield* Settings
    const plan = yield* translateOptions.make(yield* queryOption.check(input), translate)
    yield* remoteFiles.provided(plan)(translated(plan))
  }).pipe(
    // Standard output holds the translation.
    input.files.includes("-")
      ? Effect.provideService(Output.Output, Output.make(input, process.stderr))
      : identity
  )
