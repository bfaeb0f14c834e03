/**
 * The state of a translated file: it tells the next translation which sources have changed since, and which translations
 * a person has corrected. It holds hashes, and no text.
 */
import * as Schema from "effect/Schema"

const Entry = Schema.Struct({
  /** The hash of the source that the text in the target file is a translation of, as far as that is known. */
  source: Schema.String,
  /** The hash of the text in the target file. */
  target: Schema.String,
  /** The author of that text: the machine, a person in this file or by a correction, or nobody yet: then it is the source's. */
  by: Schema.Literal("machine", "person", "correction", "nobody"),
  /** A person's translation whose source has changed since, and which was reported as such. */
  stale: Schema.optional(Schema.Boolean),
  /** A translation of the machine with other choices than those of the manifest. */
  outdated: Schema.optional(Schema.Boolean)
})

/** The state of a unit of the target file. */
export interface Entry extends Schema.Schema.Type<typeof Entry> {}

/** The state of a target file: an entry for each of its units, by their keys. */
export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  /** Hashes of the choices for the translations of the machine: options; service, glossaries and style rules. */
  choices: Schema.Struct({ options: Schema.String, service: Schema.String }),
  /** The hash of the format's settings, which say what is chosen of the source. */
  settings: Schema.optional(Schema.String),
  units: Schema.ReadonlyMap({ key: Schema.String, value: Entry })
})

export interface Manifest extends Schema.Schema.Type<typeof Manifest> {}

export interface Encoded extends Schema.Schema.Encoded<typeof Manifest> {}

/** The manifest of a target file that was never translated here. The texts of the file count as a person's. */
export const empty: Manifest = { version: 1, choices: { options: "", service: "" }, units: new Map() }
