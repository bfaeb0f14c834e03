/**
 * The journal of documents in a database, for all machines: no upload is paid twice, whichever machine goes on.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { LRUCache } from "lru-cache"
import * as DocumentJournal from "../document/DocumentJournal.js"
import { hash } from "../internal/hash.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"
import * as SqlTables from "../sql/SqlTables.js"
import { retryPassing } from "./internal/activities/retryPassing.js"
import * as jobSchema from "./internal/tables/jobSchema.js"

/** How long an upload that is under way keeps others from it after the last sign of its process, and how often there is one. */
const lease = Duration.seconds(15)
const beat = Duration.seconds(4)

/** How often it is asked whether the upload of another machine has ended. */
const patience = "500 millis"

/** How many documents are remembered as they were read. A document is read again where it begins. */
const remembered = 100_000

const Value = Schema.parseJson(DocumentJournal.Entry)
const decode = Schema.decodeOption(Value)
const encode = Schema.encode(Value)

/** Stands for what a newer version has written. */
const unreadable: DocumentJournal.Entry = {
  _tag: "Ambiguous",
  reason: "its record in the journal can't be read"
}

interface Row {
  readonly entry: string
  readonly version: number
  readonly owner: string
  /** 1 as long as its process shows that it is alive. */
  readonly held: number
}

const unusable = (what: string) => (error: SqlError) => {
  const code = SqlErrorCode.orDisconnected(error)
  return new DocumentJournal.DocumentJournalError({
    message: `The journal of documents can't be ${what} (${code}): start the database, or correct its address.`
  })
}

const taken = ({ file }: DocumentJournal.DocumentId) =>
  new DocumentJournal.DocumentJournalError({
    message: `Another machine works on ${file}: wait for its end, then run this again.`
  })

/** The statements, in what both databases understand. */
const statements = (sql: SqlClient.SqlClient) => {
  const dialect = jobSchema.dialectOf(sql)
  const now = sql.literal(dialect.now)
  const long = sql.literal(dialect.long)
  const table = sql("effect_translate_documents")
  const until = (isHeld: boolean) => (isHeld ? sql`${now} + ${Duration.toMillis(lease)}` : sql`0`)
  return {
    // Two `CREATE TABLE IF NOT EXISTS` of PostgreSQL at once can fail.
    lock: dialect.lock === undefined ? Effect.void : sql.unsafe(dialect.lock),
    create: sql`CREATE TABLE IF NOT EXISTS ${table} (
      key TEXT NOT NULL PRIMARY KEY,
      document TEXT NOT NULL,
      entry TEXT NOT NULL,
      version INTEGER NOT NULL,
      owner TEXT NOT NULL,
      held_until ${long} NOT NULL,
      written_at ${long} NOT NULL
    )`,
    read: (key: string) =>
      sql<Row>`SELECT entry, version, owner, CASE WHEN held_until > ${now} THEN 1 ELSE 0 END AS held FROM ${table} WHERE key = ${key}`,
    insert: (key: string, document: string, entry: string, owner: string, isHeld: boolean) =>
      sql<{
        readonly version: number
      }>`INSERT INTO ${table} (key, document, entry, version, owner, held_until, written_at)
        VALUES (${key}, ${document}, ${entry}, 1, ${owner}, ${until(isHeld)}, ${now})
        ON CONFLICT (key) DO NOTHING RETURNING version`,
    replace: (key: string, entry: string, owner: string, isHeld: boolean, version: number) =>
      sql<{ readonly version: number }>`UPDATE ${table}
        SET entry = ${entry}, version = ${version + 1}, owner = ${owner}, held_until = ${until(isHeld)}, written_at = ${now}
        WHERE key = ${key} AND version = ${version} RETURNING version`,
    hold: (key: string, owner: string) =>
      sql`UPDATE ${table} SET held_until = ${until(true)} WHERE key = ${key} AND owner = ${owner} AND held_until > 0`
  }
}

/**
 * A journal in the database of a client: PostgreSQL, or a file of SQLite.
 *
 * Its table is made if it is missing; its name is `effect_translate_documents`. It holds the keys of documents in plain text, so let
 * nobody read it who may not read the documents. To remove rows is to forget what is paid for.
 *
 * Any number of processes may use it at once. A document that another process is uploading is waited for, as long as that process shows
 * that it is alive; if it is not, the upload is in doubt after 15 seconds. Where two processes have read the same entry, the first to
 * write has the document, and the other one fails with `DocumentJournalError` before it sends anything. A database that is away is waited
 * for, for a minute.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { create, hold, insert, lock, read, replace } = statements(sql)
  yield* Effect.zipRight(lock, create).pipe(
    SqlTables.withoutDefects(sql.withTransaction),
    retryPassing,
    Effect.mapError(unusable("made"))
  )
  // Not by `Random`: processes may have the same seed.
  const owner = crypto.randomUUID()
  const versions = new LRUCache<string, number>({ max: remembered })
  const sending = new Set<string>()

  const row = (key: string) => Effect.map(read(key), (rows): Row | undefined => rows[0])

  /** Waits while another process uploads the document. */
  const current = (key: string): Effect.Effect<Row | undefined, SqlError> =>
    Effect.flatMap(row(key), (found) => {
      if (found === undefined || found.owner === owner || Number(found.held) === 0)
        return Effect.succeed(found)
      return Effect.delay(current(key), patience)
    })

  const write = (document: DocumentJournal.DocumentId, key: string, entry: string, isHeld: boolean) =>
    Effect.gen(function* () {
      const known = versions.get(key) ?? Number((yield* row(key))?.version ?? 0)
      const written =
        known === 0
          ? yield* insert(key, JSON.stringify(document), entry, owner, isHeld)
          : yield* replace(key, entry, owner, isHeld, known)
      if (written.length === 0) {
        // An earlier attempt of this may have been stored, and its answer lost.
        const found = yield* row(key)
        const isOurs = found?.owner === owner && Number(found.version) === known + 1 && found.entry === entry
        if (!isOurs) {
          versions.delete(key)
          return yield* taken(document)
        }
      }
      versions.set(key, known + 1)
    })

  const beats = Effect.forEach(sending, (key) => Effect.ignore(hold(key, owner)), { discard: true })
  yield* Effect.forkScoped(
    Effect.forever(
      Effect.delay(
        Effect.suspend(() => beats),
        beat
      )
    )
  )

  const service: DocumentJournal.Service = {
    get: (document) =>
      Effect.suspend(() => {
        const key = hash(DocumentJournal.keyOf(document))
        return current(key).pipe(
          retryPassing,
          Effect.mapError(unusable("read")),
          Effect.map((found) => {
            versions.set(key, Number(found?.version ?? 0))
            return Option.map(Option.fromNullable(found), ({ entry }) =>
              Option.getOrElse(decode(entry), () => unreadable)
            )
          })
        )
      }),
    update: (document, entry) =>
      Effect.gen(function* () {
        const key = hash(DocumentJournal.keyOf(document))
        const isHeld = entry._tag === "Sent"
        const text = yield* Effect.orDie(encode(entry))
        yield* write(document, key, text, isHeld).pipe(
          // What was uploaded is known here alone until it is stored.
          retryPassing,
          Effect.mapError((error) =>
            DocumentJournal.isDocumentJournalError(error) ? error : unusable("written")(error)
          )
        )
        if (isHeld) sending.add(key)
        else sending.delete(key)
      })
  }
  return service
})

/**
 * A layer of {@link make}.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: Layer.Layer<
  DocumentJournal.DocumentJournal,
  DocumentJournal.DocumentJournalError,
  SqlClient.SqlClient
> = Layer.scoped(DocumentJournal.DocumentJournal, make)
