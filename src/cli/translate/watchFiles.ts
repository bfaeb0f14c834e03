/**
 * Runs again when files change. They are looked at now and then, instead of asking the system for changes: that works on every disk, in
 * containers, and with editors that replace the file that they save.
 */
import { statSync } from "node:fs"
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as monotonic from "../../internal/monotonic.js"
import type { Described } from "../failure.js"
import { Interrupts } from "../interrupts.js"
import { Output } from "../output.js"
import type { Settings } from "../settings/settings.js"
import * as text from "../textTable.js"
import * as glossaries from "./glossaryOption.js"
import * as sourceFiles from "./sourceFiles.js"
import type { Plan } from "./translateOptions.js"

/** The least pause between two looks, in milliseconds; a look takes at most a twentieth of the time. */
const pause = 250
const share = 20

/** After these the next run would end in the same way. */
const final: ReadonlySet<string> = new Set(["BudgetExceeded", "JobHalted", "QuotaExceeded", "Unauthorized"])

/** Before the first run was done, these are no mistakes of the command line. */
const passing: ReadonlySet<string> = new Set(["FormatError", "Incomplete", "Outage", "SourceChanged"])

const stamp = (path: string): string => {
  const found = statSync(path, { throwIfNoEntry: false })
  return found === undefined ? path : `${path} ${found.ino} ${found.size} ${found.mtimeMs}`
}

type Services = Output | Settings | FileSystem.FileSystem | Path.Path

/** The sources as they are now; none while a file is missing, as one is that is being replaced. */
const look = (plan: Plan) =>
  Effect.option(
    Effect.map(sourceFiles.make(plan), ({ sources }) => {
      return [...sources.map(({ path }) => path), ...glossaries.filesOf(plan)].map(stamp).join("\n")
    })
  )

/** Ends once the files are others than before, and stay so. */
const changed = (plan: Plan, before: string | undefined) => {
  const again = (seen: string | undefined): Effect.Effect<void, never, Services> =>
    Effect.gen(function* () {
      const begun = yield* monotonic.millis
      const now = Option.getOrUndefined(yield* look(plan))
      const took = (yield* monotonic.millis) - begun
      if (now !== undefined && now !== before && now === seen) return
      yield* Effect.sleep(Math.max(pause, share * took))
      yield* again(now)
    })
  return again(undefined)
}

/** Runs, and again after each change, until it is to stop. */
export const watch = <R>(
  plan: Plan,
  run: Effect.Effect<unknown, Described, R>
): Effect.Effect<void, Described, R | Interrupts | Services> =>
  Effect.gen(function* () {
    const { graceful } = yield* Interrupts
    const go = (isFirst: boolean): Effect.Effect<void, Described, R | Services> =>
      Effect.gen(function* () {
        const before = Option.getOrUndefined(yield* look(plan))
        yield* Effect.catchAll(run, (error) =>
          final.has(error._tag) || (isFirst && !passing.has(error._tag))
            ? Effect.fail(error)
            : Output.warn(error)
        )
        const count = before === undefined ? 0 : before.split("\n").length
        yield* Output.event({ type: "watching" })
        yield* Output.note(`Watching ${text.plural(count, "file")}: Ctrl-C ends it.`)
        const isChanged = yield* graceful((requested) =>
          Effect.raceFirst(Effect.as(changed(plan, before), true), Effect.as(requested, false))
        )
        if (isChanged) yield* go(false)
      })
    yield* go(true)
  })
