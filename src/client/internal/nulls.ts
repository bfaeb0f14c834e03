import * as AST from "effect/SchemaAST"

/** Leaves the nulls of a value out that mean nothing. */
type Omit = (value: unknown) => unknown

const takesNull = (ast: AST.AST): boolean => {
  switch (ast._tag) {
    case "Literal":
      return ast.literal === null
    case "Union":
      return ast.types.some(takesNull)
    case "Refinement":
      return takesNull(ast.from)
    default:
      return AST.isAnyKeyword(ast) || AST.isUnknownKeyword(ast)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const ofFields = (ast: AST.TypeLiteral): Omit => {
  const fields = new Map(
    ast.propertySignatures.map(({ isOptional, name, type }) => [
      String(name),
      { isOmitted: isOptional && !takesNull(type), omit: omit(type) }
    ])
  )
  const [others] = ast.indexSignatures.map(({ type }) => ({ isOmitted: !takesNull(type), omit: omit(type) }))
  return (value) =>
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).flatMap(([name, inner]) => {
            const field = fields.get(name) ?? others
            if (field === undefined) return [[name, inner] as const]
            return inner === null && field.isOmitted ? [] : [[name, field.omit?.(inner) ?? inner] as const]
          })
        )
      : value
}

/**
 * What leaves the nulls out that stand in optional fields of an answer, where they mean the same as no field: the service
 * may write either. `undefined` if the schema of the wire has no such fields.
 */
export const omit = (ast: AST.AST): Omit | undefined => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ofFields(ast)
    case "TupleType": {
      const item = ast.rest[0] === undefined ? undefined : omit(ast.rest[0].type)
      return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
    }
    case "Union": {
      const members = ast.types.flatMap((member) => omit(member) ?? [])
      return members.length === 0
        ? undefined
        : (value) => members.reduce((left, member) => member(left), value)
    }
    case "Refinement":
      return omit(ast.from)
    default:
      return undefined
  }
}
