/** A program that ends as its argument says: by itself, by a failure, or by a signal that it waits for. */
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { NodeProgram } from "effect-translate/node"

const ends: Readonly<Record<string, Effect.Effect<void, string>>> = {
  success: Effect.void,
  "its own code": Effect.sync(() => {
    process.exitCode = 3
  }),
  failure: Effect.fail("a failure"),
  defect: Effect.die("a defect"),
  wait: Effect.zipRight(Console.log("begun"), Effect.never),
  "the signal": Effect.raceFirst(
    Effect.zipRight(NodeProgram.awaitSignal, Console.log("told to end")),
    Effect.zipRight(Console.log("begun"), Effect.never)
  ),
  "the signal, and its own code": Effect.zipRight(
    Effect.raceFirst(NodeProgram.awaitSignal, Effect.zipRight(Console.log("begun"), Effect.never)),
    Effect.sync(() => {
      process.exitCode = 0
    })
  ),
  "the signal, and never ends": Effect.zipRight(
    Effect.raceFirst(NodeProgram.awaitSignal, Effect.zipRight(Console.log("begun"), Effect.never)),
    Effect.never
  )
}

const work = Effect.suspend(() => ends[process.argv[2] ?? ""] ?? Effect.dieMessage("No such end"))

// What is cleaned up takes a while, as a request in flight does.
NodeProgram.runMain(Effect.ensuring(work, Effect.delay(Console.log("cleaned up"), 50)))
