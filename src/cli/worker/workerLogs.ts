/** What the engine logs, as lines for people: it never goes to standard output, and holds no stack trace unless that is asked for. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Inspectable from "effect/Inspectable"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as LogLevel from "effect/LogLevel"
import { Output } from "../output.js"

const wordsOf = (message: unknown): string =>
  (Array.isArray(message) ? message : [message])
    .filter((part) => !Cause.isCause(part))
    .map((part) => (part instanceof Error ? part.message : Inspectable.toStringUnknown(part, 0)))
    .join(" ")

/** In place of the loggers of the process. */
export const layer: Layer.Layer<never, never, Output> = Layer.unwrapEffect(
  Effect.map(Output, ({ verbose }) => {
    const logger = Logger.make(({ cause, logLevel, message }) => {
      const lines = [
        `${logLevel.label.toLowerCase()}: ${wordsOf(message).split("\n")[0]}`,
        ...(verbose && !Cause.isEmpty(cause) ? [Cause.pretty(cause)] : [])
      ]
      process.stderr.write(`${lines.join("\n")}\n`)
    })
    return Layer.merge(
      Logger.replace(Logger.defaultLogger, logger),
      Logger.minimumLogLevel(verbose ? LogLevel.Info : LogLevel.Error)
    )
  })
)
