import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Ref from "effect/Ref"
import * as TranslateClient from "../../client/TranslateClient.js"
import * as DocumentJournal from "../../document/DocumentJournal.js"
import * as DocumentTranslation from "../../document/DocumentTranslation.js"
import type { DocumentDownloadInput } from "../declarations/texts.js"
import { type Described, Incomplete, usage } from "../failure.js"
import { finishing } from "../interrupts.js"
import { Output } from "../output.js"
import * as service from "../serviceClient.js"
import * as text from "../textTable.js"
import * as words from "./documentText.js"
import * as journalDocuments from "./journalDocuments.js"

interface Row {
  readonly file: string
  readonly targetLang: string
  readonly state: string
  readonly output: string | undefined
  readonly billedCharacters?: number | undefined
  readonly error?: Described | undefined
}

const isUploaded = ({ entry }: DocumentJournal.Document): boolean =>
  entry._tag === "Uploaded" || entry._tag === "Downloading" || entry._tag === "Received"

/** The status of the service, if it is not `done`: it is asked before the downloads begin. */
const notReady = (document: DocumentJournal.Document) =>
  Effect.gen(function* () {
    const handle = journalDocuments.handleOf(document)
    if (handle === undefined) return undefined
    const { documents } = yield* TranslateClient.TranslateClient
    const status = yield* documents.status(handle)
    return status.status === "queued" || status.status === "translating"
      ? journalDocuments.wordsOf(status)
      : undefined
  })

const fetchOne = (document: DocumentJournal.Document, { existing }: DocumentDownloadInput) =>
  Effect.gen(function* () {
    const { file, output, targetLang } = document
    const row = {
      file: journalDocuments.shown(file),
      targetLang,
      output: output && journalDocuments.shown(output)
    }
    const done = Effect.gen(function* () {
      const waiting = yield* Effect.catchTag(notReady(document), "NotFound", () => Effect.succeed(undefined))
      if (waiting !== undefined) return { ...row, output: undefined, state: waiting }
      const { billedCharacters, ...fetched } = yield* DocumentTranslation.fetch(document, {
        overwrite: existing === "overwrite"
      })
      return { ...row, state: "translated", output: journalDocuments.shown(fetched.output), billedCharacters }
    })
    return yield* Effect.catchAll(done, (error) =>
      error._tag === "Unauthorized" || error._tag === "Outage" || error._tag === "DiskFull"
        ? Effect.fail(words.inWords(error))
        : Effect.succeed({ ...row, output: undefined, state: "failed", error: words.inWords(error) })
    )
  })

/** Downloads all that is ready. After a first signal nothing more is begun. */
const fetchAll = (documents: ReadonlyArray<DocumentJournal.Document>, input: DocumentDownloadInput) =>
  Effect.gen(function* () {
    const uploaded = documents.filter(isUploaded)
    const isStopped = yield* Ref.make(false)
    const begin = (
      document: DocumentJournal.Document
    ): Effect.Effect<ReadonlyArray<Row>, Described, Needed> =>
      Effect.flatMap(isStopped, (isStopped) =>
        isStopped ? Effect.succeed([]) : Effect.map(fetchOne(document, input), (row) => [row])
      )
    const rows = yield* finishing((requested) =>
      Effect.gen(function* () {
        yield* Effect.forkScoped(Effect.zipRight(requested, Ref.set(isStopped, true)))
        return (yield* Effect.forEach(uploaded, begin, { concurrency: 4 })).flat()
      }).pipe(Effect.scoped)
    ).pipe(Effect.provide(DocumentJournal.layerFile(input.journal)))
    const table = text.table(
      ["document", "language", "state", "characters", "output"],
      rows.map((row) => [row.file, row.targetLang, row.state, row.billedCharacters, row.output])
    )
    yield* Output.result(
      { documents: rows },
      uploaded.length === 0 ? "Nothing waits for its download." : table
    )
    for (const { error, file, targetLang } of rows) {
      if (error !== undefined)
        yield* Output.warn({ ...error, message: `${file} into ${targetLang}: ${error.message}` })
    }
    const missing = uploaded.length - rows.filter(({ state }) => state === "translated").length
    if (rows.length < uploaded.length) {
      return yield* Effect.fail({
        _tag: "BatchHalted",
        message: `Stopped: ${text.plural(missing, "document")} not downloaded. The same command goes on.`
      })
    }
    if (missing > 0) {
      yield* new Incomplete({
        message: `${text.plural(missing, "document")} of ${uploaded.length} not downloaded: the same command asks again, and document translate waits.`
      })
    }
  })

type Needed = Effect.Effect.Context<ReturnType<typeof fetchOne>>

/** Downloads a document that the journal does not know. A first signal does not break it off: the service gives it out once. */
const fetchStranger = ({ access }: journalDocuments.One, { existing, out }: DocumentDownloadInput) =>
  Effect.gen(function* () {
    if (out === undefined) {
      return yield* usage("Where to? Name the file of the translation with --out.")
    }
    const downloaded = DocumentTranslation.download(access, out, { overwrite: existing === "overwrite" })
    const bytes = yield* Effect.mapError(
      finishing(() => downloaded),
      words.inWords
    )
    yield* Output.result({ documentId: access.documentId, output: out, bytes }, out)
  })

const fetchById = (id: string, input: DocumentDownloadInput) =>
  Effect.flatMap(journalDocuments.one(id, input), (one) =>
    one.known === undefined
      ? fetchStranger(one, input)
      : fetchAll(
          [{ ...one.known, output: input.out === undefined ? one.known.output : resolve(input.out) }],
          input
        )
  )

export const download = (input: DocumentDownloadInput) => {
  const { files, id, out } = input
  if (id !== undefined && files.length > 0) {
    return usage("Name files or one document with --id, not both.")
  }
  if (id === undefined && out !== undefined) {
    return usage("--out is for one document with --id: the journal knows where the others go.")
  }
  const fetched =
    id === undefined
      ? Effect.flatMap(journalDocuments.find(input), (documents) => fetchAll(documents, input))
      : fetchById(id, input)
  return Effect.provide(fetched, service.client)
}
