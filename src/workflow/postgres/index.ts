/**
 * The engine of durable jobs over PostgreSQL, for many workers.
 *
 * @since 0.1.0
 */
export * as PgCluster from "../PgCluster.js"
/**
 * Durable jobs of many machines, whole: a worker and the control of its jobs.
 *
 * @since 0.1.0
 */
export * as PgWorker from "../PgWorker.js"
