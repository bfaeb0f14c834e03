/**
 * Every endpoint of administration as an effect.
 *
 * @since 0.1.0
 */
export * as AdminClient from "../client/AdminClient.js"
/**
 * The usage of an account: by key, by day, by custom tag.
 *
 * @since 0.1.0
 */
export * as Analytics from "../client/Analytics.js"
/**
 * The custom tag of requests.
 *
 * @since 0.1.0
 */
export * as CustomTag from "../client/CustomTag.js"
/**
 * The developer keys of an account.
 *
 * @since 0.1.0
 */
export * as DeveloperKeys from "../client/DeveloperKeys.js"
