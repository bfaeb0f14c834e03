/** The progress bar: on a terminal only. */
import { SingleBar } from "cli-progress"
import { Effect } from "effect"
import { Progress } from "effect-translate"

const start = Effect.sync(() => {
  const bar = new SingleBar({
    format: "[{bar}] {value}/{total} texts",
    stream: process.stderr,
    clearOnComplete: true,
    hideCursor: true,
    gracefulExit: false
  })
  bar.start(0, 0)
  return bar
})

/** Shows the progress of an effect while it runs. */
export const show =
  (progress: Progress.Progress) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    process.stdout.isTTY && process.stderr.isTTY
      ? Effect.acquireUseRelease(
          start,
          (bar) =>
            Progress.watch(self, progress, ({ done, total = 0 }) =>
              Effect.sync(() => {
                bar.setTotal(total)
                bar.update(done)
              })
            ),
          (bar) => Effect.sync(() => bar.stop())
        )
      : self
