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
 * The languages of a job and the options of its texts, as data.
 *
 * @since 0.1.0
 */
export * as JobOptions from "./JobOptions.js"
/**
 * The result of a job, and the next step.
 *
 * @since 0.1.0
 */
export * as JobReport from "./JobReport.js"
/**
 * The sources of a job.
 *
 * @since 0.1.0
 */
export * as JobSource from "./JobSource.js"
/**
 * The faults of translated files, without a service.
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
