/**
 * Files through translation, in any format.
 *
 * @since 0.1.0
 */
export * as FileTranslation from "./FileTranslation.js"
/**
 * Translates what is missing or has changed in an existing file.
 *
 * @since 0.1.0
 */
export * as FileUpdate from "./FileUpdate.js"
/**
 * What is remembered of a translated file.
 *
 * @since 0.1.0
 */
export * as TranslationManifest from "./TranslationManifest.js"
