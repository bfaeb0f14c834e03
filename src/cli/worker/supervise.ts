/** Runs a worker in a process of its own, and again whenever it has lost its database or has crashed. */

import type * as FileSystem from "@effect/platform/FileSystem"
import * as NodeCommandExecutor from "@effect/platform-node/NodeCommandExecutor"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Supervisor from "../../workflow/Supervisor.js"
import { type Described, exitCodes } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import { longestEnd, type Options } from "./workerOptions.js"

/** Exit codes that a new start does not cure, or that were asked for. */
const final: ReadonlySet<number> = new Set([
  exitCodes.done,
  exitCodes.usage,
  exitCodes.quota,
  exitCodes.unauthorized,
  exitCodes.outdated,
  exitCodes.interrupted
])

const why = (exitCode: number | undefined): string => {
  if (exitCode === undefined) return "was killed"
  return exitCode === exitCodes.lost ? "has lost its database" : `has ended with ${exitCode}`
}

/** The arguments of this process for the worker, without the option that makes it a supervisor. */
const args = () => process.argv.slice(1).filter((word) => word !== "--supervised")

/** Runs until the worker has ended for good. This process ends as it has. */
export const supervise = ({
  drain
}: Options): Effect.Effect<void, Described, FileSystem.FileSystem | Output | Interrupts> =>
  Effect.gen(function* () {
    const { event, note } = yield* Output
    const { graceful, last } = yield* Interrupts
    const running = Supervisor.run({
      command: process.execPath,
      args: [...process.execArgv, ...args()],
      // It bounds its end itself.
      grace: Duration.seconds(longestEnd(drain) + 5),
      isRestarted: (exitCode) => exitCode === undefined || !final.has(exitCode),
      onRestart: ({ delay, exitCode }) =>
        Effect.zipRight(
          event({ type: "restarting", exitCode, seconds: delay / 1000 }),
          note(
            `The worker ${why(exitCode)}: it is started again ${delay === 0 ? "at once" : `in ${delay / 1000} s`}.`
          )
        )
    }).pipe(Effect.provide(NodeCommandExecutor.layer))
    yield* graceful((requested) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.forkDaemon(running)
        const exitCode = yield* Effect.raceFirst(Fiber.join(fiber), Effect.as(requested, undefined))
        if (exitCode !== undefined) {
          process.exitCode = exitCode
          return
        }
        // The worker gets SIGTERM, and drains.
        yield* Fiber.interrupt(fiber)
        process.exitCode = (yield* last) === "SIGINT" ? exitCodes.interrupted : exitCodes.done
      })
    )
  })
