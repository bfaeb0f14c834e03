import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as utf8 from "../../internal/utf8.js"

/** Requests allow no unknown fields, which catches misspelt ones, and all violations are reported at once. */
export const strict = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

/** An optional field under its name on the wire. */
export const optional = <A, I, R, const Name extends string>(schema: Schema.Schema<A, I, R>, name: Name) =>
  Schema.optional(schema).pipe(Schema.fromKey(name))

/** A field under its name on the wire. */
export const required = <A, I, R, const Name extends string>(schema: Schema.Schema<A, I, R>, name: Name) =>
  Schema.propertySignature(schema).pipe(Schema.fromKey(name))

/** Annotations take a schema its name in the OpenAPI document. Here it stays. */
const annotated = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  annotations: Schema.Annotations.GenericSchema<A>
): Schema.Schema<A, I, R> =>
  Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
    onNone: () => schema.annotations(annotations),
    onSome: (identifier) => schema.annotations({ ...annotations, identifier })
  })

/**
 * A part of an answer that becomes `undefined` if it can't be read: an odd field does not lose what was paid for or made. Only
 * ids and texts, and the lists that hold them, may fail an answer.
 */
export const lenient = <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  annotated(schema, { decodingFallback: () => Either.right(undefined as A) })

/** An optional field of an answer. One that can't be read, such as null or a time of no characters, counts as left out. */
export const hint = <A, I, R, const Name extends string>(schema: Schema.Schema<A, I, R>, name: Name) =>
  Schema.optionalToOptional(lenient(schema), Schema.UndefinedOr(Schema.typeSchema(schema)), {
    decode: Option.filter((value): value is A => value !== undefined),
    encode: Option.filter((value) => value !== undefined)
  }).pipe(Schema.fromKey(name))

/** A field of an answer that has a value of ours where the service leaves it out, or it can't be read. */
export const defaulted = <A, I, R, const Name extends string>(
  schema: Schema.Schema<A, I, R>,
  name: Name,
  value: () => NoInfer<A>
) =>
  Schema.optionalToRequired(lenient(schema), Schema.typeSchema(schema), {
    decode: (found) => Option.getOrUndefined(found) ?? value(),
    encode: Option.some
  }).pipe(Schema.fromKey(name))

/** A list in a record of an answer, without the items that can't be read. */
export const items = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.transform(Schema.Array(lenient(item)), Schema.Array(Schema.typeSchema(item)), {
    strict: true,
    decode: Arr.filter((value) => value !== undefined),
    encode: identity
  })

/** An answer of a status. With the status given to `addSuccess`, the schema would lose its name in the OpenAPI document. */
const withStatus =
  (status: number) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    annotated(schema, HttpApiSchema.annotations({ status }))

/** The answer 201. */
export const created = withStatus(201)

/** The answer 202. */
export const accepted = withStatus(202)

/** A string with its known values, which may get new ones. */
export const open = <const Known extends string>(
  ...known: ReadonlyArray<Known>
): Schema.Schema<Known | (string & {}), string> =>
  Schema.String.annotations({ jsonSchema: { type: "string", examples: known } })

/** A whole number in a query, within a range. */
export const whole = (min: number, max = Number.POSITIVE_INFINITY) =>
  Schema.NumberFromString.pipe(
    Schema.filter((value) => {
      if (Number.isInteger(value) && value >= min && value <= max) return true
      const range = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`
      return `is ${value}; it must be a whole number ${range}`
    })
  ).annotations({
    jsonSchema: { type: "integer", minimum: min, ...(Number.isFinite(max) ? { maximum: max } : {}) }
  })

/** URL parsers resolve `.` and `..`, encoded or not: such an id would reach another route. */
const idProblem = (id: string): string | undefined => {
  if (id === "") return "is empty: give the id"
  if (id === "." || id === "..") return `is "${id}", which is no id: give the id as the service made it`
  return utf8.hasLoneSurrogate(id) ? "holds half a character: give the id as the service made it" : undefined
}

/** Encodes only: a server gets its path parameters already decoded. */
const Segment = Schema.transform(
  Schema.String,
  Schema.String.pipe(Schema.filter((id) => idProblem(id) ?? true)),
  {
    strict: true,
    decode: (id) => id,
    encode: encodeURIComponent
  }
)

/** An id in the path, under its name on the wire. */
export const pathId = <const Name extends string>(name: Name) =>
  Schema.propertySignature(Segment).pipe(Schema.fromKey(name))
