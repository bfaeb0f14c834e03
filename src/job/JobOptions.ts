/**
 * The languages of a job and the options of its texts, as data: jobs, durable jobs, jobs over HTTP and the file of settings take the same.
 *
 * @since 0.1.0
 */

/**
 * Targets in their canonical form.
 *
 * @internal
 */
export { canonical, langOf, optionsFor } from "./internal/canonicalTarget.js"

/**
 * The languages, and the options of all texts.
 *
 * @since 0.1.0
 * @category schemas
 */
export { Options, OwnTarget, Target } from "./internal/jobTarget.js"
