/**
 * Where a store of translations keeps what it knows: for backends of your own.
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
