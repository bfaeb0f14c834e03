/** The progress bar: on a terminal only. */
import { SingleBar } from "cli-progress"
import { Effect } from "effect"

export interface Progress {
  /** Moves the bar on by some texts. */
  readonly advance: (texts: number, language: string) => Effect.Effect<void>
}

const silent: Progress = { advance: () => Effect.void }

const makeBar = (texts: number) => {
  const bar = new SingleBar({
    format: "{language} [{bar}] {value}/{total} texts",
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false
  })
  bar.start(texts, 0, { language: "  " })
  return bar
}

export const make = (texts: number) =>
  process.stdout.isTTY && process.stderr.isTTY
    ? Effect.acquireRelease(
        Effect.sync(() => makeBar(texts)),
        (bar) => Effect.sync(() => bar.stop())
      ).pipe(
        Effect.map(
          (bar): Progress => ({
            advance: (texts, language) => Effect.sync(() => bar.increment(texts, { language }))
          })
        )
      )
    : Effect.succeed(silent)
