import * as Effect from "effect/Effect"
import type * as Document from "../../api/Document.js"
import * as TranslateClient from "../../client/TranslateClient.js"
import type * as DocumentJournal from "../../document/DocumentJournal.js"
import type { DocumentStatusInput } from "../declarations/texts.js"
import { usage } from "../failure.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import * as text from "../textTable.js"
import * as journalDocuments from "./journalDocuments.js"

/** The states of documents that the service need not be asked for. */
const states = {
  Begun: "not uploaded",
  Sent: "unknown",
  Refused: "not uploaded",
  Ambiguous: "unknown",
  Uploaded: "uploaded",
  Downloading: "uploaded",
  Received: "ready",
  Done: "translated",
  Failed: "failed",
  Lost: "lost"
} as const satisfies Record<DocumentJournal.Entry["_tag"], string>

interface Row {
  readonly file: string
  readonly targetLang: string
  readonly state: string
  readonly documentId: string | undefined
  readonly billedCharacters: number | undefined
  readonly output: string | undefined
  /** The error. */
  readonly message: string | undefined
}

/** The service's status of a document; nothing if it does not have it any more. */
const ask = (document: DocumentJournal.Document) =>
  Effect.gen(function* () {
    const handle = journalDocuments.handleOf(document)
    if (handle === undefined || document.entry._tag === "Lost") return undefined
    const { documents } = yield* TranslateClient.TranslateClient
    return yield* Effect.catchTag(documents.status(handle), "NotFound", () => Effect.succeed("gone" as const))
  })

const rowOf = (document: DocumentJournal.Document, said: Document.Status | "gone" | undefined): Row => {
  const { entry, file, output, targetLang } = document
  const status = said === "gone" ? undefined : said
  return {
    file: journalDocuments.shown(file),
    targetLang,
    state:
      said === undefined ? states[entry._tag] : said === "gone" ? "gone" : journalDocuments.wordsOf(said),
    documentId: "documentId" in entry ? entry.documentId : journalDocuments.handleOf(document)?.documentId,
    billedCharacters: "billedCharacters" in entry ? entry.billedCharacters : status?.billedCharacters,
    output: output === undefined ? undefined : journalDocuments.shown(output),
    message:
      "serviceMessage" in entry
        ? entry.serviceMessage
        : "reason" in entry
          ? entry.reason
          : status?.errorMessage
  }
}

const listed = (input: DocumentStatusInput) =>
  Effect.gen(function* () {
    const documents = yield* journalDocuments.find(input)
    const rows = yield* Effect.forEach(
      documents,
      (document) => Effect.map(ask(document), (said) => rowOf(document, said)),
      { concurrency: 4 }
    )
    const problems = rows.flatMap(({ file, message, targetLang }) =>
      message === undefined ? [] : [`${file} into ${targetLang}: ${message}`]
    )
    yield* Output.result(
      { documents: rows },
      [
        text.table(
          ["document", "language", "state", "characters", "output", "id"],
          rows.map((row) => [
            row.file,
            row.targetLang,
            row.state,
            row.billedCharacters,
            row.output,
            row.documentId
          ])
        ),
        ...problems
      ].join("\n")
    )
  })

const single = (id: string, input: DocumentStatusInput) =>
  Effect.gen(function* () {
    const { documents } = yield* TranslateClient.TranslateClient
    const { access } = yield* journalDocuments.one(id, input)
    const status = yield* documents.status(access)
    const { billedCharacters, errorMessage } = status
    const billed = billedCharacters === undefined ? "" : `, ${text.plural(billedCharacters, "character")}`
    yield* Output.result(
      status,
      `${id}: ${journalDocuments.wordsOf(status)}${billed}${errorMessage === undefined ? "" : `: ${errorMessage}`}`
    )
  })

export const status = (input: DocumentStatusInput) => {
  if (input.id !== undefined && input.files.length > 0) {
    return usage("Name files or one document with --id, not both.")
  }
  return Effect.provide(input.id === undefined ? listed(input) : single(input.id, input), service.client)
}
