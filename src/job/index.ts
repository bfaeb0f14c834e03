/**
 * A file as a source of a job.
 *
 * @since 0.1.0
 */
export * as FileSource from "./FileSource.js"
/**
 * Every way in which a file of a job can't be read or written.
 *
 * @since 0.1.0
 */
export * as FileSourceError from "./FileSourceError.js"
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
 * What a job translates.
 *
 * @since 0.1.0
 */
export * as JobSource from "./JobSource.js"
/**
 * What is remembered of a translated file.
 *
 * @since 0.1.0
 */
export * as TranslationManifest from "./TranslationManifest.js"
