/**
 * The journal of documents in a database, for all machines: no upload is paid twice, whichever machine goes on.
 *
 * @since 0.1.0
 */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as DocumentJournal from "../document/DocumentJournal.js"
import { hash } from "../internal/hash.js"
import { LeastRecent } from "../internal/leastRecent.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"
import * as SqlLease from "../sql/SqlLease.js"
import * as Tables from "./internal/tables/jobSchema.js"

/** The pause between looks for the end of another machine's upload. */
const patience = "500 millis"

/** The number of documents that are remembered as they were read. A document is read again where it begins. */
const remembered = 100_000

/** The stored row of a document. `held` is 1 as long as its process shows that it is alive. */
type Row = readonly [entry: string, version: number, owner: string, held: number]

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

/** The statements of one process, in the common SQL of both databases. */
const statements = ({ dialect, query, transaction }: Tables.Tables, owner: string) => {
  const { list, long, now, number, tablesLock } = dialect
  const table = "effect_translate_documents"
  const rows = SqlLease.rows(dialect, table)
  const values = {
    key: "$1",
    document: "$2",
    entry: "$3",
    version: "CAST($4 AS bigint) + 1",
    owner: "$5",
    written_at: now
  }
  const isFree = `${table}.version = CAST($4 AS bigint) AND (${rows.isFree} OR ${table}.owner = excluded.owner)`
  const written = (isHeld: boolean) =>
    `${SqlLease.acquire(rows, { key: "key", values, isFree, ...(isHeld ? {} : { until: "0" }) })} 1`
  const renew = SqlLease.renew(
    rows,
    `owner = $1 AND leased_until > 0 AND key IN (SELECT value FROM ${list("$2")})`
  )
  return {
    create: transaction(
      Effect.zipRight(
        tablesLock === undefined ? Effect.void : query(tablesLock),
        query(`CREATE TABLE IF NOT EXISTS ${table} (
          key TEXT NOT NULL PRIMARY KEY,
          document TEXT NOT NULL,
          entry TEXT NOT NULL,
          version INTEGER NOT NULL,
          owner TEXT NOT NULL,
          ${SqlLease.column(dialect)},
          written_at ${long} NOT NULL
        )`)
      )
    ),
    read: (key: string) =>
      Effect.map(
        query<Row>(
          `SELECT entry, ${number("version")}, owner, CASE WHEN ${rows.isFree} THEN 0 ELSE 1 END FROM ${table} WHERE key = $1`,
          [key]
        ),
        ([row]) => row
      ),
    /** Of several that have read the same version, the first has the document, if no other process holds it. */
    write: (key: string, document: string, entry: string, isHeld: boolean, version: number) =>
      Effect.map(query(written(isHeld), [key, document, entry, version, owner]), (found) => found.length > 0),
    hold: (keys: Iterable<string>) => query(renew, [owner, Tables.json(Array.from(keys))])
  }
}

/**
 * A journal in the database of a client: PostgreSQL, or a file of SQLite.
 *
 * Its table is made if it is missing; its name is `effect_translate_documents`. It holds the keys of documents in plain
 * text: restrict its readers to those of the documents. A removed row is a forgotten payment.
 *
 * Any number of processes may use it at once. A document that another process is uploading is waited for, as long as that
 * process shows that it is alive; if it is not, the upload is in doubt after 15 seconds. Where two processes have read the
 * same entry, the first to write has the document, and the other one fails with `DocumentJournalError` before it sends
 * anything. A database that is away is waited for, for a minute.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  // Not by `Random`: processes may have the same seed.
  const owner = crypto.randomUUID()
  const { create, hold, read, write: acquire } = statements(Tables.of(sql), owner)
  yield* create.pipe(SqlErrorCode.retryPassing, Effect.mapError(unusable("made")))
  const versions = new LeastRecent<number>(remembered)
  const sending = new Set<string>()

  /** Waits while another process uploads the document. */
  const current = (key: string): Effect.Effect<Row | undefined, SqlError> =>
    Effect.flatMap(read(key), (found) =>
      found === undefined || found[2] === owner || found[3] === 0
        ? Effect.succeed(found)
        : Effect.delay(current(key), patience)
    )

  const write = (document: DocumentJournal.DocumentId, key: string, entry: string, isHeld: boolean) =>
    Effect.gen(function* () {
      const known = versions.get(key) ?? (yield* read(key))?.[1] ?? 0
      if (!(yield* acquire(key, JSON.stringify(document), entry, isHeld, known))) {
        // An earlier attempt of this may have been stored, and its answer lost.
        const [stored, version, by] = (yield* read(key)) ?? []
        if (by !== owner || version !== known + 1 || stored !== entry) {
          versions.delete(key)
          return yield* taken(document)
        }
      }
      versions.set(key, known + 1)
    })

  yield* SqlLease.keep(
    Effect.when(
      Effect.suspend(() => hold(sending)),
      () => sending.size > 0
    )
  )

  const service: DocumentJournal.Service = {
    get: (document) =>
      Effect.suspend(() => {
        const key = hash(DocumentJournal.keyOf(document))
        return current(key).pipe(
          SqlErrorCode.retryPassing,
          Effect.mapError(unusable("read")),
          Effect.map((found) => {
            versions.set(key, found?.[1] ?? 0)
            return Option.map(Option.fromNullable(found), ([entry]) => DocumentJournal.decode(entry))
          })
        )
      }),
    update: (document, entry) =>
      Effect.gen(function* () {
        const key = hash(DocumentJournal.keyOf(document))
        const isHeld = entry._tag === "Sent"
        const text = yield* Effect.orDie(DocumentJournal.encode(entry))
        yield* write(document, key, text, isHeld).pipe(
          // An upload is known here alone until it is stored.
          SqlErrorCode.retryPassing,
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
