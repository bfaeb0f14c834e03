import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
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
export const annotated = <A, I, R>(
  schema: Schema.Schema<A, I, R>,
  annotations: Schema.Annotations.GenericSchema<A>
): Schema.Schema<A, I, R> =>
  Option.match(SchemaAST.getIdentifierAnnotation(schema.ast), {
    onNone: () => schema.annotations(annotations),
    onSome: (identifier) => schema.annotations({ ...annotations, identifier })
  })

/**
 * A part of an answer that becomes `undefined` if it can't be read: an odd field does not lose the paid rest. Only ids
 * and texts, and the lists that hold them, may fail an answer.
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

/** Pure, so that programs that only translate go without it. Not a `Schema.Record`, which would lose a field named `__proto__` when it copies, and walk through what may be nested deeply. */
const Unknown = /* #__PURE__ */ Schema.declare(Predicate.isReadonlyRecord, {
  identifier: "UnknownFields",
  jsonSchema: { type: "object" },
  arbitrary: () => (fc) =>
    fc.jsonValue().map((value) => ({ field: JSON.parse(JSON.stringify(value)) as unknown }))
}) as Schema.Schema<{ readonly [name: string]: unknown }>

const unknownFields = {
  /** Fields that this library does not know, under their names on the wire. */
  extra: /* #__PURE__ */ Schema.optional(Unknown)
}

/** A record of an answer. Fields that the contract does not know are gathered in its `extra`, under their names on the wire. */
export const record = <Fields extends Schema.Struct.Fields>(
  fields: Fields
): Schema.Schema<
  Schema.Struct.Type<Fields & typeof unknownFields>,
  Schema.Struct.Encoded<Fields>,
  Schema.Struct.Context<Fields>
> => {
  const known = Schema.Struct(fields).annotations({ parseOptions: { onExcessProperty: "preserve" } })
  const names = new Set(SchemaAST.getPropertySignatures(SchemaAST.typeAST(known.ast)).map(({ name }) => name))
  return Schema.transform(
    known as Schema.Schema.Any,
    Schema.typeSchema(Schema.Struct({ ...fields, ...unknownFields })) as Schema.Schema.Any,
    {
      strict: false,
      decode: (value: object) => {
        const [known, unknown] = Arr.partition(Object.entries(value), ([name]) => !names.has(name))
        return unknown.length === 0
          ? value
          : { ...Object.fromEntries(known), extra: Object.fromEntries(unknown) }
      },
      encode: ({ extra, ...rest }: { readonly extra?: object }) => ({ ...rest, ...extra })
    }
  ) as never
}

/** A record of an answer that has a name in OpenAPI. */
export const named = <Fields extends Schema.Struct.Fields>(identifier: string, fields: Fields) =>
  record(fields).annotations({ identifier })

/** A list in a record of an answer, without the items that can't be read. */
export const items = <A, I, R>(item: Schema.Schema<A, I, R>) =>
  Schema.transform(Schema.Array(lenient(item)), Schema.Array(Schema.typeSchema(item)), {
    strict: true,
    decode: Arr.filter((value) => value !== undefined),
    encode: identity
  })

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
