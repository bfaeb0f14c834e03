import * as Schema from "effect/Schema"

/**
 * A choice that the caller has to make by an option of the format: it is missing, or the file has no such item.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Choice = Schema.Struct({
  /** The option, of `Formats.make` too. */
  option: Schema.Literal("columns", "select"),
  /** Names that are chosen and not in the file; none if nothing is chosen. */
  value: Schema.optional(Schema.String),
  /** The columns that the file has: their names in quotes, shortened where they are long or many. */
  known: Schema.optional(Schema.String)
})

/**
 * A choice that the caller has to make for a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Choice extends Schema.Schema.Type<typeof Choice> {}

/**
 * The fit of the columns or paths that were chosen of a file.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Selection = Schema.Struct({
  option: Schema.Literal("columns", "select"),
  /** The columns or paths that the file has. */
  found: Schema.Array(Schema.String),
  /** Those that it has nowhere. */
  lacks: Schema.Array(Schema.String),
  /** Names that the file has: see {@link Choice}. */
  known: Schema.String,
  /** The number of values that are missing in their row, or null: nothing is translated there. */
  absent: Schema.Number,
  /** The number of values that are no texts: numbers, or a list or an object in place of a text, or the other way round. They are left as they are. */
  noTexts: Schema.Number,
  /** Name the first 20 of these, as units are named. */
  keys: Schema.Array(Schema.String)
})

/**
 * The fit of the columns or paths that were chosen of a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Selection extends Schema.Schema.Type<typeof Selection> {}
