/**
 * Files of SQLite as a `SqlClient`, for several processes at once.
 *
 * @since 0.1.0
 */
export * as LibsqlClient from "../LibsqlClient.js"
/**
 * A store of translations in a file of SQLite.
 *
 * @since 0.1.0
 */
export * as LibsqlTranslationStore from "../LibsqlTranslationStore.js"
