/**
 * The journal of documents: the state of each file and target language. It survives the process, so that no upload is
 * paid twice and no handle is lost.
 *
 * @since 0.1.0
 */

import type * as PlatformError from "@effect/platform/Error"
import type * as FileSystem from "@effect/platform/FileSystem"
import * as KeyValueStore from "@effect/platform/KeyValueStore"
import type * as Path from "@effect/platform/Path"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Documents from "../client/Documents.js"
import { hash } from "../internal/hash.js"
import { is, TaggedError } from "../internal/taggedError.js"
import * as appendLog from "./internal/appendLog.js"
import type * as fileLock from "./internal/fileLock.js"

/**
 * The journal can't be read or written. Nothing is uploaded without one.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentJournalError extends TaggedError<DocumentJournalError>()(
  "DocumentJournalError",
  {
    message: Schema.String,
    /** The fault of the journal, if the message says more. */
    problem: Schema.optional(Schema.String),
    /** The handle that could not be stored. The upload is paid for, so store it elsewhere. */
    handle: Schema.optional(Documents.DocumentHandle)
  },
  undefined,
  { isFatal: true }
) {}

/**
 * Returns `true` for a `DocumentJournalError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDocumentJournalError = is(DocumentJournalError)

/**
 * The key of an entry:
 *
 * - with `content`, all files of the same bytes that are translated by the same options;
 * - with `output`, a file and its output: which content the output is of;
 * - with neither, a document whose content is not known: a stream, or a file that is gone.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentId {
  /** The absolute path of the file, or another name that is always the same for the same document. */
  readonly file: string
  /** The language to translate into, in canonical casing. */
  readonly targetLang: string
  /** The format of the translation, if it is not the file's own. @default undefined */
  readonly outputFormat?: string | undefined
  /** A hash of the file's bytes and of the options that change the translation. @default undefined */
  readonly content?: string | undefined
  /** The absolute path of the output. @default undefined */
  readonly output?: string | undefined
}

/**
 * The key of a document in maps and stores. A change loses the knowledge of stored journals.
 *
 * @internal
 */
export const keyOf: (documentId: DocumentId) => string = ({
  content,
  file,
  output,
  outputFormat,
  targetLang
}) => {
  if (output !== undefined) return JSON.stringify({ file, output })
  if (content !== undefined) return JSON.stringify({ content })
  return JSON.stringify([file, targetLang, ...(outputFormat === undefined ? [] : [outputFormat])])
}

const Handle = Documents.StoredDocumentHandle

/**
 * The state of a document:
 *
 * - `Begun`: this content is being translated, and the rest is known of the content. `previous` is the hash of the output
 *   that an earlier content has left, and `temporary` the file of a copy.
 * - `Sent`: its upload has begun, and no answer is known yet.
 * - `Refused`: the upload was refused; nothing is billed.
 * - `Ambiguous`: nobody knows whether the upload arrived.
 * - `Uploaded`: the service has it, and this is its handle.
 * - `Downloading`: its download has begun, into a temporary file.
 * - `Received`: the temporary file is whole, and is about to become the output.
 * - `Done`: the translation of this content is in the output. `hash` is the hash of the output as it was written.
 * - `Failed`: the service could not translate it.
 * - `Lost`: the service has translated it, but does not give it out any more.
 *
 * In a store, `Uploaded`, `Downloading` and `Lost` hold the document's key in plain text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Union(
  Schema.TaggedStruct("Begun", {
    content: Schema.String,
    previous: Schema.optional(Schema.String),
    temporary: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Sent", {}),
  Schema.TaggedStruct("Refused", { reason: Schema.String }),
  Schema.TaggedStruct("Ambiguous", { reason: Schema.String }),
  Schema.TaggedStruct("Uploaded", { handle: Handle }),
  Schema.TaggedStruct("Downloading", { handle: Handle, temporary: Schema.String }),
  Schema.TaggedStruct("Received", {
    documentId: Schema.String,
    temporary: Schema.String,
    output: Schema.String,
    billedCharacters: Schema.optional(Schema.Number),
    hash: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Done", {
    documentId: Schema.String,
    output: Schema.String,
    billedCharacters: Schema.optional(Schema.Number),
    content: Schema.optional(Schema.String),
    hash: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Failed", {
    documentId: Schema.String,
    serviceMessage: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Lost", { handle: Handle, reason: Schema.String })
)

/**
 * The state of a document.
 *
 * @since 0.1.0
 * @category models
 */
export type Entry = typeof Entry.Type

/**
 * A journal: the last entry of each document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The last entry of a document; none if nothing is known of it. */
  readonly get: (document: DocumentId) => Effect.Effect<Option.Option<Entry>, DocumentJournalError>
  /** Replaces the entry of a document. The entry is stored when the effect ends. */
  readonly update: (document: DocumentId, entry: Entry) => Effect.Effect<void, DocumentJournalError>
}

/**
 * The journal of documents.
 *
 * @since 0.1.0
 * @category tags
 */
export class DocumentJournal extends Context.Tag("effect-translate/DocumentJournal")<
  DocumentJournal,
  Service
>() {}

const Line = Schema.parseJson(
  Schema.Struct({
    file: Schema.String,
    targetLang: Schema.String,
    outputFormat: Schema.optional(Schema.String),
    content: Schema.optional(Schema.String),
    output: Schema.optional(Schema.String),
    at: Schema.DateTimeUtc,
    entry: Entry
  })
)

const decodeLine = Schema.decodeOption(Line)
const encodeLine = Schema.encode(Line)

const fail = (message: string) => Effect.fail(new DocumentJournalError({ message }))

const failed = (what: string) => (error: PlatformError.PlatformError) => fail(`${what}: ${error.message}`)

/**
 * A journal in memory: for tests, and for runs that are not continued by another process.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerMemory: Layer.Layer<DocumentJournal> = Layer.sync(DocumentJournal, () => {
  const entries = new Map<string, Entry>()
  return {
    get: (document) => Effect.sync(() => Option.fromNullable(entries.get(keyOf(document)))),
    update: (document, entry) => Effect.sync(() => void entries.set(keyOf(document), entry))
  }
})

/** Each line begins with the first field of its schema. */
const format: appendLog.Format<typeof Line.Type> = { decode: decodeLine, beginning: '{"file":' }

/** Describes a fault of a file in words. */
const ofFile = (path: string) => ({
  BadArgument: failed(`The journal ${path} can't be opened`),
  SystemError: failed(`The journal ${path} can't be opened`),
  NotALog: () => fail(`${path} is no journal of documents: it was left as it is. Name another file.`),
  BrokenLine: ({ line }: appendLog.BrokenLine) =>
    fail(`Line ${line} of the journal ${path} can't be read: correct or remove it. Its content is lost.`)
})

const lockedBy = (path: string, process: fileLock.Locked["process"]) => {
  const by = Option.match(process, { onNone: () => "another process", onSome: ({ pid }) => `process ${pid}` })
  return `The journal ${path} is in use by ${by}: let one process at a time have it. If there is none, remove ${path}.lock.`
}

/**
 * A journal in a file of JSON lines, which is only appended to. Each line is synced before `update` ends. A last line that a
 * crash has cut is ignored. The file and its folder are made if they are missing.
 *
 * It holds the keys of documents in plain text, so only its owner can read the file (mode 0600). One process at a time has
 * it, by a lock in a file beside it (`.lock`), until the scope closes. The lock of a process that was killed is taken over.
 *
 * Errors: `DocumentJournalError` if another process has the journal, if the file is no journal (it stays as it is), if one
 * of its lines can't be read, or if the file can't be.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFile = (
  path: string
): Effect.Effect<Service, DocumentJournalError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const log = yield* appendLog.open(path, format)
    const unwritable = failed(`The journal ${path} can't be written`)
    const entries = new Map(log.entries.map(({ entry, ...document }) => [keyOf(document), entry]))
    const service: Service = {
      get: (document) => Effect.sync(() => Option.fromNullable(entries.get(keyOf(document)))),
      update: (document, entry) =>
        DateTime.now.pipe(
          Effect.flatMap((at) => Effect.orDie(encodeLine({ ...document, at, entry }))),
          Effect.flatMap(log.append),
          Effect.catchAll(unwritable),
          Effect.filterOrElse(
            (isWritten) => isWritten,
            () => fail(`Somebody else writes to the journal ${path}: let one process at a time have it.`)
          ),
          Effect.zipRight(Effect.sync(() => void entries.set(keyOf(document), entry)))
        )
    }
    return service
  }).pipe(
    Effect.catchTags({
      ...ofFile(path),
      Locked: ({ process }) => fail(lockedBy(path, process))
    })
  )

/**
 * A document of a journal, and its state.
 *
 * @since 0.1.0
 * @category models
 */
export interface Document extends DocumentId {
  readonly entry: Entry
  /** When the entry was written. */
  readonly at: DateTime.Utc
}

/**
 * The documents of a journal in a file, each output once, in the order in which they were begun. It takes no lock and
 * changes nothing, so it may be called while another process has the journal. None if there is no such file.
 *
 * Errors: `DocumentJournalError` if the file is no journal, or can't be read.
 *
 * @since 0.1.0
 * @category constructors
 */
export const list = (
  path: string
): Effect.Effect<ReadonlyArray<Document>, DocumentJournalError, FileSystem.FileSystem> =>
  appendLog.read(path, format).pipe(
    Effect.map((lines) => {
      const last = new Map(lines.map((line): readonly [string, Document] => [keyOf(line), line]))
      const all = [...last.values()]
      const contentOf = ({ content, entry }: Document) => ("content" in entry ? entry.content : content)
      const ofOutputs = new Set(all.map((document) => document.output && contentOf(document)))
      return all.flatMap((document): ReadonlyArray<Document> => {
        const { entry, output } = document
        const content = contentOf(document)
        if (output === undefined) {
          const isOfOutputs = document.content !== undefined && entry._tag === "Done"
          return isOfOutputs || (content !== undefined && ofOutputs.has(content)) ? [] : [document]
        }
        const known =
          entry._tag === "Begun" ? last.get(keyOf({ ...document, content, output: undefined })) : undefined
        return [{ ...document, content, entry: known?.entry ?? entry, at: known?.at ?? document.at }]
      })
    }),
    Effect.catchTags(ofFile(path))
  )

/**
 * A journal in a file of JSON lines; see {@link makeFile}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerFile = (
  path: string
): Layer.Layer<DocumentJournal, DocumentJournalError, FileSystem.FileSystem | Path.Path> =>
  Layer.scoped(DocumentJournal, makeFile(path))

const Value = Schema.parseJson(Entry)
const decodeValue = Schema.decodeOption(Value)

/**
 * An entry as it is stored.
 *
 * @internal
 */
export const encode = Schema.encode(Value)

/**
 * The stored form. A value that a crash has cut, or that a newer version has written, stands for an upload that had begun.
 *
 * @internal
 */
export const decode = (value: string): Entry =>
  Option.getOrElse(decodeValue(value), () => ({
    _tag: "Ambiguous",
    reason: "its record in the journal can't be read"
  }))

/** The key of a document in a store: short, as stores limit the length of keys. */
const keyInStore = (document: DocumentId): string => `document-${hash(keyOf(document))}`

/**
 * A journal in any `KeyValueStore`, with a value for each document. The store decides which entries survive a crash. A value that
 * can't be read counts as `Ambiguous`. The values hold the keys of documents in plain text.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerKeyValueStore: Layer.Layer<DocumentJournal, never, KeyValueStore.KeyValueStore> =
  Layer.effect(
    DocumentJournal,
    Effect.map(
      KeyValueStore.KeyValueStore,
      (store): Service => ({
        get: (document) =>
          store
            .get(keyInStore(document))
            .pipe(Effect.map(Option.map(decode)), Effect.catchAll(failed("The journal can't be read"))),
        update: (document, entry) =>
          Effect.orDie(encode(entry)).pipe(
            Effect.flatMap((value) => store.set(keyInStore(document), value)),
            Effect.catchAll(failed("The journal can't be written"))
          )
      })
    )
  )
