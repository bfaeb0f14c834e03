/**
 * How fast the command line starts: `npm run bench:cli` compares help, and a file of three texts, with Node alone and with Node that imports
 * `effect`. How to read it: docs/internals/performance.md.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import Table from "cli-table3"
import { median, startEmulator, startServer } from "./processes.js"
import { cli, environment } from "./programs.js"

const rounds = 15

const effect = fileURLToPath(new URL("../node_modules/effect/dist/esm/index.js", import.meta.url))
const translate = [cli, "translate", "en.json", "--to", "de"]

/** In this order: the last one finds what the one before has made. */
const programs = {
  "`node -e 0`": ["-e", "0"],
  '`node`, and `import "effect"`': ["--input-type=module", "-e", `import ${JSON.stringify(effect)}`],
  "`effect-translate --help`": [cli, "--help"],
  "`effect-translate translate --help`": [cli, "translate", "--help"],
  "`effect-translate translate en.json`, three texts": translate,
  "the same again": translate
}

type Name = keyof typeof programs

const names = Object.keys(programs) as ReadonlyArray<Name>
const [, baseline, help, , first, again] = names as [Name, Name, Name, Name, Name, Name]

/** At most so many times what Node takes that imports `effect`, in CPU: issues 16 and 46. */
const most: Partial<Record<Name, number>> = { [help]: 2.5, [first]: 1.6, [again]: 1.3 }

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

const emulator = await startEmulator()
const server = await startServer({ BEHIND: emulator.url })

const start = async (name: Name): Promise<Start> => {
  const cwd = join(folder, "work")
  if (name !== again) rmSync(cwd, { recursive: true, force: true })
  mkdirSync(cwd, { recursive: true })
  writeFileSync(join(cwd, "en.json"), '{"a":"Hello world","b":"Good morning to you","c":"Save the file"}')
  const began = performance.now()
  const child = spawn(process.execPath, ["--require", told, ...programs[name]], {
    cwd,
    env: { ...environment(server.url), XDG_CACHE_HOME: join(folder, "cache") },
    stdio: ["ignore", "ignore", "pipe", "pipe"]
  })
  let figure = ""
  let errors = ""
  child.stderr!.on("data", (data) => (errors += data))
  child.stdio[3]!.on("data", (data) => (figure += data))
  const [code] = await once(child, "close")
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${errors}`)
  return { cpu: Number(figure) / 1000, wall: performance.now() - began }
}

const starts = new Map<Name, Array<Start>>(names.map((name) => [name, []]))
for (const name of names) await start(name)
for (let round = 0; round < rounds; round++) {
  for (const name of names) starts.get(name)!.push(await start(name))
}
rmSync(folder, { recursive: true })
server.stop()
emulator.stop()

/** The median of the rounds' ratios. */
const ratioOf = (name: Name, figure: keyof Start) =>
  median(starts.get(name)!.map((each, round) => each[figure] / starts.get(baseline)![round]![figure]))

const table = new Table({
  head: ["", "CPU ms", "ms", "CPU, of the import's", "time, of the import's", "goal"]
})
for (const name of names) {
  const figures = (figure: keyof Start) => median(starts.get(name)!.map((each) => each[figure])).toFixed(0)
  const ratio = ratioOf(name, "cpu")
  const goal = most[name]
  table.push([
    name,
    figures("cpu"),
    figures("wall"),
    ratio.toFixed(2),
    ratioOf(name, "wall").toFixed(2),
    goal === undefined ? "" : `${goal}: ${ratio <= goal ? "yes" : "NO"}`
  ])
}
console.log(table.toString())
process.exitCode = Object.entries(most).every(([name, goal]) => ratioOf(name as Name, "cpu") <= goal) ? 0 : 1
