/** The command line as a person runs it: processes, in a folder of their own, against an emulator that is a process too. */
import { type ChildProcess, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Emulator, Rules } from "effect-translate/emulator"
import { cliBundle } from "../../scripts/cliBundle.js"
import { runsTimeout } from "../support/long.js"
import * as programHost from "../support/programHost.js"

/** What a process has printed, and its exit code; a signal counts as 128 and its number. */
export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Settings {
  /** The working directory. */
  readonly folder: string
  readonly env?: Record<string, string> | undefined
  /** @default nothing: standard input is at its end */
  readonly stdin?: string | undefined
  /** The folder of the program. @default where packages are found that it looks up */
  readonly program?: string | undefined
}

/** A guard against what hangs. */
export const processTimeout = runsTimeout

/** Longer than a relay of a signal takes: one that comes so soon after another is the same. */
export const afterRelay = Effect.sleep("1100 millis")

const signals: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

/** Without what npm and the tests have set, which a person's shell has not. */
export const inherited = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) =>
      !/^(npm_|INIT_CWD|LANGUAGE_SERVICE_|EFFECT_TRANSLATE_|OTEL_|NO_COLOR|FORCE_COLOR|VITEST|CI$)|_proxy$/i.test(
        name
      )
  )
)

/** V8 begins with 1 MiB for young objects. With more, a command takes 0.40 instead of 0.48 s of CPU. */
const roomy = ["--min-semi-space-size=64", "--max-semi-space-size=64"]

const launch = (args: ReadonlyArray<string>, { env, folder, program }: Settings) =>
  Effect.map(
    Effect.promise(cliBundle),
    (bundle): ChildProcess =>
      spawn(process.execPath, [...roomy, `${program ?? bundle}/main.js`, ...args], {
        cwd: folder,
        env: { ...inherited, ...env },
        stdio: ["pipe", "pipe", "pipe"]
      })
  )

/** A process that goes on: its output so far, its end, and signals. It is killed with its scope. */
export const start = (args: ReadonlyArray<string>, settings: Settings) =>
  Effect.acquireRelease(launch(args, settings), (child) =>
    Effect.sync(() => {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL")
    })
  ).pipe(
    Effect.map((child) => {
      let stdout = ""
      let stderr = ""
      child.stdout!.on("data", (bytes: Buffer) => {
        stdout += bytes.toString()
      })
      child.stderr!.on("data", (bytes: Buffer) => {
        stderr += bytes.toString()
      })
      child.stdin!.on("error", () => {})
      child.stdin!.end(settings.stdin ?? "")
      const ended = new Promise<Result>((resolve) => {
        child.on("close", (code, signal) =>
          resolve({ code: code ?? 128 + (signals[signal ?? ""] ?? 0), stdout, stderr })
        )
      })
      return {
        child,
        stdout: () => stdout,
        stderr: () => stderr,
        kill: (signal: NodeJS.Signals) => Effect.sync(() => child.kill(signal)),
        ended: Effect.promise(() => ended)
      }
    })
  )

/** Runs the command line to its end. */
export const runAlone = (args: ReadonlyArray<string>, settings: Settings): Effect.Effect<Result> =>
  Effect.scoped(Effect.flatMap(start(args, settings), ({ ended }) => ended))

const host = programHost.make(inherited)

/** The same in a process that has loaded it already, which takes a tenth of the time; it cannot have a standard input of its own there. */
export const run = (args: ReadonlyArray<string>, settings: Settings): Effect.Effect<Result> =>
  settings.stdin === undefined
    ? Effect.flatMap(Effect.promise(cliBundle), (bundle) => host.run(settings, `${bundle}/main.js`, args))
    : runAlone(args, settings)

/** A folder with these files, which is removed with its scope. */
export const folderOf = (files: Readonly<Record<string, string | Uint8Array>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(`${tmpdir()}/cli-`)
      for (const [name, content] of Object.entries(files)) {
        mkdirSync(dirname(`${folder}/${name}`), { recursive: true })
        writeFileSync(`${folder}/${name}`, content)
      }
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** A copy of the program where no package is that it could look up. */
export const withoutPackages = Effect.tap(folderOf(), (folder) =>
  Effect.promise(async () => cpSync(await cliBundle(), folder, { recursive: true }))
)

/**
 * An emulator over HTTP in this process, with these options and those of a file of rules: its address, and what programs need of it. The
 * program `effect-translate emulator` has tests of its own.
 */
export const emulator = (options: Emulator.Options = {}, rules: unknown = {}) =>
  Layer.build(
    Emulator.layerNode({ ...Rules.toOptions(Schema.decodeUnknownSync(Rules.Rules)(rules)), ...options })
  ).pipe(
    Effect.map((context) => {
      const { meter, url } = Context.get(context, Emulator.Emulator)
      return {
        url,
        env: {
          LANGUAGE_SERVICE_URL: url,
          LANGUAGE_SERVICE_KEY: Emulator.defaultKey,
          LANGUAGE_SERVICE_ADMIN_KEY: Emulator.defaultAdminKey
        },
        /** Characters that it has billed. */
        billed: Effect.delay(
          Effect.map(meter, ({ characters }) => characters),
          "5 millis"
        ),
        /** The requests that have arrived. */
        requests: Effect.delay(
          Effect.map(meter, ({ requests }) => requests),
          "5 millis"
        )
      }
    })
  )
