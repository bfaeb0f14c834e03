import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { identity } from "effect/Function"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as AnswerLimit from "../../../api/AnswerLimit.js"
import type { TranslateError } from "../../TranslateError.js"
import type { Call, Endpoint } from "./call.js"
import * as responseBody from "./responseBody.js"
import * as responseErrors from "./responseErrors.js"

type Response = HttpClientResponse.HttpClientResponse

/** Makes the value of a success. The status does not matter: any 2xx that can be decoded is a success. */
export type Decode<A> = (call: Call, received: Response) => Effect.Effect<A, TranslateError>

const limitOf = (endpoint: Endpoint, { request }: Response): number => {
  const { base, perRequestByte } = Context.get(endpoint.annotations, AnswerLimit.AnswerLimit)
  return base + perRequestByte * (request.body.contentLength ?? 0)
}

/** The bytes of a success, without their content bodies. */
const bytesOf = (call: Call, received: Response): Effect.Effect<Uint8Array, TranslateError> => {
  const encodings = responseBody.encodingsOf(received)
  const unknown = responseBody.unknownEncoding(encodings)
  if (unknown !== undefined) return Effect.fail(responseErrors.undecodable(call, { encoding: unknown }))
  const limit = limitOf(call.settings.endpoint, received)
  return Effect.matchEffect(responseBody.read(received, limit), {
    onFailure: (error) => Effect.fail(responseErrors.transportError(call, error)),
    onSuccess: (body) => {
      const decoded = responseBody.decompress(body, encodings, limit)
      if (decoded === undefined) return Effect.fail(responseErrors.undecodable(call))
      return decoded.isCut
        ? Effect.fail(responseErrors.undecodable(call, { limit }))
        : Effect.succeed(decoded.bytes)
    }
  })
}

/** Malformed bytes are no text, where U+FFFD would stand in a translation. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

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
      { isOmitted: isOptional && !takesNull(type), omit: omitNulls(type) }
    ])
  )
  const [others] = ast.indexSignatures.map(({ type }) => ({
    isOmitted: !takesNull(type),
    omit: omitNulls(type)
  }))
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
const omitNulls = (ast: AST.AST): Omit | undefined => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ofFields(ast)
    case "TupleType": {
      const item = ast.rest[0] === undefined ? undefined : omitNulls(ast.rest[0].type)
      return item && ((value) => (Array.isArray(value) ? value.map(item) : value))
    }
    case "Union": {
      const members = ast.types.flatMap((member) => omitNulls(member) ?? [])
      return members.length === 0
        ? undefined
        : (value) => members.reduce((left, member) => member(left), value)
    }
    case "Refinement":
      return omitNulls(ast.from)
    default:
      return undefined
  }
}

/** Decodes an answer with a body by its schema. */
export const make = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const isText = HttpApiSchema.getEncoding(schema.ast).kind === "Text"
  const decode = Schema.decodeUnknownEither(schema)
  const omit = omitNulls(AST.encodedAST(schema.ast)) ?? identity
  const valueOf = (text: string) => (isText ? text : omit(JSON.parse(text)))
  return (call, received) =>
    Effect.flatMap(bytesOf(call, received), (bytes) => {
      const value = Either.flatMap(
        Either.try(() => valueOf(utf8.decode(bytes))),
        decode
      )
      return Either.isRight(value)
        ? Effect.succeed(value.right)
        : Effect.fail(responseErrors.undecodable(call, { encoding: responseBody.suspectEncoding(received) }))
    })
}

const isStream = (ast: AST.AST): boolean => HttpApiSchema.getStatusSuccessAST(ast) !== 204

const ofEndpoint = ({ successSchema }: Endpoint): Decode<unknown> => {
  if (!HttpApiSchema.isVoid(successSchema.ast)) return make(successSchema as Schema.Schema<unknown>)
  // The contract declares a download as empty, since its caller reads it as a stream.
  return isStream(successSchema.ast)
    ? () => Effect.void
    : (_, received) => Effect.asVoid(responseBody.readBriefly(received))
}

const ofEndpoints = new WeakMap<Endpoint, Decode<unknown>>()

/** Decodes the answer of the call's own endpoint. */
export const decode: Decode<unknown> = (call, received) => {
  const { endpoint } = call.settings
  const decode = ofEndpoints.get(endpoint) ?? ofEndpoint(endpoint)
  ofEndpoints.set(endpoint, decode)
  return decode(call, received)
}
