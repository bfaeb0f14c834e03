/**
 * Files of SQLite as a `SqlClient`, for several processes at once.
 *
 * @since 0.1.0
 */
export * as LibsqlClient from "./LibsqlClient.js"
/**
 * PostgreSQL as a `SqlClient` whose queries end.
 *
 * @since 0.1.0
 */
export * as PgClient from "./PgClient.js"
/**
 * The database's own code of an error.
 *
 * @since 0.1.0
 */
export * as SqlErrorCode from "./SqlErrorCode.js"
/**
 * A store of translations in a file of SQLite, or in PostgreSQL. Any number of processes may use it at once.
 *
 * @since 0.1.0
 */
export * as SqlTranslationStore from "./SqlTranslationStore.js"
