/**
 * Addresses of remote files.
 *
 * @since 0.1.0
 */
export * as Address from "./Address.js"
/**
 * Files behind `https://host/path`.
 *
 * @since 0.1.0
 */
export * as HttpStorage from "./HttpStorage.js"
/**
 * Objects of buckets, by `s3://bucket/key`.
 *
 * @since 0.1.0
 */
export * as S3Storage from "./S3Storage.js"
/**
 * The files that jobs read and write by addresses.
 *
 * @since 0.1.0
 */
export * as Storage from "./Storage.js"
/**
 * Why an address can't be read or written.
 *
 * @since 0.1.0
 */
export * as StorageError from "./StorageError.js"
