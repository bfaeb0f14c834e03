/**
 * Texts that a job did not translate, and why: written, read, corrected, and translated again.
 *
 * @since 0.1.0
 */
export * as FailedUnits from "./FailedUnits.js"
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
 * Why a job fails.
 *
 * @since 0.1.0
 */
export * as JobError from "./JobError.js"
/**
 * What a job has done, and what is to be done next.
 *
 * @since 0.1.0
 */
export * as JobReport from "./JobReport.js"
/**
 * What a job translates.
 *
 * @since 0.1.0
 */
export * as JobSource from "./JobSource.js"
/**
 * What is wrong with translated files, without a service.
 *
 * @since 0.1.0
 */
export * as OutputCheck from "./OutputCheck.js"
/**
 * Sources into languages, as one value.
 *
 * @since 0.1.0
 */
export * as TranslationJob from "./TranslationJob.js"
