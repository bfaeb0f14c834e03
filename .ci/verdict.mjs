/**
 * Tells at the end of `.ci/run` what failed, what was not run and why, and the time of each step: output of many minutes is rarely kept as
 * a whole.
 */
import { existsSync, readFileSync } from "node:fs"

const [folder] = process.argv.slice(2)
const read = (name) => (existsSync(`${folder}/${name}`) ? readFileSync(`${folder}/${name}`, "utf8") : "")

let passed = 0
let failed = 0

const fail = (title, message) => {
  failed++
  console.log(`failed: ${title}\n${message}\n`)
}

for (const [name, message] of [
  ["installs", "What tests need is not installed: .ci/install prints the line."],
  [
    "readme",
    "The package does not install and run as README says: npx tsx scripts/check-install.ts README.md"
  ]
]) {
  if (existsSync(`${folder}/${name}.failed`)) fail(name, message)
  else passed++
}

for (const [name, command] of [
  ["test.json", "npm test"],
  ["long.json", "npm run test:long"]
]) {
  const text = read(name)
  if (text === "") fail(command, "It wrote no results.")
  for (const file of text === "" ? [] : JSON.parse(text).testResults) {
    const ofStatus = (status) => file.assertionResults.filter((test) => test.status === status)
    passed += ofStatus("passed").length
    for (const { failureMessages, fullName } of ofStatus("failed"))
      fail(`${file.name}\n  ${fullName}`, failureMessages.join("\n"))
    // It did not load, or a hook threw.
    if (file.status === "failed" && ofStatus("failed").length === 0) fail(file.name, file.message)
    for (const { fullName, status } of file.assertionResults) {
      if (status === "passed" || status === "failed") continue
      // `test/support/capabilities.ts` gives the reason.
      if (fullName.includes("(not run: ")) console.log(`${file.name}\n  ${fullName}\n`)
      else fail(`${file.name}\n  ${fullName}`, `It is ${status}, without a reason.`)
    }
  }
}

console.log(read("times"))
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || passed === 0 ? 1 : 0
