/** Processes that open a journal at the same moment. */
import { type ChildProcess, fork } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import * as Effect from "effect/Effect"
import type { Answer, Command } from "../document/lock/starter.js"
import { bundleOf } from "./bundles.js"

const message = <A>(child: ChildProcess) =>
  new Promise<A>((resolve) => child.once("message", resolve as never))

/** A process that opens journals. */
export interface Starter {
  readonly start: (command: Partial<Command> & { readonly path: string }) => Promise<Answer>
  /** Kills it, without waiting for its end. */
  readonly kill: () => void
  readonly ended: Promise<unknown>
}

/** Their program. */
export const bundled = () => bundleOf("document/lock/starter")

/** A folder, and as many processes as wanted. All are gone when the scope closes. */
export const make = (program: string) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(`${tmpdir()}/lock-`)
    const children = new Set<ChildProcess>()
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const child of children) child.kill("SIGKILL")
        rmSync(folder, { recursive: true, force: true })
      })
    )
    const starter = Effect.promise(async (): Promise<Starter> => {
      const child = fork(program)
      children.add(child)
      const ended = new Promise((resolve) => child.once("exit", resolve))
      await message(child)
      return {
        start: (command) => {
          const answer = message<Answer>(child)
          child.send({ at: 0, isHolder: false, ...command } satisfies Command)
          return answer
        },
        kill: () => void child.kill("SIGKILL"),
        ended
      }
    })
    return { folder, starter }
  })

/** Lets processes open a journal at once, and says what they found. */
export const race = (path: string, starters: ReadonlyArray<Starter>) =>
  Effect.promise(() => {
    const at = Date.now() + 5
    return Promise.all(starters.map(({ start }) => start({ path, at })))
  })

/** What a process leaves as its lock if it is killed. */
export const staleLock = (path: string, starter: Starter) =>
  Effect.promise(async () => {
    await starter.start({ path, isHolder: true })
    starter.kill()
    return readFileSync(`${path}.lock`)
  })
