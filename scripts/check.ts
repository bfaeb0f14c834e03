/**
 * Runs every script `check:…` of `package.json`, as many at a time as there are cores. Of what fails it prints the whole output.
 *
 *     npm run check
 */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"

const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))

// In their order: the longest is the first.
const names = Object.keys(scripts).filter((name) => name.startsWith("check:"))

const seconds = (since: number) => `${((performance.now() - since) / 1000).toFixed(1)} s`

const run = (name: string): Promise<void> => {
  const start = performance.now()
  return new Promise((resolve) => {
    execFile("npm", ["run", "--silent", name], { maxBuffer: 2 ** 30 }, (error, stdout, stderr) => {
      console.log(
        `${name.padEnd(14)} ${seconds(start).padStart(7)}  ${error === null ? "in order" : "failed"}`
      )
      if (error !== null) {
        console.log(`${stdout}${stderr}`)
        process.exitCode = 1
      }
      resolve()
    })
  })
}

const start = performance.now()
const runNext = async (): Promise<void> => {
  const name = names.shift()
  if (name === undefined) return
  await run(name)
  await runNext()
}
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, runNext))
console.log(seconds(start))
