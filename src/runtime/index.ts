/**
 * Programs of Node: what becomes of them when they are broken off, and the code they end with.
 *
 * @since 0.1.0
 */
export * as NodeProgram from "./NodeProgram.js"
