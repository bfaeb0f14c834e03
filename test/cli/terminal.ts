/** The command line in a terminal: a pty, and what its screen shows. */
import { type IPty, spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import * as Effect from "effect/Effect"
import { cliBundle } from "../../scripts/cliBundle.js"
import { inherited, processTimeout, type Settings } from "./process.js"

export interface Size {
  readonly columns: number
  readonly rows: number
}

export interface TerminalSettings extends Settings {
  /** @default 80 columns, 24 rows */
  readonly size?: Size | undefined
  /** The script of Node. @default the command line */
  readonly script?: string | undefined
  /** Starts it below a program that passes on the signals that it gets, as npm and npx do: those of the terminal come twice. */
  readonly relay?: boolean | undefined
}

/** By what was said last of the cursor, and of long lines. */
const isRestored = (bytes: string): boolean => {
  const last = (on: string, off: string) => bytes.lastIndexOf(on) >= bytes.lastIndexOf(off)
  return last("\u001b[?25h", "\u001b[?25l") && last("\u001b[?7h", "\u001b[?7l")
}

export interface Session {
  readonly pty: IPty
  /** Everything that was printed. */
  readonly bytes: () => string
  /** The lines on the screen and above it, without those at the end that are empty. */
  readonly lines: Effect.Effect<ReadonlyArray<string>>
  /** Waits until the screen, or what is above it, shows a text. */
  readonly shows: (text: RegExp) => Effect.Effect<ReadonlyArray<string>>
  readonly type: (keys: string) => Effect.Effect<void>
  readonly resize: (size: Size) => Effect.Effect<void>
  /** Waits for the end of the program: its exit code; a signal counts as 128 and its number. */
  readonly ended: Effect.Effect<number>
  /** Its exit code, once it has ended. */
  readonly code: () => number | undefined
  /** Whether the cursor is shown, and long lines are wrapped. */
  readonly isRestored: () => boolean
}

/** Ctrl-C, as a person types it. */
export const ctrlC = "\u0003"

const relaying = `
const child = require("node:child_process").spawn(process.execPath, process.argv.slice(1), { stdio: "inherit" })
process.on("SIGINT", () => child.kill("SIGINT"))
child.on("exit", (code) => process.exit(code))
`

/** Else Ctrl-C throws away what was printed and not read yet, which is much of a screen where a test is late. */
const unflushed = 'stty noflsh; exec "$0" "$@"'

/** A program in a terminal of its own. It is killed with its scope. */
export const open = (args: ReadonlyArray<string>, { env, folder, relay, script, size }: TerminalSettings) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const { columns, rows } = size ?? { columns: 80, rows: 24 }
      const program = [script ?? `${await cliBundle()}/main.js`, ...args]
      const node = relay === true ? ["-e", relaying, ...program] : program
      const pty = spawn("/bin/sh", ["-c", unflushed, process.execPath, ...node], {
        cols: columns,
        rows,
        cwd: folder,
        name: "xterm-256color",
        env: { ...inherited, ...env } as Record<string, string>
      })
      const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: false })
      let bytes = ""
      let code: number | undefined
      const ended = new Promise<number>((resolve) => {
        pty.onExit(({ exitCode, signal }) => {
          code = signal === undefined || signal === 0 ? exitCode : 128 + signal
          resolve(code)
        })
      })
      pty.onData((data) => {
        bytes += data
        screen.write(data)
      })
      return { pty, screen, bytes: () => bytes, code: () => code, ended }
    }),
    ({ code, pty, screen }) =>
      Effect.sync(() => {
        if (code() === undefined) pty.kill("SIGKILL")
        screen.dispose()
      })
  ).pipe(
    Effect.map(({ bytes, code, ended, pty, screen }): Session => {
      const lines = Effect.async<ReadonlyArray<string>>((resume) => {
        // Once everything before it has been interpreted.
        screen.write("", () => {
          const { active } = screen.buffer
          const all = Array.from(
            { length: active.length },
            (_, row) => active.getLine(row)?.translateToString(true) ?? ""
          )
          resume(Effect.succeed(all.slice(0, all.findLastIndex((line) => line !== "") + 1)))
        })
      })
      return {
        pty,
        bytes,
        lines,
        shows: (text) =>
          Effect.repeat(Effect.delay(lines, "10 millis"), {
            until: (lines) => text.test(lines.join("\n"))
          }).pipe(
            Effect.timeout(processTimeout),
            Effect.catchAll(() =>
              Effect.flatMap(lines, (lines) =>
                Effect.dieMessage(`The terminal does not show ${text}, but:\n${lines.join("\n")}`)
              )
            )
          ),
        type: (keys) => Effect.sync(() => pty.write(keys)),
        resize: ({ columns, rows }) =>
          Effect.sync(() => {
            screen.resize(columns, rows)
            pty.resize(columns, rows)
          }),
        ended: Effect.promise(() => ended),
        code,
        isRestored: () => isRestored(bytes())
      }
    })
  )
