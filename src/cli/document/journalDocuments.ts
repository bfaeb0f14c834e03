/** Documents that the journal knows, and one that a person names by its id. */
import { relative, resolve } from "node:path"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type * as Document from "../../api/Document.js"
import type * as Documents from "../../client/Documents.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import type { DocumentStatusInput } from "../declarations/texts.js"
import { usage } from "../failure.js"
import * as files from "../namedFiles.js"

/** A path as people see it: below the working folder without that. */
export const shown = (path: string): string => {
  const short = relative("", path)
  return short.startsWith("..") ? path : short
}

export const handleOf = ({ entry }: DocumentJournal.Document): Documents.DocumentHandle | undefined =>
  "handle" in entry ? entry.handle : undefined

/** The documents of the journal that a command line names: all of them, or those of some files. */
export const find = (input: Pick<DocumentStatusInput, "files" | "journal">) =>
  Effect.gen(function* () {
    const all = yield* DocumentJournal.list(input.journal)
    if (all.length === 0) {
      return yield* usage(
        `The journal ${input.journal} knows no document: name another with --journal, or one document with --id.`
      )
    }
    const strangers = input.files.filter((file) => all.every((document) => document.file !== resolve(file)))
    if (strangers.length > 0) {
      return yield* usage(
        `The journal ${input.journal} does not know ${strangers.join(", ")}: effect-translate document status lists its documents.`
      )
    }
    const wanted = new Set(input.files.map((file) => resolve(file)))
    return wanted.size === 0 ? all : all.filter(({ file }) => wanted.has(file))
  })

const variable = "LANGUAGE_SERVICE_DOCUMENT_KEY"

const keyOf = ({ keyFile }: DocumentStatusInput) =>
  keyFile === undefined
    ? Effect.map(Config.option(Config.redacted(variable)), Option.getOrUndefined)
    : Effect.map(files.readText(keyFile), (text) => Redacted.make(text.trim()))

/** The document of an id, with its state in the journal. */
export interface One {
  readonly access: Documents.Access
  readonly known: DocumentJournal.Document | undefined
}

export const one = (id: string, input: DocumentStatusInput) =>
  Effect.gen(function* () {
    const key = yield* keyOf(input)
    const all = key === undefined ? yield* DocumentJournal.list(input.journal) : []
    const known = all.find((document) => handleOf(document)?.documentId === id)
    const access = key === undefined ? known && handleOf(known) : { documentId: id, documentKey: key }
    if (access === undefined || Redacted.value(access.documentKey) === "") {
      return yield* usage(
        `There is no key for document ${id}: set ${variable}, name its file with --key-file, or the journal that knows it with --journal.`
      )
    }
    const found: One = { access, known }
    return found
  })

const day = 86_400

/** The status of the service in words. */
export const wordsOf = ({ secondsRemaining, status }: Document.Status): string => {
  if (status === "done") return "ready"
  if (status === "error") return "failed"
  return secondsRemaining === undefined || secondsRemaining <= 0 || secondsRemaining > day
    ? status
    : `${status}, ${secondsRemaining} s left`
}
