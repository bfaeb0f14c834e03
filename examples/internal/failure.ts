/** What goes wrong, told in a line or two. */
import { ValidationError } from "@effect/cli"
import { Cause, Console, Data, Effect, Option, Predicate } from "effect"

/** The input, or where the output should go, is not what it must be; or texts were not translated. */
export class Failure extends Data.TaggedError("Failure")<{ readonly message: string }> {}

const messageOf = (error: unknown): string =>
  Predicate.hasProperty(error, "message") ? String(error.message) : String(error)

/** Prints an error's message; the whole cause only of a bug. The command line has printed its own complaints. */
export const print = (cause: Cause.Cause<unknown>): Effect.Effect<void> =>
  Option.match(Cause.failureOption(cause), {
    onNone: () => (Cause.isInterruptedOnly(cause) ? Effect.void : Console.error(Cause.pretty(cause))),
    onSome: (error) =>
      ValidationError.isValidationError(error) ? Effect.void : Console.error(messageOf(error))
  })
