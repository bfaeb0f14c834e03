/**
 * The contract: one `HttpApi` for the whole service, with wire names.
 *
 * @since 0.1.0
 */
export * as BodyLimit from "./BodyLimit.js"
export * as LanguageCode from "./LanguageCode.js"
export * as Limits from "./Limits.js"
export * as ServiceError from "./ServiceError.js"
export * as Text from "./Text.js"
export * as TranslateApi from "./TranslateApi.js"
export * as Usage from "./Usage.js"
export * as Violation from "./Violation.js"
