import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A process of this or another machine. */
export const Process = Schema.Struct({
  /** The kernel that runs it, since its last start, and the name space of its number. */
  machine: Schema.String,
  pid: Schema.Number,
  /** When it began, as the kernel counts: numbers are used again. */
  startedAt: Schema.String
})

export type Process = typeof Process.Type

/** The state and the start of a process; see proc(5). Its second field, a name in parentheses, may hold anything. */
const read = (pid: number | "self") =>
  FileSystem.FileSystem.pipe(
    Effect.flatMap((fs) => fs.readFileString(`/proc/${pid}/stat`)),
    Effect.map((stat) => {
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
      return { pid: Number.parseInt(stat, 10), state: fields[0]!, startedAt: fields[19]! }
    })
  )

const machine = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const boot = yield* fs.readFileString("/proc/sys/kernel/random/boot_id")
  return `${boot.trim()} ${yield* fs.readLink("/proc/self/ns/pid")}`
})

/** This process, as each file system has told. */
const selves = new WeakMap<FileSystem.FileSystem, Process>()

const readSelf = (fs: FileSystem.FileSystem) =>
  Effect.zipWith(machine, read("self"), (machine, { pid, startedAt }) => {
    const self: Process = { machine, pid, startedAt }
    selves.set(fs, self)
    return self
  })

/** This process; none on systems without `/proc`. It is read once, as it stays the same. */
export const self: Effect.Effect<Option.Option<Process>, never, FileSystem.FileSystem> = Effect.flatMap(
  FileSystem.FileSystem,
  (fs) => {
    const known = selves.get(fs)
    return known === undefined ? Effect.option(readSelf(fs)) : Effect.succeedSome(known)
  }
)

/** True if a process still runs; none if that can't be known here. One that was killed and is not awaited does not run. */
export const isRunning = (
  process: Process
): Effect.Effect<Option.Option<boolean>, never, FileSystem.FileSystem> =>
  Effect.flatMap(
    self,
    Option.match({
      onSome: ({ machine }) =>
        machine === process.machine
          ? Effect.asSome(
              Effect.match(read(process.pid), {
                onFailure: () => false,
                onSuccess: ({ startedAt, state }) =>
                  startedAt === process.startedAt && state !== "Z" && state !== "X"
              })
            )
          : Effect.succeedNone,
      onNone: () => Effect.succeedNone
    })
  )
