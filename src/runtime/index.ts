/**
 * Programs of Node: what becomes of them when they are broken off, the code they end with, and the proxy that they go through.
 *
 * @since 0.1.0
 */
export * as NodeProgram from "./NodeProgram.js"
export * as ProxyHttpClient from "./ProxyHttpClient.js"
