/** The rows of a query, read once and as they are at one moment, with what an output knows of them. */
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type * as Statement from "@effect/sql/Statement"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Record from "effect/Record"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../../api/LanguageCode.js"
import { RowUnusable, type TableUnusable } from "../../TableCorpusError.js"
import * as tableClient from "./tableClient.js"
import type { RowsOutput } from "./tableOutput.js"
import { from, list, queried, type Raw, type Row, rowFrom, type Table } from "./tableRows.js"

/** Where a row has the hashes that the output knows of it, by language. No column is called so. */
export const hashesOf: unique symbol = Symbol.for("effect-translate/workflow/hashes")

export interface KnownRow extends Row {
  readonly [hashesOf]: ReadonlyMap<string, unknown>
}

type Client = SqlClient.SqlClient

/** How many rows of a snapshot are read by one query. */
const pageRows = 500

/** How databases differ: what is selected of a column, and how rows are read at one moment while others are written. */
interface Dialect {
  readonly key: (column: Statement.Fragment) => Statement.Fragment
  readonly text: (column: Statement.Fragment) => Statement.Fragment
  readonly read: (select: Statement.Fragment) => Stream.Stream<Raw, SqlError>
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Bytes that are no text stay bytes, which no row may have. */
const withTexts = (raw: Raw): Raw =>
  Record.map(raw, (value) =>
    value instanceof Uint8Array
      ? Option.getOrElse(Option.liftThrowable(() => utf8.decode(value))(), () => value)
      : value
  )

/** DuckDB and PostgreSQL read while they write. Their keys may be of any type that a text can be made of, and that a text can be made into. */
const streamed = (sql: Client): Dialect => ({
  key: (column) => sql`CAST(${column} AS VARCHAR)`,
  text: (column) => column,
  read: (select) => sql<Raw>`${select}`.stream
})

/**
 * In a file of SQLite a reader may keep writers waiting, so the rows are copied into a temporary table first, in the order of their keys.
 * Texts come as BLOBs: the driver ends the process at one that is not UTF-8, and cuts one at U+0000.
 */
const copied = (sql: Client, { key }: Table): Dialect => ({
  key: (column) =>
    sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) WHEN 'blob' THEN 0.5 ELSE ${column} END`,
  text: (column) =>
    sql`CASE typeof(${column}) WHEN 'text' THEN CAST(${column} AS BLOB) WHEN 'null' THEN NULL ELSE 0 END`,
  read: (select) =>
    Stream.unwrapScoped(
      Effect.gen(function* () {
        const name = `temp.effect_translate_${yield* Random.nextIntBetween(0, 2 ** 48)}`
        yield* Effect.acquireRelease(
          sql`CREATE TABLE ${sql(name)} AS ${select} ORDER BY ${list(sql, key)}`,
          () => Effect.ignore(sql`DROP TABLE ${sql(name)}`)
        )
        return Stream.paginateChunkEffect(0, (last) =>
          Effect.map(
            sql<Raw>`SELECT rowid AS ${sql("position")}, * FROM ${sql(name)} WHERE rowid > ${last} ORDER BY rowid LIMIT ${pageRows}`,
            (rows) => [
              Chunk.unsafeFromArray(rows.map(withTexts)),
              rows.length < pageRows ? Option.none() : Option.some(Number(rows.at(-1)!.position))
            ]
          )
        )
      })
    )
})

const dialectOf = (sql: Client, table: Table): Dialect =>
  sql.onDialectOrElse({ sqlite: () => copied(sql, table), orElse: () => streamed(sql) })

/** What the output was translated from in a language. Key and language are unique there. */
const hashIn = (sql: Client, { key }: Table, { hash, lang, table }: Known, targetLang: string) => {
  const of = (name: string) => sql`${sql("effect_translate_output")}.${sql(name)}`
  const conditions = [
    ...key.map((name) => sql`${of(name)} = ${sql(queried)}.${sql(name)}`),
    sql`${of(lang)} = ${LanguageCode.canonical(targetLang)}`
  ]
  return sql`(SELECT ${of(hash.column)} FROM ${sql(table)} AS ${sql("effect_translate_output")} WHERE ${sql.and(conditions)})`
}

/** An output with hashes. */
export type Known = RowsOutput & { readonly hash: NonNullable<RowsOutput["hash"]> }

/** The rows, with the hashes of the output in these languages; none if there is no output yet. */
export const rows = (
  client: tableClient.Client,
  table: Table,
  output: Known | undefined,
  targets: ReadonlyArray<string>
): Stream.Stream<KnownRow, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Stream.unwrap(
    Effect.map(client, (sql) => {
      const { key, read, text } = dialectOf(sql, table)
      const known = output === undefined ? [] : targets.map((target) => hashIn(sql, table, output, target))
      const columns = [
        ...table.key.map((name, index) => sql`${key(sql`${sql(name)}`)} AS ${sql(`k${index}`)}`),
        ...table.columns.map((name, index) => sql`${text(sql`${sql(name)}`)} AS ${sql(`c${index}`)}`),
        ...known.map((hash, index) => sql`${hash} AS ${sql(`h${index}`)}`)
      ]
      const knownOf = (raw: Raw): Either.Either<KnownRow, RowUnusable> =>
        Either.map(rowFrom(table, raw), (row) =>
          Object.assign(row, {
            [hashesOf]: new Map(targets.map((target, index) => [target, raw[`h${index}`]]))
          })
        )
      return read(sql`SELECT ${sql.csv(columns)} FROM ${from(sql, table)}`).pipe(
        Stream.mapError(tableClient.unusable(table.name)),
        Stream.mapChunksEffect((chunk) =>
          Effect.map(Either.all(Chunk.toReadonlyArray(chunk).map(knownOf)), Chunk.unsafeFromArray)
        )
      )
    })
  )

/** Reads the keys, and fails if one is missing or there twice. */
export const checkKeys = (
  client: tableClient.Client,
  table: Table
): Effect.Effect<void, TableUnusable | RowUnusable, SqlClient.SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* client
    const nulls = table.key.map(
      (name, index) => sql`MAX(CASE WHEN ${sql(name)} IS NULL THEN 1 ELSE 0 END) AS ${sql(`n${index}`)}`
    )
    const missing = table.key.map((name) => sql`${sql(name)} IS NULL`)
    const [found] = yield* tableClient.run(table.name)(
      sql<Raw>`SELECT ${sql.csv(nulls)} FROM ${from(sql, table)} GROUP BY ${list(sql, table.key)} HAVING COUNT(*) > 1 OR ${sql.or(missing)} LIMIT 1`
    )
    if (found === undefined) return
    const column = table.key.find((_, index) => Number(found[`n${index}`]) === 1)
    return yield* new RowUnusable({
      table: table.name,
      column: column ?? table.key.join(", "),
      problem: column === undefined ? "key twice" : "missing key"
    })
  })
