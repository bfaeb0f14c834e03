/** Logs as lines for people on standard error: standard output may hold a translation. They hold no stack trace unless that is asked for. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import { Output } from "./output.js"

const wordsOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .filter((part) => !Cause.isCause(part))
    .map((part) => (part instanceof Error ? part.message : Inspectable.toStringUnknown(part, 0)))
    .join(" ")

/** In place of the loggers of the process. */
export const layer: Layer.Layer<never, never, Output> = Layer.unwrapEffect(
  Effect.map(Output, ({ log, verbose }) =>
    Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ cause, logLevel, message }) => {
        log(`${logLevel.label.toLowerCase()}: ${wordsOf(message).split("\n")[0]}`)
        if (verbose && !Cause.isEmpty(cause)) log(Cause.pretty(cause))
      })
    )
  )
)
