/**
 * What is known of each file and target language, kept so that it outlives the process: no upload is paid twice, and no
 * handle is lost.
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
import * as Encoding from "effect/Encoding"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Documents from "../client/Documents.js"
import * as appendLog from "./internal/appendLog.js"

/**
 * The mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/DocumentJournal")

/**
 * The type of the mark by which errors of this module are known.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

/**
 * The journal can't be read or written. Nothing is uploaded without one.
 *
 * @since 0.1.0
 * @category errors
 */
export class DocumentJournalError extends Schema.TaggedError<DocumentJournalError>(
  "effect-translate/DocumentJournalError"
)("DocumentJournalError", {
  message: Schema.String,
  /** The document whose handle could not be stored: it is paid for, so keep the handle elsewhere. */
  handle: Schema.optional(Documents.DocumentHandle)
}) {
  /**
   * @since 0.1.0
   */
  readonly [TypeId]: TypeId = TypeId
}

/**
 * Whether a value is a `DocumentJournalError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isDocumentJournalError = (u: unknown): u is DocumentJournalError =>
  Predicate.hasProperty(u, TypeId)

/**
 * What a record is about: a file, and what it is translated into.
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
}

/**
 * The key of a document in maps and stores. Stored journals are found by it.
 *
 * @internal
 */
export const keyOf = ({ file, outputFormat, targetLang }: DocumentId): string =>
  JSON.stringify([file, targetLang, ...(outputFormat === undefined ? [] : [outputFormat])])

const Handle = Documents.StoredDocumentHandle

/**
 * What is known of a document:
 *
 * - `Sent`: its upload has begun, and no answer is known yet.
 * - `Refused`: the upload was not taken; nothing is billed.
 * - `Ambiguous`: nobody knows whether the upload was taken.
 * - `Uploaded`: the service has it, and this is its handle.
 * - `Downloading`: its download has begun, into a temporary file.
 * - `Received`: the temporary file is whole, and is about to become the output.
 * - `Done`: the translation is in the output.
 * - `Failed`: the service has taken it and could not translate it.
 * - `Lost`: the service has translated it, and gives it out no more.
 *
 * Stored, `Uploaded`, `Downloading` and `Lost` hold the document's key in plain text.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Union(
  Schema.TaggedStruct("Sent", {}),
  Schema.TaggedStruct("Refused", { reason: Schema.String }),
  Schema.TaggedStruct("Ambiguous", { reason: Schema.String }),
  Schema.TaggedStruct("Uploaded", { handle: Handle }),
  Schema.TaggedStruct("Downloading", { handle: Handle, temporary: Schema.String }),
  Schema.TaggedStruct("Received", {
    documentId: Schema.String,
    temporary: Schema.String,
    output: Schema.String,
    billedCharacters: Schema.optional(Schema.Number)
  }),
  Schema.TaggedStruct("Done", {
    documentId: Schema.String,
    output: Schema.String,
    billedCharacters: Schema.optional(Schema.Number)
  }),
  Schema.TaggedStruct("Failed", {
    documentId: Schema.String,
    serviceMessage: Schema.optional(Schema.String)
  }),
  Schema.TaggedStruct("Lost", { handle: Handle, reason: Schema.String })
)

/**
 * What is known of a document.
 *
 * @since 0.1.0
 * @category models
 */
export type Entry = typeof Entry.Type

/**
 * A journal: the last that is known of each document.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** The last entry of a document; none if nothing is known of it. */
  readonly get: (document: DocumentId) => Effect.Effect<Option.Option<Entry>, DocumentJournalError>
  /** Replaces what is known of a document. Once it is done, the entry is stored. */
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
    at: Schema.DateTimeUtc,
    entry: Entry
  })
)

const decodeLine = Schema.decodeOption(Line)
const encodeLine = Schema.encode(Line)

const fail = (message: string) => Effect.fail(new DocumentJournalError({ message }))

const failed = (what: string) => (error: PlatformError.PlatformError) => fail(`${what}: ${error.message}`)

/**
 * A journal in memory: for tests, and for documents that need not outlive the process.
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

/**
 * A journal in a file of JSON lines, which is only appended to. Each line is synced before the work goes on. A last line
 * that a crash has torn is ignored.
 *
 * It holds the keys of documents in plain text: the file can be read by its owner only (mode 0600). One process may write
 * to it at a time; what another one writes is noticed, and fails the next `update`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeFile = (
  path: string
): Effect.Effect<Service, DocumentJournalError, FileSystem.FileSystem | Path.Path | Scope.Scope> =>
  Effect.gen(function* () {
    const log = yield* appendLog.open(path, (line) => Option.isSome(decodeLine(line)))
    const entries = new Map<string, Entry>()
    for (const [index, line] of log.lines.entries()) {
      const decoded = decodeLine(line)
      if (Option.isNone(decoded)) {
        return yield* fail(
          `Line ${index + 1} of the journal ${path} can't be read: correct or remove it. What it said is not known any more.`
        )
      }
      entries.set(keyOf(decoded.value), decoded.value.entry)
    }
    const service: Service = {
      get: (document) => Effect.sync(() => Option.fromNullable(entries.get(keyOf(document)))),
      update: (document, entry) =>
        DateTime.now.pipe(
          Effect.flatMap((at) => Effect.orDie(encodeLine({ ...document, at, entry }))),
          Effect.flatMap(log.append),
          Effect.catchAll(failed(`The journal ${path} can't be written`)),
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
      BadArgument: failed(`The journal ${path} can't be opened`),
      SystemError: failed(`The journal ${path} can't be opened`)
    })
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
const encodeValue = Schema.encode(Value)

/** Names of any length fit into any store so. */
const digest = (text: string) =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (bytes) => `document-${Encoding.encodeHex(new Uint8Array(bytes))}`
  )

/** A value that a crash has torn: something had been sent. */
const torn: Entry = { _tag: "Ambiguous", reason: "its record in the journal can't be read" }

/**
 * A journal in any `KeyValueStore`, a value for each document. How much outlives a crash is up to the store; a value that
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
          Effect.flatMap(digest(keyOf(document)), store.get).pipe(
            Effect.map(Option.map((value) => Option.getOrElse(decodeValue(value), () => torn))),
            Effect.catchAll(failed("The journal can't be read"))
          ),
        update: (document, entry) =>
          Effect.zipWith(digest(keyOf(document)), Effect.orDie(encodeValue(entry)), store.set).pipe(
            Effect.flatten,
            Effect.catchAll(failed("The journal can't be written"))
          )
      })
    )
  )
