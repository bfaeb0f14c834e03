import * as JSONSchema from "effect/JSONSchema"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import * as Limits from "../Limits.js"
import * as checks from "./checks.js"
import * as wire from "./wire.js"

/** Parameters that texts and documents share. */
export const id = Schema.String.pipe(
  Schema.filter((id) => (id === "" ? "is empty: leave it out or give an id" : true))
)

export const glossaries = checks.list(id, Limits.translateGlossaries, "merge glossaries or choose among them")

export const translationMemory = Schema.String.pipe(
  // Without the flag `i`: patterns of JSON Schema have no flags.
  Schema.pattern(/^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/, {
    message: () => "must be a UUID: take the id from the list of translation memories"
  })
)

const { max, min } = Limits.translationMemoryThreshold

export const thresholdJson = { jsonSchema: { type: "integer", minimum: min, maximum: max } }

export const threshold = Schema.Number.pipe(
  Schema.filter((value) =>
    Number.isInteger(value) && value >= min && value <= max
      ? true
      : `is ${value}; it must be a whole number from ${min} to ${max}: ${Limits.translationMemoryThreshold.default} or more is recommended`
  )
).annotations(thresholdJson)

interface WithGlossary {
  readonly sourceLang?: string | undefined
  readonly glossaryId?: string | undefined
  readonly glossaryIds?: ReadonlyArray<string> | undefined
}

/** The rules for glossaries that need no request to check. */
export const glossaryProblems = (request: WithGlossary): ReadonlyArray<Schema.FilterIssue> =>
  request.glossaryId !== undefined && request.glossaryIds !== undefined
    ? [
        {
          path: ["glossaryIds"],
          message: "can't be combined with `glossaryId`: put all ids into `glossaryIds`"
        }
      ]
    : []

/** A value of JSON. */
type Json = null | boolean | number | string | ReadonlyArray<Json> | { readonly [name: string]: Json }

const Json: Schema.Schema<Json> = Schema.suspend(() =>
  Schema.Union(
    Schema.Null,
    Schema.Boolean,
    Schema.JsonNumber,
    Schema.String,
    Schema.Array(Json),
    Schema.Record({ key: Schema.String, value: Json })
  )
).annotations({ identifier: "Json" })

/** The field of a request that holds parameters which this library does not know. */
export const extra = {
  /**
   * Parameters that the service has learned and this library does not know yet, by their names on the wire. They are sent beside the others.
   * @default none
   */
  extraParameters: Schema.optional(Schema.Record({ key: Schema.String, value: Json }))
}

/** A request that has such parameters beside those that the contract knows. */
export const withExtra = <A extends { readonly extraParameters?: object | undefined }, I extends object>(
  identifier: string,
  known: Schema.Schema.Any,
  request: Schema.Schema<A, I>
): Schema.Schema<A, I> => {
  const onTheWire = Schema.encodedSchema(known)
  const names = new Set(SchemaAST.getPropertySignatures(onTheWire.ast).map(({ name }) => String(name)))
  const beside = Schema.extend(onTheWire, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  return Schema.transformOrFail(beside as Schema.Schema<object, I>, request, {
    strict: false,
    decode: (body) => {
      const [extraParameters, rest] = Record.partition({ ...body }, (_, name) => names.has(name))
      return ParseResult.succeed(Record.isEmptyRecord(extraParameters) ? rest : { ...rest, extraParameters })
    },
    encode: (body, _, ast) => {
      const { extraParameters = {}, ...rest } = body as I & { readonly extraParameters?: object }
      const taken = Object.keys(extraParameters).find((name) => names.has(name))
      return taken === undefined
        ? ParseResult.succeed({ ...rest, ...extraParameters })
        : ParseResult.fail(
            new ParseResult.Pointer(
              ["extraParameters"],
              undefined,
              new ParseResult.Type(ast, undefined, `names ${taken}, which this library knows: use its option`)
            )
          )
    }
  }).annotations({
    ...wire.strict,
    identifier,
    jsonSchema: JSONSchema.fromAST(known.ast, {
      definitions: {},
      definitionPath: "#/components/schemas/"
    }) as object
  })
}
