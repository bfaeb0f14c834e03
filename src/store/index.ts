/**
 * The storage behind a store of translations: for backends of your own.
 *
 * @since 0.1.0
 */
export * as StoreBackend from "./StoreBackend.js"
/**
 * Why a store of translations fails.
 *
 * @since 0.1.0
 */
export * as StoreError from "./StoreError.js"
/**
 * Stores as files: CSV, JSON Lines and TMX.
 *
 * @since 0.1.0
 */
export * as StoreExchange from "./StoreExchange.js"
/**
 * Corrections as a translation memory of the service.
 *
 * @since 0.1.0
 */
export * as TranslationMemorySync from "./TranslationMemorySync.js"
/**
 * Why a translation memory is not pushed or pulled.
 *
 * @since 0.1.0
 */
export * as TranslationMemorySyncError from "./TranslationMemorySyncError.js"
