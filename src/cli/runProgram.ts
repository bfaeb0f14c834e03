/** The command line as a program: signals in, exit codes out. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as NodeTerminal from "@effect/platform-node/NodeTerminal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as systemCauses from "../internal/systemCauses.js"
import * as failure from "./failure.js"
import * as interrupts from "./interrupts.js"
import * as lastWord from "./lastWord.js"
import * as program from "./program.js"

/** Runs the command of the arguments, and ends the process. */
export const main = (): void => {
  const { service, signal } = interrupts.make(
    () => fiber.unsafeInterruptAsFork(fiber.id()),
    () => {
      // Below the bars of a terminal: they go when the process exits.
      process.once("exit", () => end(Exit.interrupt(fiber.id())))
      process.exit(failure.exitCodes.interrupted)
    }
  )

  const fiber = program
    .run(process.argv.slice(2))
    .pipe(
      Effect.provideService(interrupts.Interrupts, service),
      Effect.provide(Layer.mergeAll(NodeFileSystem.layer, NodePath.layer, NodeTerminal.layer)),
      Effect.runFork
    )

  /** Prints the failure, and returns the exit code. */
  const end = (exit: Exit.Exit<unknown, unknown>): number => {
    if (Exit.isSuccess(exit)) return failure.exitCodes.done
    const known = failure.ofCause(exit.cause)
    const code = lastWord.tell(known)
    if (known.tag === "Defect" && process.argv.includes("--verbose")) {
      process.stderr.write(`${Cause.pretty(exit.cause)}\n`)
    }
    return code
  }

  // Errors that no effect has caught.
  process.on("uncaughtException", (error) => process.exit(end(Exit.die(error))))

  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(name, () => signal(performance.now(), name))
  }

  process.stdout.on("error", (error) => {
    // The reader of the output has gone, as `head` does: the exit code of a shell for SIGPIPE.
    process.exitCode ??=
      systemCauses.codeOf(error) === "EPIPE"
        ? failure.exitCodes.closed
        : end(
            Exit.fail(
              new failure.Incomplete({
                message: `standard output can't be written: ${systemCauses.reasonOf(error)}.`
              })
            )
          )
    fiber.unsafeInterruptAsFork(fiber.id())
  })

  // The terminal has gone, or the reader of the notes: the work is finished without them.
  process.stderr.on("error", () => undefined)

  fiber.addObserver((exit) => process.exit(process.exitCode ?? end(exit)))
}
