/**
 * What a document's upload gives: all that is needed to go on with it later, in another process too.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const fields = {
  documentId: Schema.String,
  /** The name that the document was uploaded with. */
  name: Schema.String,
  /** The name for its translation: the extension may be another one. */
  translatedName: Schema.String,
  /** The language that it is translated into. */
  targetLang: Schema.String
}

/**
 * What a document's upload gives. Who has the key can download the translation: encoding keeps it redacted. To store a
 * handle, encode it with {@link Stored}.
 *
 * Source: service specification, Resources, "Document translation handle".
 *
 * @since 0.1.0
 * @category schemas
 */
export const DocumentHandle = Schema.Struct({
  ...fields,
  documentKey: Schema.RedactedFromSelf(Schema.String)
}).annotations({ identifier: "DocumentHandle" })

/**
 * What a document's upload gives.
 *
 * @since 0.1.0
 * @category models
 */
export interface DocumentHandle extends Schema.Schema.Type<typeof DocumentHandle> {}

/**
 * A handle as JSON, **with its key in plain text**: what a journal stores and loads. Keep it where a password may be kept.
 *
 * @since 0.1.0
 * @category codecs
 */
export const Stored = Schema.Struct({ ...fields, documentKey: Schema.Redacted(Schema.String) }).annotations({
  identifier: "StoredDocumentHandle"
})
