/**
 * What is remembered of a translated file, so that the next translation knows which sources have changed since, and which
 * translations a person has corrected: hashes, and no text.
 */
import * as Schema from "effect/Schema"

const Entry = Schema.Struct({
  /** The hash of the source that the text in the target file is a translation of, as far as that is known. */
  source: Schema.String,
  /** The hash of the text in the target file. */
  target: Schema.String,
  /** Who wrote that text: the machine, a person, or nobody yet: then it is the source's. */
  by: Schema.Literal("machine", "person", "nobody"),
  /** A person's translation whose source has changed since, and which was reported as such. */
  stale: Schema.optional(Schema.Boolean)
})

/** What is known of a unit of the target file. */
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/** What is known of a target file: an entry for each of its units, by their keys. */
export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  units: Schema.ReadonlyMap({ key: Schema.String, value: Entry })
})

export interface Manifest extends Schema.Schema.Type<typeof Manifest> {}

export interface Encoded extends Schema.Schema.Encoded<typeof Manifest> {}

/** The manifest of a target file that was never translated here. What the file holds counts as a person's. */
export const empty: Manifest = { version: 1, units: new Map() }
