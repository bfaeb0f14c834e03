/**
 * Why the rows of a table can't be translated.
 *
 * @since 0.1.0
 */
export * as TableCorpusError from "../TableCorpusError.js"
/**
 * Rows of a query as what a job translates, into a table.
 *
 * @since 0.1.0
 */
export * as TableSource from "../TableSource.js"
