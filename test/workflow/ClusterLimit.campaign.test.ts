/** The rates of three workers as processes, which share a limit through PostgreSQL, at a service that takes 20 requests a second. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { Emulator } from "effect-translate/emulator"
import { service, starting } from "./limitProcesses.js"

interface Second {
  readonly accepted: number
  readonly refused: number
}

/** What the service answers in each of the next seconds. */
const watch = (seconds: number) =>
  Effect.gen(function* () {
    const { meter } = yield* Emulator.Emulator
    const answers = Effect.map(meter, ({ statuses }) => [statuses[200] ?? 0, statuses[429] ?? 0] as const)
    const counts: Array<Second> = []
    let [accepted, refused] = yield* answers
    for (let second = 0; second < seconds; second++) {
      yield* Effect.sleep("1 second")
      const [nowAccepted, nowRefused] = yield* answers
      counts.push({ accepted: nowAccepted - accepted, refused: nowRefused - refused })
      accepted = nowAccepted
      refused = nowRefused
    }
    return counts
  })

const sum = (seconds: ReadonlyArray<Second>, what: keyof Second) =>
  seconds.reduce((all, second) => all + second[what], 0)

const refusals = (seconds: ReadonlyArray<Second>) =>
  sum(seconds, "refused") / (sum(seconds, "refused") + sum(seconds, "accepted"))

const report = (name: string, seconds: ReadonlyArray<Second>) =>
  console.log(
    `${name}: ${((100 * sum(seconds, "accepted")) / (20 * seconds.length)).toFixed(1)} % used, ${sum(seconds, "refused")} refused, ${(100 * refusals(seconds)).toFixed(1)} %; ${seconds.map(({ accepted, refused }) => `${accepted}${refused > 0 ? `-${refused}` : ""}`).join(" ")}`
  )

describe("three workers of a service that takes 20 requests a second", () => {
  it.scopedLive(
    "use 90 % of it, are refused seldom, and go on within 20 seconds when the machine of the limit is lost",
    () =>
      Effect.gen(function* () {
        const workers = yield* Effect.replicateEffect(yield* starting, 3)
        report("start", yield* watch(30))
        const settled = yield* watch(60)
        report("settled", settled)
        expect(sum(settled, "accepted")).toBeGreaterThan(0.9 * 20 * 60)
        expect(refusals(settled)).toBeLessThan(0.05)
        for (const lost of workers.slice(0, 2)) {
          lost.kill("SIGKILL")
          const after = yield* watch(40)
          report("one less", after)
          // A machine that takes the limit over finds it anew, and tries a higher one each 30 seconds.
          expect(sum(after.slice(20), "accepted")).toBeGreaterThan(0.5 * 20 * 20)
        }
      }).pipe(Effect.provide(service))
  )
})
