import * as Command from "../command.js"

const config = {}

export type Input = Command.Input<typeof config>

export const doctor = Command.make(
  "doctor",
  "Checks the settings, the service, its keys and the store, and says what to do. It shows no key, and costs nothing.",
  config,
  () => import("../handlers/doctor.js")
)
