/**
 * Runs `npm test` again and again, each time with a new seed (all with `TEST_SEED`, where it is set), and says which were green.
 *
 *     npm run test:seeds -- 20              twenty times
 *     npm run test:busy                     beside two endless loops a core, then with its processes stopped for 200 ms of each second
 *     npm run test:busy -- 3 test/stream    so three times each, and some of the tests
 */
import { type ChildProcess, spawn } from "node:child_process"
import { availableParallelism } from "node:os"

/** Disturbs a run, and gives what ends it. */
type Disturb = (tests: ChildProcess) => () => void

const undisturbed: Disturb = () => () => {}

const besideLoops: Disturb = () => {
  const loops = Array.from({ length: 2 * availableParallelism() }, () =>
    spawn(process.execPath, ["-e", "for (;;) {}"], { stdio: "ignore" })
  )
  return () => {
    for (const loop of loops) loop.kill("SIGKILL")
  }
}

const stopped: Disturb = ({ pid }) => {
  const signal = (name: NodeJS.Signals) => {
    try {
      process.kill(-pid!, name)
    } catch {
      // All of its processes have ended.
    }
  }
  let resuming: NodeJS.Timeout | undefined
  const stopping = setInterval(() => {
    signal("SIGSTOP")
    resuming = setTimeout(() => signal("SIGCONT"), 200)
  }, 1000)
  return () => {
    clearInterval(stopping)
    clearTimeout(resuming)
    signal("SIGCONT")
  }
}

const kinds: Readonly<Record<string, Readonly<Record<string, Disturb>>>> = {
  seeds: { "by itself": undisturbed },
  busy: { "beside endless loops": besideLoops, "stopped for 200 ms of each second": stopped }
}

/** One run, in a process group of its own. Whether all was green. */
const run = (disturb: Disturb, seed: string, words: ReadonlyArray<string>): Promise<boolean> =>
  new Promise((resolve) => {
    const tests = spawn("npx", ["vitest", "run", "--reporter=dot", ...words], {
      detached: true,
      env: { ...process.env, TEST_SEED: seed },
      stdio: ["ignore", "inherit", "inherit"]
    })
    const end = disturb(tests)
    // The keys that interrupt this program do not reach a group of its own.
    const interrupt = () => {
      end()
      process.kill(-tests.pid!, "SIGKILL")
      process.exit(130)
    }
    process.once("SIGINT", interrupt)
    tests.once("exit", (code) => {
      process.off("SIGINT", interrupt)
      end()
      resolve(code === 0)
    })
  })

const [kind = "", count = "1", ...words] = process.argv.slice(2)
const lines: Array<string> = []
let green = 0
for (let round = 0; round < Number(count); round++) {
  for (const [name, disturb] of Object.entries(kinds[kind] ?? {})) {
    const seed = process.env.TEST_SEED ?? String(Math.floor(Math.random() * 2 ** 31))
    const start = performance.now()
    const isGreen = await run(disturb, seed, words)
    green += isGreen ? 1 : 0
    const seconds = ((performance.now() - start) / 1000).toFixed(0)
    lines.push(`${isGreen ? "green " : "failed"}  TEST_SEED=${seed}  ${name}, ${seconds} s`)
  }
}
console.log(`${lines.join("\n")}\n${green} of ${lines.length} green`)
process.exitCode = green === lines.length && green > 0 ? 0 : 1
