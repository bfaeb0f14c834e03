/** What a person sees in a terminal while files are translated, and what is left when it ends. */
import { createRequire } from "node:module"
import { fileURLToPath, pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { afterRelay, folderOf, processTimeout } from "./process.js"
import { ctrlC, open } from "./terminal.js"
import * as job from "./terminalJob.js"

const crashing = fileURLToPath(new URL("crashingScreen.ts", import.meta.url))

/** Not the first requests, which ask what the service supports. */
const inFlight = /^([4-9]|\d\d) requests in flight/m

describe("translate in a terminal", () => {
  it.scopedLive(
    "shows bars while it runs, and leaves the summary",
    () =>
      Effect.gen(function* () {
        const { billed, leftovers, price, start } = yield* job.make(300, { latency: 250 })
        const session = yield* start()
        const shown = (yield* session.shows(inFlight)).join("\n")
        for (const target of job.targets)
          expect(shown).toMatch(new RegExp(`^${target} .*━.* %.* of 600$`, "m"))
        expect(shown).toMatch(/^[\d,]+ of 1,800 texts/m)
        expect(shown).toMatch(/^[\d,]+ characters billed$/m)
        expect(shown).toMatch(/^\d+ requests? in flight · limit \d+$/m)
        expect(yield* session.ended).toBe(0)
        const left = (yield* session.lines).join("\n")
        expect(left).toContain(`${price.toLocaleString("en")} characters were billed.`)
        expect(left).not.toContain("━")
        expect(session.isRestored()).toBe(true)
        expect(session.bytes()).toContain("\u001b[?25l")
        expect(yield* billed).toBe(price)
        expect(leftovers()).toEqual([])
      }),
    processTimeout
  )

  it.scopedLive(
    "explains the first Ctrl-C, takes its relay for the same, and goes on later",
    () =>
      Effect.gen(function* () {
        const { again, bill, billed, leftovers, price, start } = yield* job.make(300, { latency: 500 })
        const session = yield* start({ relay: true })
        yield* session.shows(inFlight)
        yield* session.type(ctrlC)
        yield* session.shows(/^Finishing requests in flight. Press Ctrl-C again to stop now.$/m)
        expect(yield* session.ended).toBe(130)
        expect(session.isRestored()).toBe(true)
        expect(leftovers()).toEqual([])
        const before = yield* billed
        expect(bill(session)).toEqual({ least: before, most: before })
        expect(yield* again).toMatchObject({ code: 0, least: price - before, most: price - before })
        expect(yield* billed).toBe(price)
      }),
    processTimeout
  )

  it.scopedLive(
    "stops at once at a second Ctrl-C; without colours if NO_COLOR is set",
    () =>
      Effect.gen(function* () {
        const { leftovers, start } = yield* job.make(100, undefined, {
          // Not the first answers, which all others wait for.
          faults: [{ fault: "slow", duration: "1 minute", path: "/v2/translate", after: 3, times: "always" }]
        })
        const session = yield* start({ env: { NO_COLOR: "1" }, size: { columns: 40, rows: 15 } })
        yield* session.shows(inFlight)
        yield* session.type(ctrlC)
        yield* session.shows(/Finishing/)
        yield* afterRelay
        yield* session.type(ctrlC)
        expect(yield* session.ended).toBe(130)
        expect(session.isRestored()).toBe(true)
        expect(session.bytes()).not.toMatch(/\u001b\[\d+m/)
        expect(leftovers()).toEqual([])
      }),
    processTimeout
  )

  it.scopedLive(
    "shows the cursor after a crash too, while it is stopped by Ctrl-Z, and prints notes above",
    () =>
      Effect.gen(function* () {
        const folder = yield* folderOf()
        const session = yield* open([crashing], {
          folder,
          script: `--import=${pathToFileURL(createRequire(import.meta.url).resolve("tsx"))}`,
          env: { TSX_TSCONFIG_PATH: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)) }
        })
        yield* session.shows(
          /^a note that is longer than a row of the terminal, which is why it goes on in the\n next$/m
        )
        yield* session.shows(/^a bar$/m)
        expect(session.isRestored()).toBe(false)
        yield* Effect.sync(() => process.kill(session.pty.pid, "SIGTSTP"))
        yield* Effect.repeat(Effect.sleep("10 millis"), { until: session.isRestored })
        expect(yield* session.lines).not.toContain("a bar")
        yield* Effect.sync(() => process.kill(session.pty.pid, "SIGCONT"))
        yield* session.shows(/^a bar$/m)
        expect(session.isRestored()).toBe(false)
        yield* Effect.sync(() => process.kill(session.pty.pid, "SIGUSR2"))
        expect(yield* session.ended).toBe(1)
        expect(session.isRestored()).toBe(true)
        const left = yield* session.lines
        expect(left).not.toContain("a bar")
        expect(left.join("\n")).toContain("Error: crashed")
      }),
    processTimeout
  )
})
