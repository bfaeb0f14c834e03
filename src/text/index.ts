/**
 * Messages in the syntax of ICU: translated branch by branch, with the plural categories of the target language.
 *
 * @since 0.1.0
 */
export * as IcuMessage from "./IcuMessage.js"
/**
 * The interface of a message format for streams.
 *
 * @since 0.1.0
 */
export * as MessageFormat from "./MessageFormat.js"
