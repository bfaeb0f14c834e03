/**
 * What may be wrong with a translation: built-in checks, and the shape of your own.
 *
 * @since 0.1.0
 */
export * as Check from "../Check.js"
