/**
 * The billed calls of the library as activities, for workflows of your own.
 *
 * @since 0.1.0
 */
export * as Activities from "./Activities.js"
/**
 * The engine of durable jobs, and this worker in it.
 *
 * @since 0.1.0
 */
export * as Cluster from "./Cluster.js"
/**
 * Every way in which a worker fails to join the others, and how it loses their database.
 *
 * @since 0.1.0
 */
export * as ClusterError from "./ClusterError.js"
/**
 * One limit for all machines of a cluster.
 *
 * @since 0.1.0
 */
export * as ClusterLimit from "./ClusterLimit.js"
/**
 * The corpus of a durable job.
 *
 * @since 0.1.0
 */
export * as Corpus from "./Corpus.js"
/**
 * A durable job as data.
 *
 * @since 0.1.0
 */
export * as CorpusJob from "./CorpusJob.js"
/**
 * One upload per document, also if a process dies in between.
 *
 * @since 0.1.0
 */
export * as DocumentWorkflow from "./DocumentWorkflow.js"
/**
 * Files on a shared path, as the corpus of a durable job.
 *
 * @since 0.1.0
 */
export * as FileCorpus from "./FileCorpus.js"
/**
 * Control of durable jobs over HTTP, as a contract.
 *
 * @since 0.1.0
 */
export * as JobApi from "./JobApi.js"
/**
 * Control of durable jobs over HTTP.
 *
 * @since 0.1.0
 */
export * as JobClient from "./JobClient.js"
/**
 * Submits durable jobs, tells how far they are, and controls them.
 *
 * @since 0.1.0
 */
export * as JobControl from "./JobControl.js"
/**
 * Every way in which the control of durable jobs fails.
 *
 * @since 0.1.0
 */
export * as JobControlError from "./JobControlError.js"
/**
 * Serves control of durable jobs over HTTP, and a page for browsers.
 *
 * @since 0.1.0
 */
export * as JobServer from "./JobServer.js"
/**
 * The engine of durable jobs over a file of SQLite, for one worker.
 *
 * @since 0.1.0
 */
export * as LibsqlCluster from "./LibsqlCluster.js"
/**
 * Durable jobs of one machine, whole: a worker and the control of its jobs.
 *
 * @since 0.1.0
 */
export * as LibsqlWorker from "./LibsqlWorker.js"
/**
 * A budget that is kept in a database, for any number of processes.
 *
 * @since 0.1.0
 */
export * as SqlBudget from "./SqlBudget.js"
/**
 * The journal of documents in a database, for all machines.
 *
 * @since 0.1.0
 */
export * as SqlDocumentJournal from "./SqlDocumentJournal.js"
/**
 * Runs a worker again when it has lost its database or was killed.
 *
 * @since 0.1.0
 */
export * as Supervisor from "./Supervisor.js"
/**
 * Rows of a table or a query, as the corpus of a durable job.
 *
 * @since 0.1.0
 */
export * as TableCorpus from "./TableCorpus.js"
/**
 * A machine that translates durable jobs.
 *
 * @since 0.1.0
 */
export * as Worker from "./Worker.js"
/**
 * Events of a worker.
 *
 * @since 0.1.0
 */
export * as WorkerEvent from "./WorkerEvent.js"
