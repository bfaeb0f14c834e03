/** Asks before something is done that can't be undone. */
import { createInterface } from "node:readline"
import * as Options from "@effect/cli/Options"
import * as Effect from "effect/Effect"
import { Incomplete, Usage } from "./failure.js"

/** Goes on without asking. */
export const yes = Options.boolean("yes").pipe(
  Options.withAlias("y"),
  Options.withDescription("Do not ask. Needed where nobody can be asked, as in scripts.")
)

/**
 * The answer to a question on a terminal; none at the end of the input. The terminal keeps its mode, so Ctrl-C is a signal as everywhere
 * else.
 */
const answer = (question: string): Effect.Effect<string> =>
  Effect.acquireUseRelease(
    Effect.sync(() => createInterface({ input: process.stdin, output: process.stderr, terminal: false })),
    (lines) =>
      Effect.async<string>((resume) => {
        lines.once("close", () => resume(Effect.succeed("")))
        lines.question(question, (line) => resume(Effect.succeed(line)))
      }),
    (lines) => Effect.sync(() => lines.close())
  )

/** Goes on if `--yes` is set, or if a person says so. */
export const confirm = (
  question: string,
  options: { readonly yes: boolean }
): Effect.Effect<void, Usage | Incomplete> => {
  if (options.yes) return Effect.void
  return process.stdin.isTTY === true && process.stderr.isTTY === true
    ? Effect.flatMap(answer(`${question} [y/N] `), (line) =>
        /^y(es)?$/i.test(line.trim()) ? Effect.void : new Incomplete({ message: "Nothing was changed." })
      )
    : new Usage({ message: `${question} Say so by --yes: there is no terminal to ask at.` })
}
