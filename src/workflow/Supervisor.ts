/**
 * Runs a worker again when it has lost its database or was killed, where no service manager does so.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"
import { exitCodeOfLoss } from "./ClusterError.js"

/**
 * What is run, and when it is run again.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The program. */
  readonly command: string
  /** What it is given. */
  readonly args: ReadonlyArray<string>
  /** Variables that it has beside those of this process. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Whether a process that has ended with this exit code is started again; `undefined` is one that a signal has ended.
   *
   * @default after a signal that nobody sent through here, and after {@link ClusterError.exitCodeOfLoss}
   */
  readonly isRestarted?: ((exitCode: number | undefined) => boolean) | undefined
  /** Is told of each end after which the process is started again, and after how many milliseconds. @default logs it */
  readonly onRestart?:
    | ((end: { readonly exitCode: number | undefined; readonly delay: number }) => Effect.Effect<void>)
    | undefined
  /**
   * How long to wait before the next start. It doubles with each start up to the longest, and is the first again once a process has lived
   * for a minute.
   *
   * @default 500 ms to 10 s
   */
  readonly delays?:
    | { readonly first: Duration.DurationInput; readonly longest: Duration.DurationInput }
    | undefined
}

/** A process that has lived for so many milliseconds has started well: the next pause is the first again. */
const healthy = 60_000

const logRestart = ({ delay, exitCode }: { readonly exitCode: number | undefined; readonly delay: number }) =>
  Effect.logWarning(
    `The worker has ended (${exitCode === undefined ? "by a signal" : `exit code ${exitCode}`}): it is started again in ${delay / 1000} s.`
  )

/** How a process ends: by an exit code, or by a signal. */
const ending = ({ exitCode }: CommandExecutor.Process): Effect.Effect<number | undefined> =>
  Effect.orElseSucceed(exitCode, () => undefined)

const start = ({
  args,
  command,
  env
}: Options): Effect.Effect<
  CommandExecutor.Process,
  PlatformError,
  CommandExecutor.CommandExecutor | Scope.Scope
> =>
  Command.make(command, ...args).pipe(
    Command.env(env ?? {}),
    Command.stdin("inherit"),
    Command.stdout("inherit"),
    Command.stderr("inherit"),
    Command.start
  )

/** Runs the process once. One that is interrupted gets SIGTERM, and is waited for. */
const once = (options: Options) =>
  Effect.scoped(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const process = yield* start(options)
        const end = yield* Effect.fork(ending(process))
        return yield* Effect.onInterrupt(restore(Fiber.join(end)), () =>
          Effect.zipRight(Effect.ignore(process.kill("SIGTERM")), Fiber.await(end))
        )
      })
    )
  )

/**
 * Runs a program until it ends by itself, and tells its exit code; 128 if a signal has ended it and it is not started again. It shares the
 * input and outputs of this process. If this effect is interrupted, the program is sent SIGTERM and waited for, however long it takes.
 *
 * The program is a process group of its own: Ctrl-C in a terminal reaches this process only, which then sends SIGTERM.
 *
 * @since 0.1.0
 * @category combinators
 */
export const run = (
  options: Options
): Effect.Effect<number, PlatformError, CommandExecutor.CommandExecutor> => {
  const {
    delays = { first: "500 millis", longest: "10 seconds" },
    isRestarted = (exitCode) => exitCode === undefined || exitCode === exitCodeOfLoss,
    onRestart = logRestart
  } = options
  const first = Duration.toMillis(delays.first)
  const longest = Duration.toMillis(delays.longest)
  const from = (delay: number): Effect.Effect<number, PlatformError, CommandExecutor.CommandExecutor> =>
    Effect.gen(function* () {
      const startedAt = yield* Clock.currentTimeMillis
      const exitCode = yield* once(options)
      if (!isRestarted(exitCode)) return exitCode ?? 128
      const lived = (yield* Clock.currentTimeMillis) - startedAt
      const pause = lived >= healthy ? first : delay
      yield* onRestart({ exitCode, delay: pause })
      yield* Effect.sleep(pause)
      return yield* from(Math.min(pause * 2, longest))
    })
  return from(first)
}
