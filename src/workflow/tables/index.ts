/**
 * Rows of a query as what a job translates, into a table.
 *
 * @since 0.1.0
 */
export * as TableSource from "../TableSource.js"
