/** The table of exit codes for schedulers is the one of the command line. */
import { readFileSync } from "node:fs"
import { expect, it } from "vitest"
import { exitCodes, meanings } from "../../src/cli/failure.js"
import { root } from "../examples/process.js"

it("the recipe for schedulers knows each exit code, and its meaning", () => {
  const page = readFileSync(`${root}/docs/recipes/schedulers.md`, "utf8")
  const rows = page.split("\n").flatMap((line) => {
    const [, code, meaning, advice = ""] = line.split("|").map((cell) => cell.trim())
    return /^\d+$/.test(code ?? "") && advice !== "" ? [[Number(code), meaning]] : []
  })
  const known = Object.entries(exitCodes).map(([name, code]) => [
    code,
    meanings[name as keyof typeof meanings]
  ])
  expect(rows).toEqual(known)
})
