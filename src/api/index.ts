/**
 * The contract of the service: every endpoint, schema, rule and limit, with the names of the wire.
 *
 * @since 0.1.0
 */
export * as Api from "./Api.js"
