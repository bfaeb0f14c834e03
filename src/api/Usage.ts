/**
 * Usage of the current billing period.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Schema from "effect/Schema"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"

const count = <const Key extends string>(key: Key) => wire.hint(Schema.Number, key)

/** Null in the limit of a key means that it has none. */
const limit = <const Key extends string>(key: Key) => wire.hint(Schema.NullOr(Schema.Number), key)

const timeOf = <const Key extends string>(key: Key) => wire.hint(time.Utc, key)

/**
 * Usage of one product of the service.
 *
 * @since 0.1.0
 * @category schemas
 */
export const ProductUsage = wire.record({
  /** The product, such as `translate` or `write`. */
  productType: wire.hint(Schema.String, "product_type"),
  /** The unit of billing, such as `characters`. */
  billingUnit: wire.hint(Schema.String, "billing_unit"),
  /** Units used with this key. */
  apiKeyUnitCount: count("api_key_unit_count"),
  /** Units used by the account. */
  accountUnitCount: count("account_unit_count"),
  /** Characters (code points) used with this key. */
  apiKeyCharacterCount: count("api_key_character_count"),
  /** Characters (code points) used by the account. */
  characterCount: count("character_count")
})

/**
 * Usage of one product of the service.
 *
 * @since 0.1.0
 * @category models
 */
export interface ProductUsage extends Schema.Schema.Type<typeof ProductUsage> {}

/**
 * Usage and limits of the account and of the key. Every field is optional. It lags behind real consumption, so
 * it is a hint and cannot enforce a limit.
 *
 * Source: service specification, "What the service does", usage endpoint; wire facts, Usage.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Usage = wire.named("Usage", {
  /** Translated and improved characters (code points) in this period. */
  characterCount: count("character_count"),
  /** The most characters of this period. Where there is no limit it is absent, `null`, or a huge number such as 10^12. */
  characterLimit: count("character_limit"),
  products: wire.hint(wire.items(ProductUsage), "products"),
  /** Characters used with this key. */
  apiKeyCharacterCount: count("api_key_character_count"),
  /** The most characters for this key; `null` for no limit. */
  apiKeyCharacterLimit: limit("api_key_character_limit"),
  /** Milliseconds of transcribed speech. */
  speechToTextMillisecondsCount: count("speech_to_text_milliseconds_count"),
  /** The most milliseconds of transcribed speech for this key; `null` for no limit. */
  speechToTextMillisecondsLimit: limit("speech_to_text_milliseconds_limit"),
  /** Minutes of transcribed speech, as the public service counts it. */
  speechToTextMinutesCount: count("speech_to_text_minutes_count"),
  /** The most minutes of transcribed speech; `null` for no limit. */
  speechToTextMinutesLimit: limit("speech_to_text_minutes_limit"),
  /** Minutes of speech that was translated into speech, as the public service counts it. */
  speechToSpeechMinutesCount: count("speech_to_speech_minutes_count"),
  /** The most minutes of speech into speech; `null` for no limit. */
  speechToSpeechMinutesLimit: limit("speech_to_speech_minutes_limit"),
  /** The start of this period. */
  startTime: timeOf("start_time"),
  /** The end of this period. */
  endTime: timeOf("end_time"),
  /** Documents translated in this period. */
  documentCount: count("document_count"),
  /** The most documents of this period. */
  documentLimit: count("document_limit"),
  /** Documents translated by the team. */
  teamDocumentCount: count("team_document_count"),
  /** The most documents of the team. */
  teamDocumentLimit: count("team_document_limit")
})

/**
 * Usage and limits of the account and of the key.
 *
 * @since 0.1.0
 * @category models
 */
export interface Usage extends Schema.Schema.Type<typeof Usage> {}

/**
 * `GET /v2/usage`.
 *
 * Source: service specification, "What the service does", usage endpoint.
 *
 * @since 0.1.0
 * @category contract
 */
export const usage = HttpApiEndpoint.get("usage", "/v2/usage").addSuccess(Usage)

/**
 * The usage endpoints.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("usage").add(usage)
