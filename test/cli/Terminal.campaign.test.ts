/**
 * Ten terminal sessions that are disturbed at random moments: whatever ends one, the cursor is shown, no temporary file is left, and what it
 * says of its bill is what the service has billed. `TEST_SEED` repeats a run.
 */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { afterRelay } from "./process.js"
import { ctrlC, type Session } from "./terminal.js"
import * as job from "./terminalJob.js"

const seed = Number(process.env.TEST_SEED ?? Date.now())

const signal = (name: NodeJS.Signals) => (session: Session) =>
  Effect.sync(() => {
    // It may have ended.
    if (session.code() === undefined) process.kill(session.pty.pid, name)
  })

const type = (session: Session) => session.type(ctrlC)

const twice = (disturb: (session: Session) => Effect.Effect<void>) => (session: Session) =>
  Effect.zipRight(Effect.zipRight(disturb(session), afterRelay), disturb(session))

const resized = (session: Session) =>
  Effect.forEach(
    [
      { columns: 60, rows: 20 },
      { columns: 34, rows: 30 },
      { columns: 120, rows: 40 }
    ],
    (size) => Effect.zipRight(session.resize(size), Effect.sleep("200 millis")),
    { discard: true }
  )

const refusals = { fault: "status", status: 503, path: "/v2/translate", probability: 0.03 }

const losses = { fault: "cutConnection", when: "after", path: "/v2/translate", probability: 0.05 }

/** A service that is slow and limited, and sometimes refuses. */
const service = { latency: 300, maxConcurrent: 4, faults: [refusals] }

/** Some answers are lost: nobody knows whether they were billed. */
const unreliable = { ...service, faults: [refusals, losses] }

const sessions = [
  ["nothing happens", service, () => Effect.void],
  ["the terminal is resized", service, resized],
  ["Ctrl-C", service, type],
  ["Ctrl-C below npx", service, type, { relay: true }],
  ["two Ctrl-C", service, twice(type)],
  ["two Ctrl-C below npx", service, twice(type), { relay: true }],
  ["SIGTERM", service, signal("SIGTERM")],
  ["two SIGTERM", unreliable, twice(signal("SIGTERM"))],
  [
    "SIGHUP, then Ctrl-C",
    unreliable,
    (session: Session) =>
      Effect.zipRight(signal("SIGHUP")(session), Effect.zipRight(afterRelay, type(session)))
  ],
  ["Ctrl-C where answers are lost", unreliable, type]
] as const

/** When it is disturbed, in milliseconds: every other one since its start, the others since there are bars. */
const moments = fc.sample(fc.noBias(fc.integer({ min: 0, max: 3000 })), { seed, numRuns: sessions.length })

describe(`a terminal session (TEST_SEED=${seed})`, () => {
  for (const [index, [name, rules, disturb, settings]] of sessions.entries()) {
    it.scopedLive(`leaves everything in order: ${name} after ${moments[index]} ms`, () =>
      Effect.gen(function* () {
        const { again, bill, billed, doubt, hasBill, leftovers, price, start } = yield* job.make(
          300,
          undefined,
          rules
        )
        const session = yield* start(settings)
        const begun = index % 2 === 0 ? Effect.void : session.shows(/in flight/)
        yield* Effect.fork(Effect.zipRight(begun, Effect.delay(disturb(session), moments[index]!)))
        const code = yield* session.ended
        // A signal may come before the program listens.
        expect([0, 130, 129, 143]).toContain(code)
        expect(session.isRestored()).toBe(true)
        const shown = (yield* session.lines).join("\n")
        expect(shown).not.toContain("━")
        // What was in flight may still come to its end.
        yield* Effect.sleep("500 millis")
        const first = yield* billed
        // On a busy machine, the two seconds that a second signal leaves are too short to clean up and to tell.
        if (hasBill(session) || !/^two|then/.test(name)) {
          expect(leftovers()).toEqual([])
          const told = bill(session)
          expect(told.least).toBeLessThanOrEqual(first)
          expect(first).toBeLessThanOrEqual(told.most)
        }

        const rest = yield* again
        expect(rest.code).toBe(0)
        const second = (yield* billed) - first
        expect(rest.least).toBeLessThanOrEqual(second)
        expect(second).toBeLessThanOrEqual(rest.most)
        // Paid twice is at most what the ledger names as in doubt.
        expect(first + second).toBeGreaterThanOrEqual(price)
        expect(first + second).toBeLessThanOrEqual(price + Math.max(doubt(session), rest.doubt))
        expect(leftovers()).toEqual([])
      })
    )
  }
})
