/**
 * A file to upload: from a path, bytes, or a stream.
 *
 * @since 0.1.0
 */
export * as DocumentSource from "../client/DocumentSource.js"
/**
 * Documents, one request at a time, and their handles.
 *
 * @since 0.1.0
 */
export * as Documents from "../client/Documents.js"
/**
 * The free space of disks, for documents.
 *
 * @since 0.1.0
 */
export * as DiskSpace from "./DiskSpace.js"
/**
 * Many files into many languages.
 *
 * @since 0.1.0
 */
export * as DocumentBatch from "./DocumentBatch.js"
/**
 * Every way in which a document fails.
 *
 * @since 0.1.0
 */
export * as DocumentError from "./DocumentError.js"
/**
 * The state of each document, kept so that it outlives the process.
 *
 * @since 0.1.0
 */
export * as DocumentJournal from "./DocumentJournal.js"
/**
 * Schemas of errors, outcomes and reports of document translations.
 *
 * @since 0.1.0
 */
export * as DocumentSchema from "./DocumentSchema.js"
/**
 * One document from file to file.
 *
 * @since 0.1.0
 */
export * as DocumentTranslation from "./DocumentTranslation.js"
