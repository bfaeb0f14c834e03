/** Questions to a person at a terminal. They are on standard error, as results are on standard output. */
import { createInterface } from "node:readline"
import * as Terminal from "@effect/platform/Terminal"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Incomplete, type Usage, usage } from "../failure.js"

/** True if a person can be asked. */
export const hasTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true

const print = (text: string) =>
  Effect.sync(() => {
    process.stderr.write(text)
  })

/**
 * A line that a person types; nothing at the end of the input. The terminal keeps its mode, so Ctrl-C is a signal as everywhere else.
 */
export const line = (question: string): Effect.Effect<string | undefined> =>
  Effect.acquireUseRelease(
    Effect.sync(() => createInterface({ input: process.stdin, output: process.stderr, terminal: false })),
    (lines) =>
      Effect.async<string | undefined>((resume) => {
        lines.once("close", () => resume(Effect.succeed(undefined)))
        lines.question(question, (line) => resume(Effect.succeed(line)))
      }),
    (lines) => Effect.sync(() => lines.close())
  )

/** Goes on if `--yes` is set, or if a person says so. Asks before a step that can't be undone. */
export const confirm = (
  question: string,
  options: { readonly yes: boolean }
): Effect.Effect<void, Usage | Incomplete> => {
  if (options.yes) return Effect.void
  return hasTerminal()
    ? Effect.flatMap(line(`${question} [y/N] `), (line = "") =>
        /^y(es)?$/i.test(line.trim()) ? Effect.void : new Incomplete({ message: "Nothing was changed." })
      )
    : usage(`${question} Say so by --yes: there is no terminal to ask at.`)
}

/** Asks for a text until it is right, each time with its problem. */
export const text = (
  question: string,
  check: (answer: string) => Either.Either<string, string> = Either.right
): Effect.Effect<string> =>
  Effect.flatMap(line(`${question}: `), (answer) =>
    answer === undefined
      ? Effect.interrupt
      : Either.match(check(answer.trim()), {
          onLeft: (problem) => Effect.zipRight(print(`It ${problem}.\n`), text(question, check)),
          onRight: Effect.succeed
        })
  )

/** One of some answers: the arrow keys go up and down, Enter takes the one that is marked. */
export const select = <A>(
  question: string,
  choices: ReadonlyArray<readonly [title: string, answer: A]>
): Effect.Effect<A, never, Terminal.Terminal> =>
  Effect.gen(function* () {
    const { readInput } = yield* Terminal.Terminal
    const keys = yield* readInput
    const draw = (marked: number) =>
      choices.map(([title], index) => `${index === marked ? ">" : " "} ${title}\n`).join("")
    let marked = 0
    yield* print(`${question}\n${draw(marked)}`)
    while (true) {
      // It ends with Ctrl-C.
      const { key } = yield* Effect.catchAll(keys.take, () => Effect.interrupt)
      if (key.name === "return" || key.name === "enter") return choices[marked]![1]
      const step = key.name === "down" ? 1 : key.name === "up" ? choices.length - 1 : 0
      marked = (marked + step) % choices.length
      yield* print(`\u001b[${choices.length}A\u001b[J${draw(marked)}`)
    }
  }).pipe(Effect.scoped)
