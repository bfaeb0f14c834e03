/** The last lines of a terminal, which are drawn again and again, below other output. */
import * as readline from "node:readline"
import { MultiBar, type SingleBar } from "cli-progress"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { type Size, widthOf } from "./progressBars.js"

export interface Screen {
  readonly size: () => Size
  /** Shows these lines from now on. They must fit. */
  readonly draw: (lines: ReadonlyArray<string>) => void
  /** Prints a line above. */
  readonly print: (line: string) => void
}

const wrapping = { on: "\u001b[?7h", off: "\u001b[?7l" }

const clearRight = "\u001b[K"

/** Draws by a `MultiBar`: each of its bars is a line, the last one empty, where a terminal echoes the keys. */
const make = (stream: NodeJS.WriteStream) => {
  let lines: ReadonlyArray<string> = []
  let bars: MultiBar | undefined
  let rows: Array<SingleBar> = []

  const draw = (next: ReadonlyArray<string>) => {
    lines = next
    if (bars === undefined) return
    while (rows.length <= lines.length) rows.push(bars.create(0, 0))
    for (const [index, row] of rows.entries()) row.update({ line: lines[index] ?? "" })
  }

  const open = () => {
    if (bars !== undefined) return
    bars = new MultiBar({
      stream,
      format: (_options, _params, { line = "" }: { line?: string }) => line,
      clearOnComplete: true,
      forceRedraw: true,
      hideCursor: true,
      gracefulExit: false
    })
    rows = []
    draw(lines)
  }

  /** Removes the lines, and shows the cursor. */
  const close = () => {
    if (bars === undefined) return
    bars.update()
    bars.stop()
    bars = undefined
  }

  /** A narrower terminal has put each line on as many rows as it takes. */
  const resize = () => {
    if (bars === undefined) return
    const { columns } = stream
    const more = lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(widthOf(line) / columns) - 1), 0)
    readline.moveCursor(stream, 0, -more)
    bars.stop()
    bars = undefined
    lines = []
    open()
  }

  /** The shell has the terminal until the program is continued. */
  const suspend = () => {
    close()
    process.kill(process.pid, "SIGSTOP")
  }

  const listeners = [
    [stream, "resize", resize],
    [process, "exit", close],
    ...(process.platform === "win32"
      ? []
      : ([
          [process, "SIGTSTP", suspend],
          [process, "SIGCONT", open]
        ] as const))
  ] as const

  const screen: Screen = {
    size: () => ({ columns: stream.columns || 80, rows: stream.rows || 24 }),
    draw,
    print: (line) => {
      if (bars === undefined) stream.write(`${line}\n`)
      else bars.log(`${wrapping.on}${line}${clearRight}${wrapping.off}\n`)
    }
  }
  return {
    screen,
    begin: () => {
      for (const [emitter, name, listener] of listeners) emitter.on(name, listener)
      open()
    },
    end: () => {
      for (const [emitter, name, listener] of listeners) emitter.off(name, listener)
      close()
    }
  }
}

/** The terminal that a stream is. Its cursor is hidden until the scope ends, or the process. */
export const open = (stream: NodeJS.WriteStream): Effect.Effect<Screen, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const made = make(stream)
        made.begin()
        return made
      }),
      ({ end }) => Effect.sync(end)
    ),
    ({ screen }) => screen
  )
