/**
 * Programs of Node: their end by a signal, and their exit codes.
 *
 * @since 0.1.0
 */
export * as NodeProgram from "./NodeProgram.js"
/**
 * Buckets and `https:` as sources of jobs in programs of Node.
 *
 * @since 0.1.0
 */
export * as NodeStorage from "./NodeStorage.js"
/**
 * An HTTP client of Node that goes through a proxy, which the environment or the program names.
 *
 * @since 0.1.0
 */
export * as ProxyHttpClient from "./ProxyHttpClient.js"
