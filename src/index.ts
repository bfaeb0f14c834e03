/**
 * The differences between services of this shape, as data.
 *
 * @since 0.1.0
 */
export * as ServiceKind from "./api/ServiceKind.js"
/**
 * API keys and admin keys.
 *
 * @since 0.1.0
 */
export * as Auth from "./client/Auth.js"
/**
 * Pauses bulk operators while the service is down.
 *
 * @since 0.1.0
 */
export * as CircuitBreaker from "./client/CircuitBreaker.js"
/**
 * The number of requests that may be in flight at once.
 *
 * @since 0.1.0
 */
export * as ConcurrencyLimit from "./client/ConcurrencyLimit.js"
/**
 * Which errors are worth another attempt, and which end a run.
 *
 * @since 0.1.0
 */
export * as Errors from "./client/Errors.js"
/**
 * The features of languages, to check before anything is sent.
 *
 * @since 0.1.0
 */
export * as LanguageSupport from "./client/LanguageSupport.js"
/**
 * Languages, their codes and their features.
 *
 * @since 0.1.0
 */
export * as Languages from "./client/Languages.js"
/**
 * The treatment of a quota that is used up.
 *
 * @since 0.1.0
 */
export * as QuotaPolicy from "./client/QuotaPolicy.js"
/**
 * Where the service is.
 *
 * @since 0.1.0
 */
export * as Region from "./client/Region.js"
/**
 * Which rules of the specification refuse a request before it is sent.
 *
 * @since 0.1.0
 */
export * as RequestChecks from "./client/RequestChecks.js"
/**
 * The repetition of requests: which, after which pause, and how often.
 *
 * @since 0.1.0
 */
export * as RetryPolicy from "./client/RetryPolicy.js"
/**
 * Style rule lists and their instructions.
 *
 * @since 0.1.0
 */
export * as StyleRules from "./client/StyleRules.js"
/**
 * Every endpoint as an effect.
 *
 * @since 0.1.0
 */
export * as TranslateClient from "./client/TranslateClient.js"
/**
 * Every way in which a call fails.
 *
 * @since 0.1.0
 */
export * as TranslateError from "./client/TranslateError.js"
/**
 * Translation memories.
 *
 * @since 0.1.0
 */
export * as TranslationMemories from "./client/TranslationMemories.js"
/**
 * Why imports and exports of translation memories fail.
 *
 * @since 0.1.0
 */
export * as TranslationMemoryError from "./client/TranslationMemoryError.js"
/**
 * A batch of texts in, the same number of translations out.
 *
 * @since 0.1.0
 */
export * as Translator from "./client/Translator.js"
/**
 * Text improvement: requests and results.
 *
 * @since 0.1.0
 */
export * as Write from "./client/Write.js"
/**
 * CSV to rows and back, streaming.
 *
 * @since 0.1.0
 */
export * as Csv from "./format/Csv.js"
/**
 * Lines to texts and back, streaming.
 *
 * @since 0.1.0
 */
export * as Lines from "./format/Lines.js"
/**
 * Paid translations, and a ledger of sent requests.
 *
 * @since 0.1.0
 */
export * as TranslationStore from "./store/TranslationStore.js"
/**
 * A cap on the characters that jobs spend.
 *
 * @since 0.1.0
 */
export * as Budget from "./stream/Budget.js"
/**
 * A text that is not sent, since the service has failed with it before.
 *
 * @since 0.1.0
 */
export * as FailedBefore from "./stream/FailedBefore.js"
/**
 * Texts that were not translated, and why: written, read and corrected.
 *
 * @since 0.1.0
 */
export * as FailedUnits from "./stream/FailedUnits.js"
/**
 * The cost of a translation, without sending it.
 *
 * @since 0.1.0
 */
export * as Forecast from "./stream/Forecast.js"
/**
 * A job that was ended since the service does not translate.
 *
 * @since 0.1.0
 */
export * as ImplausibleAnswers from "./stream/ImplausibleAnswers.js"
/**
 * The outcome of each element, and its cost.
 *
 * @since 0.1.0
 */
export * as Outcome from "./stream/Outcome.js"
/**
 * The progress of a job.
 *
 * @since 0.1.0
 */
export * as Progress from "./stream/Progress.js"
/**
 * The findings of streams about the service, to be shared.
 *
 * @since 0.1.0
 */
export * as ServiceLimits from "./stream/ServiceLimits.js"
/**
 * Several target languages from one reading of the source.
 *
 * @since 0.1.0
 */
export * as Targets from "./stream/Targets.js"
/**
 * Calls of one text that share requests.
 *
 * @since 0.1.0
 */
export * as TranslateResolver from "./stream/TranslateResolver.js"
/**
 * Schemas of outcomes, errors and reports of streams.
 *
 * @since 0.1.0
 */
export * as TranslateSchema from "./stream/TranslateSchema.js"
/**
 * Streams of texts and rows through translation.
 *
 * @since 0.1.0
 */
export * as TranslateStream from "./stream/TranslateStream.js"
/**
 * The treatment of translations that look wrong.
 *
 * @since 0.1.0
 */
export * as Verification from "./stream/Verification.js"
/**
 * Streams of texts and rows through text improvement.
 *
 * @since 0.1.0
 */
export * as WriteStream from "./stream/WriteStream.js"
/**
 * Placeholders in texts, kept through translation.
 *
 * @since 0.1.0
 */
export * as Placeholder from "./text/Placeholder.js"
/**
 * The syntax that texts may hold, known or not understood.
 *
 * @since 0.1.0
 */
export * as Syntax from "./text/Syntax.js"
