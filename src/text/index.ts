/**
 * Messages in the syntax of ICU: translated branch by branch, with the plural categories of the target language.
 *
 * @since 0.1.0
 */
export * as IcuMessage from "./IcuMessage.js"
/**
 * What a stream needs to know of a format of messages.
 *
 * @since 0.1.0
 */
export * as MessageFormat from "./MessageFormat.js"
