/** The file of settings: `effect-translate.config.json`, or `.mjs`, whose default export is the same. */
import * as Schema from "effect/Schema"

/** A service and its keys. The keys themselves are never in the file. */
export const Profile = Schema.Struct({
  url: Schema.optional(Schema.String),
  scheme: Schema.optional(Schema.String),
  tier: Schema.optional(Schema.Literal("paid", "free")),
  account: Schema.optional(Schema.String),
  /** The file that holds the key; relative to this file. */
  keyFile: Schema.optional(Schema.String),
  /** The variable of the environment that holds the key. */
  keyVariable: Schema.optional(Schema.String),
  adminKeyFile: Schema.optional(Schema.String),
  adminKeyVariable: Schema.optional(Schema.String)
})

/** What `translate` does without flags. Each is the flag of its name. */
export const Translate = Schema.Struct({
  files: Schema.optional(Schema.Array(Schema.String)),
  from: Schema.optional(Schema.String),
  to: Schema.optional(Schema.Array(Schema.String)),
  out: Schema.optional(Schema.String),
  format: Schema.optional(Schema.String),
  columns: Schema.optional(Schema.Array(Schema.String)),
  fields: Schema.optional(Schema.Array(Schema.String)),
  glossary: Schema.optional(Schema.String),
  style: Schema.optional(Schema.String),
  formality: Schema.optional(Schema.Literal("default", "more", "less", "prefer_more", "prefer_less")),
  context: Schema.optional(Schema.String),
  budget: Schema.optional(Schema.Number),
  price: Schema.optional(Schema.Number),
  store: Schema.optional(Schema.String),
  existing: Schema.optional(Schema.Literal("keep", "overwrite"))
})

export interface Translate extends Schema.Schema.Type<typeof Translate> {}

export const ConfigFile = Schema.Struct({
  $schema: Schema.optional(Schema.String),
  ...Profile.fields,
  profiles: Schema.optional(Schema.Record({ key: Schema.String, value: Profile })),
  translate: Schema.optional(Translate)
})

export interface ConfigFile extends Schema.Schema.Type<typeof ConfigFile> {}
