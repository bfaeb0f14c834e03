/** Programs as a user runs them: processes of their own. */
import { fileURLToPath } from "node:url"
import * as Command from "@effect/platform/Command"
import type * as CommandExecutor from "@effect/platform/CommandExecutor"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Emulator } from "effect-translate/emulator"
import { runsTimeout } from "../support/long.js"

export const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "")

/** A guard against what hangs. */
export const processTimeout = runsTimeout

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Settings {
  /** Where the user is. */
  readonly folder: string
  readonly env?: Record<string, string> | undefined
}

const text = <E, R>(stream: Stream.Stream<Uint8Array, E, R>) => Stream.mkString(Stream.decodeText(stream))

export const start = (command: Command.Command, { env, folder }: Settings) =>
  command.pipe(
    Command.workingDirectory(folder),
    // npm says so; inherited, it would be where the tests were started.
    Command.env({ INIT_CWD: folder, TSX_TSCONFIG_PATH: `${root}/tsconfig.json`, ...env }),
    Command.start
  )

const run = (
  command: Command.Command,
  settings: Settings
): Effect.Effect<Result, unknown, CommandExecutor.CommandExecutor> =>
  Effect.flatMap(start(command, settings), (child) =>
    Effect.all(
      { code: child.exitCode, stdout: text(child.stdout), stderr: text(child.stderr) },
      { concurrency: "unbounded" }
    )
  ).pipe(Effect.scoped)

export const bundled = (file: string, ...args: ReadonlyArray<string>) =>
  Command.make(process.execPath, file, ...args)

/** Lines of a shell, which end with the first that fails. */
export const runShell = (settings: Settings, lines: string) => run(Command.make("sh", "-ec", lines), settings)

/** A script of package.json, with the words of a shell's line behind it. */
export const runNpm = (settings: Settings, line: string) =>
  runShell(settings, `npm --silent --prefix "${root}" ${line}`)

/** What programs for the service find in their environment. */
export const serviceEnv = Effect.map(Emulator.Emulator, ({ url }) => ({
  LANGUAGE_SERVICE_URL: url,
  LANGUAGE_SERVICE_KEY: Emulator.defaultKey,
  SECOND_KEY: Emulator.defaultKey,
  LANGUAGE_SERVICE_ADMIN_KEY: Emulator.defaultAdminKey
}))
