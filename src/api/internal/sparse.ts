import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"

interface Field {
  readonly name: string
  readonly encode: (value: unknown) => Either.Either<unknown, ParseResult.ParseIssue>
}

const fieldsOf = (struct: Schema.Schema.All): ReadonlyMap<string, Field> => {
  const { from, transformation } = struct.ast as SchemaAST.Transformation
  const renamed = SchemaAST.isTypeLiteralTransformation(transformation)
    ? new Map(transformation.propertySignatureTransformations.map(({ from, to }) => [from, to]))
    : new Map<PropertyKey, PropertyKey>()
  return new Map(
    (from as SchemaAST.TypeLiteral).propertySignatures.map(({ name, type }) => [
      String(renamed.get(name) ?? name),
      { name: String(name), encode: ParseResult.encodeUnknownEither(Schema.make<unknown, unknown>(type)) }
    ])
  )
}

/**
 * Encodes only the fields that are there: a `Schema.Struct` goes over all the optional ones three times for each
 * request. It answers nothing if a field is unknown, missing or wrong; the struct then says why.
 */
export const encoder = (struct: Schema.Schema.All, required: ReadonlyArray<string>) => {
  const fields = fieldsOf(struct)
  return (value: object): { readonly [name: string]: unknown } | undefined => {
    const encoded: { [name: string]: unknown } = {}
    for (const [key, item] of Object.entries(value)) {
      const field = fields.get(key)
      if (field === undefined) return undefined
      if (item === undefined) continue
      const wire = field.encode(item)
      if (Either.isLeft(wire)) return undefined
      encoded[field.name] = wire.right
    }
    return required.every((name) => name in encoded) ? encoded : undefined
  }
}
