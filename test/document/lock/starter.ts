/**
 * Opens a journal when it is told to, and says whether it would upload the file of it: as a run of a batch does, it asks the
 * journal and records `Sent` before. One that only opens it keeps it open.
 */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { DocumentJournal } from "effect-translate/documents"

export interface Command {
  readonly path: string
  /** When to start, in milliseconds: all processes start at once. */
  readonly at: number
  readonly isHolder: boolean
}

export type Answer = "holds" | "uploads" | "skips" | "refused"

const document = { file: "/data/a.txt", targetLang: "de" }

const start = ({ isHolder, path }: Command, answer: (answer: Answer) => Effect.Effect<unknown>) =>
  DocumentJournal.makeFile(path).pipe(
    Effect.flatMap((journal) =>
      Effect.flatMap(journal.get(document), (known) =>
        isHolder
          ? Effect.succeed<Answer>("holds")
          : Option.isSome(known)
            ? Effect.succeed<Answer>("skips")
            : Effect.as(journal.update(document, { _tag: "Sent" }), "uploads" as const)
      )
    ),
    Effect.orElseSucceed((): Answer => "refused"),
    Effect.tap((said) => (isHolder ? Effect.zipRight(answer(said), Effect.never) : Effect.void)),
    Effect.scoped,
    // The next one may have it by then.
    Effect.tap(answer),
    Effect.provide(NodeContext.layer)
  )

process.on("message", (command: Command) => {
  while (Date.now() < command.at);
  Effect.runPromise(start(command, (answer) => Effect.sync(() => process.send?.(answer))))
})
process.once("disconnect", () => process.exit())
process.send?.("ready")
