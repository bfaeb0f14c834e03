/**
 * The developer keys of an account, and their limits.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import type * as Brand from "effect/Brand"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "./AnswerLimit.js"
import { created } from "./internal/successStatus.js"
import * as time from "./internal/time.js"
import * as wire from "./internal/wire.js"

/**
 * A developer key as its record holds it: two GUIDs joined by `:`. It is a secret.
 *
 * Source: service specification, Resources, "Developer key".
 *
 * @since 0.1.0
 * @category models
 */
export type KeyId = Redacted.Redacted<string & Brand.Brand<"effect-translate/KeyId">>

/**
 * A developer key as its record holds it. It is a secret.
 *
 * Source: service specification, Resources, "Developer key".
 *
 * @since 0.1.0
 * @category schemas
 */
export const KeyId: Schema.Schema<KeyId, string> = Schema.Redacted(
  Schema.String.pipe(Schema.brand("effect-translate/KeyId"))
)

/** Refuses the masked keys of reports, which hold stars. */
const GivenKey = KeyId.pipe(
  Schema.filter((keyId) => {
    const key = Redacted.value(keyId)
    if (key === "") return "is empty: give the keyId of the key's record"
    return key.includes("*") ? "is a masked key: give the keyId of the key's record" : true
  })
)

/**
 * Makes a key id from a string, such as one from a configuration.
 *
 * @since 0.1.0
 * @category constructors
 */
export const keyId = (id: string): KeyId =>
  Redacted.make(id as string & Brand.Brand<"effect-translate/KeyId">)

/**
 * A developer key as reports show it, such as `dc88****3a2c`. No endpoint accepts it.
 *
 * Source: service specification, Resources, "Usage report (admin)".
 *
 * @since 0.1.0
 * @category schemas
 */
export const MaskedKey = Schema.String.pipe(Schema.brand("effect-translate/MaskedKey"))

/**
 * A developer key as reports show it.
 *
 * @since 0.1.0
 * @category models
 */
export type MaskedKey = Schema.Schema.Type<typeof MaskedKey>

const limit = Schema.NullOr(Schema.Number)
  .pipe(
    Schema.filter(
      (value) =>
        value === null ||
        (Number.isSafeInteger(value) && value >= 0) ||
        `is ${value}; it must be a whole number of at least 0, or null for no limit`
    )
  )
  .annotations({ jsonSchema: { anyOf: [{ type: "integer", minimum: 0 }, { type: "null" }] } })

/**
 * The monthly limits of a key. 0 blocks it, `null` is no limit.
 *
 * Source: service specification, Resources, "Developer key"; Limits, "Key-level usage limit".
 *
 * @since 0.1.0
 * @category schemas
 */
export const UsageLimits = wire.record({
  /** Characters (code points). */
  characters: wire.hint(Schema.NullOr(Schema.Number), "characters"),
  /** Milliseconds of speech. */
  speechToTextMilliseconds: wire.hint(Schema.NullOr(Schema.Number), "speech_to_text_milliseconds")
})

/**
 * The monthly limits of a key. 0 blocks it, `null` is no limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface UsageLimits extends Schema.Schema.Type<typeof UsageLimits> {}

/**
 * A developer key.
 *
 * Source: service specification, Resources, "Developer key".
 *
 * @since 0.1.0
 * @category schemas
 */
export const DeveloperKey = wire.named("DeveloperKey", {
  /** The key itself. */
  keyId: wire.required(KeyId, "key_id"),
  /** Empty if the answer leaves it out. */
  label: wire.defaulted(Schema.String, "label", () => ""),
  creationTime: wire.hint(time.Utc, "creation_time"),
  /** Since when the service refuses it. */
  deactivatedTime: wire.hint(time.Utc, "deactivated_time"),
  isDeactivated: wire.defaulted(Schema.Boolean, "is_deactivated", () => false),
  usageLimits: wire.hint(UsageLimits, "usage_limits")
})

/**
 * A developer key.
 *
 * @since 0.1.0
 * @category models
 */
export interface DeveloperKey extends Schema.Schema.Type<typeof DeveloperKey> {}

/**
 * A new key.
 *
 * @since 0.1.0
 * @category schemas
 */
export const NewDeveloperKey = Schema.Struct({
  /** The name of the key for people. @default a label of the service's choice */
  label: Schema.optional(Schema.String)
}).annotations(wire.strict)

/**
 * A new key.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewDeveloperKey extends Schema.Schema.Type<typeof NewDeveloperKey> {}

/**
 * The key to deactivate.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Deactivation = Schema.Struct({ keyId: wire.required(GivenKey, "key_id") }).annotations(
  wire.strict
)

/**
 * A key and its new label.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Renaming = Schema.Struct({
  keyId: wire.required(GivenKey, "key_id"),
  label: Schema.String
}).annotations(wire.strict)

/**
 * A key and its new label.
 *
 * @since 0.1.0
 * @category models
 */
export interface Renaming extends Schema.Schema.Type<typeof Renaming> {}

const limitFields = {
  /** Characters (code points). @default the limit stays as it is */
  characters: Schema.optional(limit),
  /** Milliseconds of speech. @default the limit stays as it is */
  speechToTextMilliseconds: wire.optional(limit, "speech_to_text_milliseconds")
}

/**
 * New monthly limits of a key, at least one of the two. 0 blocks the key, `null` lifts the limit.
 *
 * @since 0.1.0
 * @category models
 */
export interface NewUsageLimits extends Schema.Struct.Type<typeof limitFields> {}

/**
 * A key and its monthly limits. A limit that is left out stays as it is.
 *
 * Source: service specification, Endpoints, "Admin: developer keys".
 *
 * @since 0.1.0
 * @category schemas
 */
export const Limitation = Schema.Struct({
  keyId: wire.required(GivenKey, "key_id"),
  ...limitFields
})
  .pipe(
    Schema.filter(
      ({ characters, speechToTextMilliseconds }) =>
        characters !== undefined ||
        speechToTextMilliseconds !== undefined || {
          path: ["characters"],
          message:
            "is missing, and so is `speechToTextMilliseconds`: give the limit to set, or null to lift it"
        }
    )
  )
  .annotations(wire.strict)

/**
 * A key and its monthly limits.
 *
 * @since 0.1.0
 * @category models
 */
export interface Limitation extends Schema.Schema.Type<typeof Limitation> {}

/**
 * The endpoints of developer keys.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("developerKeys")
  .add(
    HttpApiEndpoint.post("create", "/v2/admin/developer-keys")
      .setPayload(NewDeveloperKey)
      .addSuccess(DeveloperKey)
      // The specification does not say whether the status is 200 or 201. An answer that is not decoded would leave an unknown key.
      .addSuccess(created(DeveloperKey))
  )
  .add(
    HttpApiEndpoint.get("list", "/v2/admin/developer-keys")
      .annotate(AnswerLimit.AnswerLimit, AnswerLimit.ofLists)
      .addSuccess(Schema.Array(DeveloperKey))
  )
  .add(
    HttpApiEndpoint.put("deactivate", "/v2/admin/developer-keys/deactivate")
      .setPayload(Deactivation)
      .addSuccess(DeveloperKey)
  )
  .add(
    HttpApiEndpoint.put("rename", "/v2/admin/developer-keys/label")
      .setPayload(Renaming)
      .addSuccess(DeveloperKey)
  )
  .add(
    HttpApiEndpoint.put("setLimits", "/v2/admin/developer-keys/limits")
      .setPayload(Limitation)
      .addSuccess(DeveloperKey)
  )
