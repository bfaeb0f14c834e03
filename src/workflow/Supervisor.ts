/**
 * Runs a worker again when it has lost its database or was killed, where no service manager does so.
 *
 * @since 0.1.0
 */
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import type { PlatformError } from "@effect/platform/Error"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as monotonic from "../internal/monotonic.js"
import { exitCodeOfLoss } from "./ClusterError.js"

/**
 * The program to run, and the rule for restarting it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The program. */
  readonly command: string
  /** Command-line arguments of the program. */
  readonly args: ReadonlyArray<string>
  /** Variables that it has beside those of this process. @default none */
  readonly env?: Readonly<Record<string, string>> | undefined
  /**
   * Returns `true` to restart a process that has ended with this exit code; `undefined` is one that a signal has ended.
   *
   * @default after a signal that nobody sent through here, and after exit code 75
   */
  readonly isRestarted?: ((exitCode: number | undefined) => boolean) | undefined
  /** Is told of each end after which the process is started again, and after how many milliseconds. @default logs it */
  readonly onRestart?:
    | ((end: { readonly exitCode: number | undefined; readonly delay: number }) => Effect.Effect<void>)
    | undefined
  /**
   * The pauses before the next start. A process that has lived for five seconds is started again at once, and so is the
   * first that has not; after that the pause doubles from the first to the longest.
   *
   * @default 500 ms to 5 s
   */
  readonly delays?:
    | { readonly first: Duration.DurationInput; readonly longest: Duration.DurationInput }
    | undefined
  /** The time for a program that was told to end, before it is killed. @default 1 minute */
  readonly grace?: Duration.DurationInput | undefined
}

/** The milliseconds after which a process has started well: the next follows at once. */
const healthy = 5000

/** Tells a program that its standard input is a pipe of a supervisor, on which nothing comes but its end. */
const variable = "EFFECT_TRANSLATE_SUPERVISED"

/**
 * True if a supervisor runs this program, and starts it again.
 *
 * @since 0.1.0
 * @category combinators
 */
export const isSupervised: Effect.Effect<boolean> = Effect.sync(() => process.env[variable] !== undefined)

/**
 * Ends once the supervisor of this program is gone, for any reason; never without one. A program that is run by {@link run} ends
 * itself then, as nobody else would.
 *
 * @internal
 */
export const gone: Effect.Effect<void> = Effect.if(isSupervised, {
  onFalse: () => Effect.never,
  onTrue: () =>
    Effect.async<void>((resume) => {
      const end = () => resume(Effect.void)
      process.stdin.once("close", end).once("error", end).resume()
      // A program that has nothing else to do would wait for its input.
      return Effect.sync(() => process.stdin.off("close", end).off("error", end).pause())
    })
})

const logRestart = ({ delay, exitCode }: { readonly exitCode: number | undefined; readonly delay: number }) =>
  Effect.logWarning(
    `The worker has ended (${exitCode === undefined ? "by a signal" : `exit code ${exitCode}`}): it is started again ${delay === 0 ? "at once" : `in ${delay / 1000} s`}.`
  )

/** The end of a process: an exit code, or `undefined` for a signal. */
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
    Command.env({ ...env, [variable]: "1" }),
    Command.stdin("pipe"),
    Command.stdout("inherit"),
    Command.stderr("inherit"),
    Command.start
  )

/** Runs the process once. One that is interrupted gets SIGTERM, and is waited for; then it is killed. */
const once = (options: Options) =>
  Effect.scoped(
    Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        const process = yield* start(options)
        const end = yield* Effect.fork(ending(process))
        const tell = Effect.ignore(process.kill("SIGTERM")).pipe(
          Effect.interruptible,
          Effect.timeoutOption(options.grace ?? "1 minutes"),
          Effect.tap((ended) => (Option.isSome(ended) ? Effect.void : Effect.ignore(process.kill("SIGKILL"))))
        )
        return yield* Effect.onInterrupt(restore(Fiber.join(end)), () =>
          Effect.zipRight(tell, Fiber.await(end))
        )
      })
    )
  )

/**
 * Runs a program until it ends by itself, and tells its exit code; 128 if a signal has ended it and it is not started again.
 * It shares the outputs of this process. If this effect is interrupted, the program is sent SIGTERM, and waited for. If this
 * process is killed, the program learns of it, as its standard input is closed.
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
    delays = { first: "500 millis", longest: "5 seconds" },
    isRestarted = (exitCode) => exitCode === undefined || exitCode === exitCodeOfLoss,
    onRestart = logRestart
  } = options
  const first = Duration.toMillis(delays.first)
  const longest = Duration.toMillis(delays.longest)
  const from = (delay: number): Effect.Effect<number, PlatformError, CommandExecutor.CommandExecutor> =>
    Effect.gen(function* () {
      const startedAt = yield* monotonic.millis
      const exitCode = yield* once(options)
      if (!isRestarted(exitCode)) return exitCode ?? 128
      const lived = (yield* monotonic.millis) - startedAt
      const pause = lived >= healthy ? 0 : delay
      yield* onRestart({ exitCode, delay: pause })
      yield* Effect.sleep(pause)
      return yield* from(pause === 0 ? first : Math.min(pause * 2, longest))
    })
  return from(0)
}
