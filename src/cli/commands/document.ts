import * as Effect from "effect/Effect"
import type { Actions } from "../command.js"
import type { document } from "../declarations/texts.js"
import { status } from "../document/documentStatus.js"
import { download } from "../document/downloadDocuments.js"
import { translate } from "../document/translateDocuments.js"
import * as stateFolder from "../stateFolder.js"

const standard = stateFolder.fileOf("documents.jsonl")

/** Gives a command the journal that is meant where none is named. */
const withJournal =
  <I extends { readonly journal: string }, A, E, R>(action: (input: I) => Effect.Effect<A, E, R>) =>
  (input: Omit<I, "journal"> & { readonly journal: string | undefined }) =>
    Effect.flatMap(standard, (journal) =>
      action({ ...input, journal: input.journal ?? journal } as unknown as I)
    )

export const actions: Actions<typeof document> = {
  translate: withJournal(translate),
  status: withJournal(status),
  download: withJournal(download)
}
