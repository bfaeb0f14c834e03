/** A process that runs programs one after another: see `programHost.mjs`. */
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type { Result, Settings } from "../examples/process.js"

const file = fileURLToPath(new URL("./programHost.mjs", import.meta.url))

/** A message to a host and its answer. */
const ask = (host: ChildProcess, message: object): Effect.Effect<Result & { readonly isUsable: boolean }> =>
  Effect.async((resume) => {
    const onExit = (code: number | null, signal: string | null) =>
      resume(Effect.dieMessage(`The host of the programs ended: ${signal ?? code}`))
    host.once("exit", onExit)
    host.once("message", (result) => {
      host.off("exit", onExit)
      resume(Effect.succeed(result as Result & { readonly isUsable: boolean }))
    })
    host.send(message)
  })

export interface ProgramHost {
  /** Runs a module as a user would in that folder. One runs at a time. */
  readonly run: (settings: Settings, module: string, args: ReadonlyArray<string>) => Effect.Effect<Result>
  readonly discard: Effect.Effect<void>
}

/** A host with this environment. It ends with this process. */
export const make = (environment: NodeJS.ProcessEnv = process.env): ProgramHost => {
  let host: ChildProcess | undefined
  const start = () => {
    const started = fork(file, {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
      execArgv: [],
      env: environment
    })
    started.unref()
    started.channel?.unref()
    return started
  }
  const discard = Effect.sync(() => {
    host?.kill("SIGKILL")
    host = undefined
  })
  const one = Effect.unsafeMakeSemaphore(1)
  return {
    discard,
    run: ({ env, folder }, module, args) =>
      Effect.suspend(() => {
        host ??= start()
        return ask(host, { args, env: { ...env }, file: module, folder })
      }).pipe(
        Effect.tap(({ isUsable }) => Effect.unless(discard, () => isUsable)),
        Effect.onInterrupt(() => discard),
        Effect.map(({ code, stderr, stdout }) => ({ code, stderr, stdout })),
        one.withPermits(1)
      )
  }
}
