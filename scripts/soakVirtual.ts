/** A process of `npm run test:campaign -- soak-virtual`: it runs the seeds of its command line. Virtual time is that of all timers of a process. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Effect from "effect/Effect"
import * as program from "../test/support/soak/program.js"
import { soak, soakShared } from "../test/support/soak.js"

const reports = Effect.forEach(
  process.argv.slice(2).map(Number),
  (seed) =>
    Effect.map((seed % 2 === 0 ? soakShared : soak)(program.makeSmall(seed)), (report) =>
      process.send!(report)
    ),
  { discard: true }
)

NodeRuntime.runMain(
  Effect.ensuring(
    reports,
    Effect.sync(() => process.disconnect())
  )
)
