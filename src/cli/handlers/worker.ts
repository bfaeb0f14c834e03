import * as Effect from "effect/Effect"
import type { Input } from "../commands/worker.js"
import * as options from "../worker/options.js"
import { run } from "../worker/run.js"
import { supervise } from "../worker/supervise.js"

export const handle = (input: Input) =>
  Effect.flatMap(options.make(input), (checked) => (input.supervised ? supervise : run(checked)))
