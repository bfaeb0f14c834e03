/**
 * How fast the command line starts: `npm run bench:cli` compares `effect-translate --help` with Node alone and with Node that imports
 * `effect`. How to read it: docs/internals/performance.md.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import Table from "cli-table3"
import { median } from "./processes.js"

/** Issue 16: help takes at most so many times what Node takes that imports `effect`. */
const mostRatio = 2.5

const rounds = 15

const root = fileURLToPath(new URL("..", import.meta.url))

const programs = {
  "`node -e 0`": ["-e", "0"],
  '`node`, and `import "effect"`': ["--input-type=module", "-e", 'import "effect"'],
  "`effect-translate --help`": ["dist/cli/main.js", "--help"],
  "`effect-translate translate --help`": ["dist/cli/main.js", "translate", "--help"]
}

type Name = keyof typeof programs

interface Start {
  readonly cpu: number
  readonly wall: number
}

const folder = mkdtempSync(join(tmpdir(), "bench-cli-"))
const told = join(folder, "told.cjs")
writeFileSync(
  told,
  'process.on("exit", () => { const { user, system } = process.cpuUsage(); require("node:fs").writeSync(3, String(user + system)) })'
)

const start = (name: Name): Start => {
  const began = performance.now()
  const { output, status } = spawnSync(process.execPath, ["--require", told, ...programs[name]], {
    cwd: root,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"]
  })
  const wall = performance.now() - began
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${output[2]}`)
  return { cpu: Number(output[3]) / 1000, wall }
}

const names = Object.keys(programs) as ReadonlyArray<Name>
const starts = new Map<Name, Array<Start>>(names.map((name) => [name, []]))
for (const name of names) start(name)
for (let round = 0; round < rounds; round++) {
  for (const name of names) starts.get(name)!.push(start(name))
}
rmSync(folder, { recursive: true })

const [, baseline, help] = names as [Name, Name, Name]
/** The median of the rounds' ratios. */
const ratioOf = (name: Name, figure: keyof Start) =>
  median(starts.get(name)!.map((each, round) => each[figure] / starts.get(baseline)![round]![figure]))

const table = new Table({ head: ["", "CPU ms", "ms", "CPU, of the import's", "time, of the import's"] })
for (const name of names) {
  const figures = (figure: keyof Start) => median(starts.get(name)!.map((each) => each[figure])).toFixed(0)
  table.push([
    name,
    figures("cpu"),
    figures("wall"),
    ratioOf(name, "cpu").toFixed(2),
    ratioOf(name, "wall").toFixed(2)
  ])
}
console.log(table.toString())
const isFast = ratioOf(help, "cpu") <= mostRatio && ratioOf(help, "wall") <= mostRatio
console.log(`At most ${mostRatio} times the import: ${isFast ? "yes" : "NO"}`)
process.exitCode = isFast ? 0 : 1
