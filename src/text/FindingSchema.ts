/**
 * Findings as JSON.
 *
 * @internal
 */
import * as Schema from "effect/Schema"

const ranges = Schema.Array(Schema.Struct({ start: Schema.Number, end: Schema.Number }))

/** Something that looks wrong: `Check.Finding`. */
export const Finding = Schema.Struct({
  check: Schema.String,
  severity: Schema.Literal("error", "warning"),
  explanation: Schema.String,
  source: ranges,
  translation: ranges
})
