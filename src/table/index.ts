/**
 * Why the rows of a table can't be translated.
 *
 * @since 0.1.0
 */
export * as TableError from "./TableError.js"
/**
 * Rows of a query as the source of a job, into a table.
 *
 * @since 0.1.0
 */
export * as TableSource from "./TableSource.js"
