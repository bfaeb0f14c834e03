/**
 * Checks of translations: built-in ones, and the interface of your own.
 *
 * @since 0.1.0
 */
export * as Check from "../Check.js"
