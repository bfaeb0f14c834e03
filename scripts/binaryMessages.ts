/**
 * Sends messages between vitest and its workers as bytes. They are buffers, and Node writes each byte of one as a number in JSON
 * otherwise: a message of 2 KB costs both sides 0.17 ms of CPU so, and 0.06 ms as bytes.
 */
import childProcess, { type ForkOptions } from "node:child_process"
import { syncBuiltinESMExports } from "node:module"
import type { Plugin } from "vitest/config"

const { fork } = childProcess

/** The pool of vitest has no option for this. */
export const binaryMessages: Plugin = {
  name: "binary-messages",
  configureVitest() {
    childProcess.fork = ((module: string, words: ReadonlyArray<string>, options: ForkOptions) =>
      fork(module, words, { ...options, serialization: "advanced" })) as typeof fork
    syncBuiltinESMExports()
  }
}
