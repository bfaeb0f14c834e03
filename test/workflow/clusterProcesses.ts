/** Workers as processes of their own, and what they print. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import { bundleOf } from "../support/bundles.js"

const program = Effect.promise(() => bundleOf("workflow/clusterWorker"))

export interface Worker {
  readonly pid: number
  /** The lines that it has printed, and when. */
  readonly lines: ReadonlyArray<{ readonly line: string; readonly at: number }>
  /** Waits for a line that begins so, and gives the rest of it. */
  readonly said: (beginning: string) => Effect.Effect<string>
  readonly kill: (signal: NodeJS.Signals) => Effect.Effect<void>
  /** Its exit code, or its signal. */
  readonly ended: Effect.Effect<number | string>
}

/** Starts a worker; it is killed with the scope. */
export const worker = (database: string, submitted = 0, settings: object = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(program, (file) =>
        spawn(process.execPath, [file, database, String(submitted), JSON.stringify(settings)], {
          stdio: ["ignore", "pipe", "inherit"]
        })
      ),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    (child): Worker => {
      const lines: Array<{ readonly line: string; readonly at: number }> = []
      const waiting = new Set<() => void>()
      createInterface({ input: child.stdout }).on("line", (line) => {
        lines.push({ line, at: performance.now() })
        for (const look of waiting) look()
      })
      const ended = new Promise<number | string>((resolve) =>
        child.once("close", (code, signal) => resolve(code ?? signal ?? -1))
      )
      return {
        pid: child.pid!,
        lines,
        said: (beginning) =>
          Effect.async<string>((resume) => {
            const look = () => {
              const found = lines.find(({ line }) => line.startsWith(beginning))
              if (found !== undefined) resume(Effect.succeed(found.line.slice(beginning.length).trim()))
            }
            waiting.add(look)
            void ended.then((end) => resume(Effect.dieMessage(`The worker has ended: ${end}`)))
            look()
            return Effect.sync(() => waiting.delete(look))
          }),
        kill: (signal) => Effect.sync(() => void child.kill(signal)),
        ended: Effect.promise(() => ended)
      }
    }
  )

/** Waits until something holds. */
export const until = (condition: Effect.Effect<boolean>) =>
  condition.pipe(Effect.repeat({ until: (holds) => holds, schedule: Schedule.spaced("50 millis") }))
