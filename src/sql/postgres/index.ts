/**
 * PostgreSQL as a `SqlClient` whose queries end.
 *
 * @since 0.1.0
 */
export * as PgClient from "../PgClient.js"
/**
 * A store of translations in PostgreSQL.
 *
 * @since 0.1.0
 */
export * as PgTranslationStore from "../PgTranslationStore.js"
