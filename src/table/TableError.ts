/**
 * Why the rows of a table can't be translated.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { is, TaggedError } from "../internal/taggedError.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"

/**
 * The database does not read or write a table. A job waits while that may pass by itself, as while the database is away.
 *
 * @since 0.1.0
 * @category errors
 */
export class TableUnusable extends TaggedError<TableUnusable>()(
  "TableUnusable",
  {
    table: Schema.String,
    /** The code of the database: a SQLSTATE, or the name that SQLite has for it. */
    code: Schema.String,
    /** The database's message about names that it does not know, and about SQL that it can't read. */
    reason: Schema.optional(Schema.String)
  },
  ({ code, reason, table }) =>
    reason !== undefined
      ? `${table} can't be used: ${reason}.`
      : `${table} can't be used (${code}): check that it is there with its columns and a unique constraint on the key, that the workers may read and write it, and that the database answers.`,
  { isRetryable: ({ code }) => SqlErrorCode.isPassing(code) }
) {}

/**
 * A row can't be translated: its key is missing, there twice, or no text or integer; or a column holds something else than texts.
 *
 * @since 0.1.0
 * @category errors
 */
export class RowUnusable extends TaggedError<RowUnusable>()(
  "RowUnusable",
  {
    table: Schema.String,
    column: Schema.String,
    problem: Schema.Literal("missing key", "key twice", "type of key", "not a text")
  },
  ({ column, problem, table }) => {
    const place = `${table}, column ${JSON.stringify(column)}`
    switch (problem) {
      case "missing key":
        return `${place}: a row has no key. Leave such rows out by "where", or choose columns that are never NULL.`
      case "key twice":
        return `${place}: two rows have the same key. Choose columns that are unique together.`
      case "type of key":
        return `${place}: a key is no text, and no integer that JavaScript can hold. Choose other columns, or a query that casts it to a text.`
      case "not a text":
        return `${place}: a value is no text. Choose columns of texts, or a query that casts it to one.`
    }
  }
) {}

/**
 * Why the rows of a table can't be translated.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TableError = Schema.Union(TableUnusable, RowUnusable)

/**
 * Why the rows of a table can't be translated.
 *
 * @since 0.1.0
 * @category errors
 */
export type TableError = typeof TableError.Type

/**
 * Guards errors of tables.
 *
 * @since 0.1.0
 * @category guards
 */
export const isTableError = is(TableError)
