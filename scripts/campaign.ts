/**
 * Runs a campaign of `scripts/campaigns.ts`; without a name, prints them.
 *
 *     npm run test:campaign -- soak --seed 17
 */
import { spawnSync } from "node:child_process"
import { campaigns } from "./campaigns.js"

const [name = "", ...words] = process.argv.slice(2)
const campaign = campaigns[name]

if (name === "--names") {
  console.log(JSON.stringify(Object.keys(campaigns)))
} else if (campaign === undefined) {
  for (const [name, { finds, minutes }] of Object.entries(campaigns))
    console.log(`${name.padEnd(14)} ${String(minutes).padStart(4)} minutes  ${finds}`)
  if (name !== "") console.error(`There is no campaign ${name}.`)
  process.exitCode = name === "" ? 0 : 1
} else {
  const { runs } = campaign
  for (const [command = "", ...given] of [...runs.slice(0, -1), [...(runs.at(-1) ?? []), ...words]]) {
    const { status } = spawnSync(command, given, { stdio: "inherit" })
    if (status !== 0) process.exitCode = 1
  }
}
