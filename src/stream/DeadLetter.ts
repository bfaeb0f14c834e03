/**
 * Failed elements as rows: the element as it came, and why it has no translation. For a file that is looked at, and sent again.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as Outcome from "./Outcome.js"

/**
 * What a dead letter has besides the fields of its source: for a schema of such rows, as `Csv.encode` takes one.
 *
 * @since 0.1.0
 * @category schemas
 */
export const fields = {
  /** The fields without a translation, or their positions where fields have no names. */
  failedFields: Schema.String,
  /** The tags of the errors. */
  reason: Schema.String,
  /** What the errors say, and what to do next. */
  message: Schema.String,
  /** Characters of attempts whose result is unknown. They may have been billed, and are billed again if the row is sent again. */
  ambiguousCharacters: Schema.NumberFromString
}

/**
 * Why an element has no translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reason extends Schema.Struct.Type<typeof fields> {}

/**
 * A failed element as a row: an element that is a text itself is the field `text`.
 *
 * @since 0.1.0
 * @category models
 */
export type DeadLetter<A> = (A extends string ? { readonly text: A } : A) & Reason

const joined = (values: ReadonlyArray<string | number>, separator: string): string =>
  Array.from(new Set(values)).join(separator)

const rowOf = <A>(source: A) =>
  (typeof source === "string" ? { text: source } : source) as A extends string ? { readonly text: A } : A

/**
 * The row of a failed element. It holds the texts of the element as they came, and no translation.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <B, A, E extends { readonly _tag: string; readonly message: string }>({
  cost,
  failures,
  source
}: Outcome.Failed<B, A, E>): DeadLetter<A> => ({
  ...rowOf(source),
  failedFields: joined(
    failures.map(({ field }) => field),
    ", "
  ),
  reason: joined(
    failures.map(({ error }) => error._tag),
    ", "
  ),
  message: joined(
    failures.map(({ error }) => error.message),
    "\n"
  ),
  ambiguousCharacters: cost.ambiguousCharacters
})
