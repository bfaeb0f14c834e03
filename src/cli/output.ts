/** The output of commands: results and events on standard output, notes and errors on standard error. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { shown } from "./lastWord.js"

/** The common options of printing. */
export interface Mode {
  /** Standard output holds one JSON object a line. */
  readonly json: boolean
  /** No notes. */
  readonly quiet: boolean
  /** More notes: the decisions and their reasons. */
  readonly verbose: boolean
}

/** An object of `--json`: its `type` says which. */
export interface Event {
  readonly type: string
  readonly [field: string]: unknown
}

export interface Service extends Mode {
  /** True if standard error is a terminal that shows bars, and colours are wanted. */
  readonly isInteractive: boolean
  readonly hasColours: boolean
  /**
   * Prints the result of the command: with `--json` the object, with `type: "result"`; otherwise the text, whose last
   * line break is added.
   */
  readonly result: (value: object, text: string) => Effect.Effect<void>
  /** Something that has happened meanwhile: with `--json` only. */
  readonly event: (event: Event) => Effect.Effect<void>
  /** An error that does not end the command: a line on standard error; with `--json` an object. */
  readonly warn: (error: { readonly _tag: string; readonly message: string }) => Effect.Effect<void>
  /** A line for people on standard error, unless `--quiet` or `--json` is set. */
  readonly note: (line: string) => Effect.Effect<void>
  /** A line for people on standard error, at once. */
  readonly log: (line: string) => void
  /** A line for people on standard error, if `--verbose` is set. */
  readonly detail: (line: string) => Effect.Effect<void>
  /** Where notes and details go until the scope ends: above the bars of a terminal. */
  readonly divert: (print: (line: string) => void) => Effect.Effect<void, never, Scope.Scope>
}

/** The output of the command, whose functions are accessors too: `Output.note("Done.")`. */
export class Output extends Effect.Tag("effect-translate/cli/Output")<Output, Service>() {}

const writeTo = (stream: NodeJS.WriteStream) => (text: string) => {
  stream.write(`${shown(text)}\n`)
}

/** True if a stream of this process takes colours: a terminal, unless `NO_COLOR` is set. */
export const hasColours = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env.NO_COLOR ?? "") === "" && process.env.TERM !== "dumb"

/** Results go to standard output, or to standard error where that holds a translation. */
export const make = (mode: Mode, results: NodeJS.WriteStream = process.stdout): Service => {
  const toResults = writeTo(results)
  const toError = writeTo(process.stderr)
  let toPerson = toError
  const print = (text: string) => Effect.sync(() => toResults(text))
  const log = (line: string) => toPerson(shown(line))
  const say = (line: string) => Effect.sync(() => log(line))
  return {
    ...mode,
    isInteractive: process.stderr.isTTY === true && !mode.json && !mode.quiet && process.env.TERM !== "dumb",
    hasColours: hasColours(process.stderr),
    result: (value, text) =>
      mode.json
        ? print(JSON.stringify({ type: "result", ...value }))
        : text === ""
          ? Effect.void
          : print(text),
    log,
    event: (event) => (mode.json ? print(JSON.stringify(event)) : Effect.void),
    warn: ({ _tag: tag, message }) =>
      mode.json ? print(JSON.stringify({ type: "error", tag, message })) : say(message),
    note: (line) => (mode.quiet || mode.json ? Effect.void : say(line)),
    detail: (line) => (mode.verbose ? say(line) : Effect.void),
    divert: (print) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          toPerson = print
        }),
        () =>
          Effect.sync(() => {
            toPerson = toError
          })
      )
  }
}

/** The output of a command that writes a file: on standard error where the file is standard output. */
export const besideFile = (file: string, mode: Mode): Effect.Effect<Service, never, Output> =>
  file === "-" ? Effect.succeed(make(mode, process.stderr)) : Output
