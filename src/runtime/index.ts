/**
 * Programs of Node: what becomes of them when they are broken off, and the code they end with.
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
 * An HTTP client of Node that goes through a proxy: that of the environment, or one that a program names.
 *
 * @since 0.1.0
 */
export * as ProxyHttpClient from "./ProxyHttpClient.js"
