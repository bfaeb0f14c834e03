/** The command line as a person runs it: processes, in a folder of their own, against an emulator that is a process too. */
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import { cliBundle } from "../../scripts/cliBundle.js"

/** What a process has printed, and its exit code; a signal counts as 128 and its number. */
export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Settings {
  /** The working directory. */
  readonly folder: string
  readonly env?: Readonly<Record<string, string>> | undefined
  /** @default nothing: standard input is at its end */
  readonly stdin?: string | undefined
}

/** How long tests may take that start processes, in milliseconds: they compete with whatever else the machine does. */
export const processTimeout = 120_000

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

const launch = (args: ReadonlyArray<string>, { env, folder }: Settings) =>
  Effect.map(
    Effect.promise(cliBundle),
    (bundle): ChildProcess =>
      spawn(process.execPath, [`${bundle}/main.js`, ...args], {
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
export const run = (args: ReadonlyArray<string>, settings: Settings): Effect.Effect<Result> =>
  Effect.scoped(Effect.flatMap(start(args, settings), ({ ended }) => ended))

/** A folder with these files, which is removed with its scope. */
export const folderOf = (files: Readonly<Record<string, string>> = {}) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const folder = mkdtempSync(`${tmpdir()}/cli-`)
      for (const [name, text] of Object.entries(files)) writeFileSync(`${folder}/${name}`, text)
      return folder
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

/** `effect-translate emulator` with these options: its address, and what programs need of it. */
export const emulator = (...args: ReadonlyArray<string>) =>
  start(["emulator", "--json", "--port", "0", ...args], { folder: tmpdir() }).pipe(
    Effect.flatMap(({ child, ended, stdout }) =>
      Effect.raceFirst(
        Effect.async<string>((resume) => {
          child.stdout!.on("data", () => {
            if (stdout().endsWith("\n")) resume(Effect.sync(() => JSON.parse(stdout()).url))
          })
        }),
        Effect.flatMap(ended, ({ stderr }) => Effect.dieMessage(`The emulator has ended: ${stderr}`))
      )
    ),
    Effect.map((url) => ({
      url,
      env: {
        LANGUAGE_SERVICE_URL: url,
        LANGUAGE_SERVICE_KEY: "emulator-key",
        LANGUAGE_SERVICE_ADMIN_KEY: "emulator-admin-key"
      },
      /** Characters that it has billed to the key. */
      billed: Effect.promise(async () => {
        const answer = await fetch(`${url}/v2/usage`, {
          headers: { authorization: "Service-Auth-Key emulator-key" }
        })
        const { character_count } = (await answer.json()) as { readonly character_count: number }
        return character_count
      })
    }))
  )
