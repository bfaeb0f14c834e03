/** A program with a bar and a note, which crashes at SIGUSR2. */
import * as Effect from "effect/Effect"
import * as screens from "../../src/cli/terminal/screen.js"

process.once("SIGUSR2", () => {
  throw new Error("crashed")
})

screens.open(process.stderr).pipe(
  Effect.tap(({ draw, print }) =>
    Effect.sync(() => {
      draw(["", "a bar"])
      print("a note that is longer than a row of the terminal, which is why it goes on in the next")
    })
  ),
  Effect.zipRight(Effect.never),
  Effect.scoped,
  Effect.runFork
)
