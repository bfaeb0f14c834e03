import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Data from "effect/Data"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Equal from "effect/Equal"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import { isMissing } from "../../internal/files.js"
import * as monotonic from "../../internal/monotonic.js"
import * as processes from "../../internal/processes.js"

/** Somebody else has the lock. */
export class Locked extends Data.TaggedError("Locked")<{
  /** None if it is not told, as on systems without `/proc`. */
  readonly process: Option.Option<processes.Process>
}> {}

/**
 * A line of the lock's file: a process takes the lock after somebody else. The line holds only if `after` is the line that
 * held before it. So of several processes that have read the same, the first to append its line has the lock: the file
 * system puts appended lines into one order.
 */
const Line = Schema.Struct({
  id: Schema.String,
  after: Schema.NullOr(Schema.String),
  process: Schema.optional(processes.Process)
})

type Line = typeof Line.Type

const decodeLine = Schema.decodeOption(Schema.parseJson(Line))

/** The line that holds. Others came too late, or were cut by a crash. */
const holder = (content: string): Line | undefined => {
  let holds: Line | undefined
  for (const text of content.split("\n")) {
    const line = Option.getOrUndefined(decodeLine(text))
    if (line !== undefined && line.after === (holds?.id ?? null)) holds = line
  }
  return holds
}

const orUndefinedIfMissing = <A, R>(effect: Effect.Effect<A, PlatformError.PlatformError, R>) =>
  Effect.catchIf(effect, isMissing, () => Effect.succeed(undefined))

/** Fails if the file is of somebody else. */
const holderOf = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const content = (yield* orUndefinedIfMissing(fs.readFileString(path))) ?? ""
    const isOurs = content.trim() === "" || content.includes('{"id":')
    return isOurs ? holder(content) : yield* new Locked({ process: Option.none() })
  })

/** The interval at which a holder shows that it is alive, to processes that can't see it, and the time that they wait for that. */
const beat = "2 seconds"
const patience = 20_000

const touchedAt = (path: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return Option.fromNullable(yield* orUndefinedIfMissing(fs.stat(path))).pipe(
      Option.flatMap(({ mtime }) => mtime),
      Option.map((time) => time.getTime())
    )
  })

/** True if a holder that can't be seen from here touches its file. */
const isTouched = (path: string) =>
  Effect.gen(function* () {
    const before = yield* touchedAt(path)
    const until = (yield* monotonic.millis) + patience
    while ((yield* monotonic.millis) < until) {
      yield* Effect.sleep("500 millis")
      if (!Equal.equals(before, yield* touchedAt(path))) return true
    }
    return false
  })

const take = (
  path: string
): Effect.Effect<Line, PlatformError.PlatformError | Locked, FileSystem.FileSystem> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const before = yield* holderOf(path)
    if (before !== undefined) {
      const process = Option.fromNullable(before.process)
      const isRunning = Option.flatten(
        yield* Effect.transposeOption(Option.map(process, processes.isRunning))
      )
      const isHeld = Option.isSome(isRunning) ? isRunning.value : yield* Effect.interruptible(isTouched(path))
      if (isHeld && (yield* holderOf(path))?.id === before.id) return yield* new Locked({ process })
      // Somebody was faster.
      if (isHeld) return yield* take(path)
    }
    const line: Line = {
      // Not by `Random`: processes may have the same seed.
      id: crypto.randomUUID(),
      after: before?.id ?? null,
      process: Option.getOrUndefined(yield* processes.self)
    }
    // In one write: the line is there as a whole. The first line feed ends a line that a crash has cut.
    yield* fs.writeFileString(path, `\n${JSON.stringify(line)}\n`, { flag: "a", mode: 0o600 })
    return (yield* holderOf(path))?.id === line.id ? line : yield* take(path)
  })

/**
 * Takes a lock until the scope closes, or fails if a process that runs has it. The lock of a process that was killed is
 * taken over: at once where `/proc` tells that it does not run any more, otherwise after 20 seconds without a sign of it.
 */
export const acquire = (
  path: string
): Effect.Effect<void, PlatformError.PlatformError | Locked, FileSystem.FileSystem | Scope.Scope> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* Effect.acquireRelease(take(path), ({ id }) =>
      Effect.ignore(
        Effect.flatMap(holderOf(path), (holds) => (holds?.id === id ? fs.remove(path) : Effect.void))
      )
    )
    const touch = Effect.flatMap(DateTime.nowAsDate, (now) => Effect.ignore(fs.utimes(path, now, now)))
    yield* Effect.forkScoped(Effect.interruptible(Effect.forever(Effect.zipRight(Effect.sleep(beat), touch))))
  })
