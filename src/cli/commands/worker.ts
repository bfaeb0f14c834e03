import * as Effect from "effect/Effect"
import type { Actions } from "../command.js"
import type { worker } from "../declarations/jobs.js"
import { run } from "../worker/runWorker.js"
import { supervise } from "../worker/supervise.js"
import * as workerOptions from "../worker/workerOptions.js"

export const actions: Actions<typeof worker> = (input) =>
  Effect.flatMap(workerOptions.make(input), (checked) => (input.supervised ? supervise : run)(checked))
