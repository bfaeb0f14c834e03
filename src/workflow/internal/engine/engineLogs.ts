/** The logs of the engine, without noise. */
import * as FiberRef from "effect/FiberRef"
import * as HashMap from "effect/HashMap"
import * as HashSet from "effect/HashSet"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"

const noise: ReadonlySet<unknown> = new Set([
  // A worker that starts in the middle of a job has its shards before its workflows are registered. The engine tells so for each execution,
  // and asks again at the next poll.
  "Could not find entity manager for address, retrying",
  // The last worker has left.
  "No healthy runners available"
])

const isNoise = ({ annotations, message }: Logger.Logger.Options<unknown>): boolean => {
  const [words] = Array.isArray(message) ? message : [message]
  return noise.has(words) && HashMap.has(annotations, "package")
}

const filtered = <A>(logger: Logger.Logger<unknown, A>): Logger.Logger<unknown, A | undefined> =>
  Logger.make((options) => (isNoise(options) ? undefined : logger.log(options)))

/** Filters the loggers of the program for the engine; they also stay in use for effects that run here. */
export const layer = <A, E, R>(self: Layer.Layer<A, E, R>): Layer.Layer<A, E, R> =>
  Layer.locallyWith(self, FiberRef.currentLoggers, HashSet.map(filtered))
