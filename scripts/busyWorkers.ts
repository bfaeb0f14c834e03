/** Keeps a machine that is too busy from failing a run in which every test has passed. */
import type { Plugin } from "vitest/config"

/** The worker sent results, and was too busy to take the reply for a minute. vitest has them all, and goes on. */
const isBusyWorker = (error: unknown): boolean =>
  Object(error).message === '[vitest-worker]: Timeout calling "onTaskUpdate"'

/** This error alone is a warning; every other unhandled error still fails the run. vitest 4 has `onUnhandledError` for it. */
export const busyWorkers: Plugin = {
  name: "busy-workers",
  configureVitest({ vitest }) {
    const { logger, state } = vitest
    const catchError = state.catchError.bind(state)
    state.catchError = (error, type) => {
      if (isBusyWorker(error)) logger.warn("A worker was too busy to answer vitest for a minute.")
      else catchError(error, type)
    }
  }
}
