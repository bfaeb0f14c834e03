import * as Command from "../command.js"

const config = {}

export type Input = Command.Input<typeof config>

export const usage = Command.make(
  "usage",
  "What the key has used of its limits in this period.",
  config,
  () => import("../handlers/usage.js")
)
