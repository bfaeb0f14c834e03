/**
 * The contract of the service: every endpoint, schema, rule and limit, with the names of the wire.
 *
 * @since 0.1.0
 */

/**
 * The usage of an account: by key, by day, by custom tag.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Analytics from "./Analytics.js"
/**
 * Instructions of a style rule list.
 *
 * @since 0.1.0
 * @category contract
 */
export * as CustomInstruction from "./CustomInstruction.js"
/**
 * The developer keys of an account.
 *
 * @since 0.1.0
 * @category contract
 */
export * as DeveloperKey from "./DeveloperKey.js"
/**
 * Document translation.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Document from "./Document.js"
/**
 * Glossaries.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Glossary from "./Glossary.js"
/**
 * Languages and their features.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Language from "./Language.js"
/**
 * Language codes: any casing is accepted and becomes BCP 47.
 *
 * @since 0.1.0
 * @category contract
 */
export * as LanguageCode from "./LanguageCode.js"
/**
 * The limits of the service.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Limits from "./Limits.js"
/**
 * The glossaries of version 2, of one dictionary each.
 *
 * @since 0.1.0
 * @category contract
 */
export * as MonolingualGlossary from "./MonolingualGlossary.js"
/**
 * The OpenAPI document of the contract.
 *
 * @since 0.1.0
 * @category contract
 */
export * as OpenApiDocument from "./OpenApiDocument.js"
/**
 * The error answers of the service.
 *
 * @since 0.1.0
 * @category contract
 */
export * as ServiceError from "./ServiceError.js"
/**
 * Style rule lists.
 *
 * @since 0.1.0
 * @category contract
 */
export * as StyleRule from "./StyleRule.js"
/**
 * Text translation.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Text from "./Text.js"
/**
 * The contract of the whole service.
 *
 * @since 0.1.0
 * @category contract
 */
export * as TranslateApi from "./TranslateApi.js"
/**
 * Translation memories.
 *
 * @since 0.1.0
 * @category contract
 */
export * as TranslationMemory from "./TranslationMemory.js"
/**
 * Imports and exports of translation memories.
 *
 * @since 0.1.0
 * @category contract
 */
export * as TranslationMemoryJob from "./TranslationMemoryJob.js"
/**
 * Usage of the billing period.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Usage from "./Usage.js"
/**
 * The rules that a value breaks, by field.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Violation from "./Violation.js"
/**
 * Realtime transcription and translation of speech.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Voice from "./Voice.js"
/**
 * Text improvement.
 *
 * @since 0.1.0
 * @category contract
 */
export * as Write from "./Write.js"
