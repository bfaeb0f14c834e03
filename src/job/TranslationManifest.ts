/**
 * What is remembered of a translated file, so that the next translation knows which sources have changed since, and which
 * translations a person has corrected: hashes, and no text.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as taggedError from "../internal/taggedError.js"

/**
 * What is known of a unit of the target file.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Entry = Schema.Struct({
  /** The hash of the source that the text in the target file is a translation of, as far as that is known. */
  source: Schema.String,
  /** The hash of the text in the target file. */
  target: Schema.String,
  /** Who wrote that text: the machine, a person, or nobody yet: then it is the source's. */
  by: Schema.Literal("machine", "person", "nobody"),
  /** A person's translation whose source has changed since, and which was reported as such. */
  stale: Schema.optional(Schema.Boolean)
})

/**
 * What is known of a unit of the target file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/**
 * What is known of a target file: an entry for each of its units, by their keys.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TranslationManifest = Schema.Struct({
  version: Schema.Literal(1),
  units: Schema.ReadonlyMap({ key: Schema.String, value: Entry })
})

/**
 * What is known of a target file: an entry for each of its units, by their keys.
 *
 * @since 0.1.0
 * @category models
 */
export interface TranslationManifest extends Schema.Schema.Type<typeof TranslationManifest> {}

/**
 * The manifest of a target file that was never translated here. What the file holds counts as a person's.
 *
 * @since 0.1.0
 * @category constructors
 */
export const empty: TranslationManifest = { version: 1, units: new Map() }

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export const TypeId: unique symbol = Symbol.for("effect-translate/TranslationManifest")

/**
 * Marks the errors of this module.
 *
 * @since 0.1.0
 * @category type ids
 */
export type TypeId = typeof TypeId

const error = taggedError.make(TypeId)

/**
 * A text is no manifest, or one of a newer version of this library.
 *
 * @since 0.1.0
 * @category errors
 */
export class ManifestError extends error<ManifestError>()(
  "ManifestError",
  {},
  () =>
    "The manifest is damaged, or of a newer version: restore it or update effect-translate. Without a manifest, all that the target file holds counts as a person's translation."
) {}

/**
 * Whether a value is a `ManifestError`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isManifestError = (u: unknown): u is ManifestError => Predicate.hasProperty(u, TypeId)

const Json = Schema.parseJson(TranslationManifest, { space: 2 })

/**
 * Reads a manifest.
 *
 * @since 0.1.0
 * @category codecs
 */
export const decode = (json: string): Either.Either<TranslationManifest, ManifestError> =>
  Either.mapLeft(Schema.decodeEither(Json)(json), () => new ManifestError())

/**
 * The text of a manifest, for a file beside the target.
 *
 * @since 0.1.0
 * @category codecs
 */
export const encode: (manifest: TranslationManifest) => string = Schema.encodeSync(Json)
