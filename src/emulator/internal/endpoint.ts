import * as HttpApi from "@effect/platform/HttpApi"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { BodyLimit } from "../../api/BodyLimit.js"
import { FormBody } from "../../api/FormBody.js"
import * as TranslateApi from "../../api/TranslateApi.js"

type Part = Schema.Schema<unknown, unknown> | undefined

/** The groups of the contract. */
export type Group =
  typeof TranslateApi.TranslateApi extends HttpApi.HttpApi<infer _Id, infer Groups, infer _E, infer _R>
    ? HttpApiGroup.HttpApiGroup.Name<Groups>
    : never

/** The part of the contract of an endpoint that the emulator reads by itself. */
export interface Endpoint {
  readonly group: Group
  readonly method: string
  /** With a named group for each parameter. */
  readonly path: RegExp
  readonly bodyLimit: number
  readonly parameters: Part
  readonly query: Part
  readonly headers: Part
  readonly payload: Part
  /** The body may be a form instead of JSON. */
  readonly takesForm: boolean
  /** `text` may be a string instead of a list of them. */
  readonly takesOneText: boolean
  /** Dictionaries may be CSV instead of TSV. */
  readonly takesCsv: boolean
  /** The body is a form with a file. */
  readonly isMultipart: boolean
}

const pattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/:([^/]+)/g, "(?<$1>[^/]+)")}$`)

const endpoints: Array<Endpoint> = []

HttpApi.reflect(TranslateApi.TranslateApi, {
  onGroup: () => {},
  onEndpoint: ({ endpoint, group }) => {
    const payload = Option.getOrUndefined(endpoint.payloadSchema) as Part
    endpoints.push({
      group: group.identifier as Group,
      method: endpoint.method,
      path: pattern(endpoint.path),
      bodyLimit: Option.getOrElse(
        Context.getOption(endpoint.annotations, BodyLimit),
        () => Number.POSITIVE_INFINITY
      ),
      parameters: Option.getOrUndefined(endpoint.pathSchema) as Part,
      query: Option.getOrUndefined(endpoint.urlParamsSchema) as Part,
      headers: Option.getOrUndefined(endpoint.headersSchema) as Part,
      payload,
      takesForm: Option.isSome(Context.getOption(endpoint.annotations, FormBody)),
      takesOneText: endpoint.path.startsWith("/v2/write/"),
      takesCsv: /^\/v[23]\/glossaries\b/.test(endpoint.path),
      isMultipart: payload !== undefined && HttpApiSchema.getMultipart(payload.ast) !== undefined
    })
  }
})

const camelCase = /[a-z]+(?:[A-Z][a-z]*)+/g

const toWire = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** The names of the fields of a schema, and of the fields in them. */
const namesIn = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "TypeLiteral":
      return ast.propertySignatures.flatMap(({ name, type }) => [String(name), ...namesIn(type)])
    case "TupleType":
      return ast.rest.flatMap(({ type }) => namesIn(type))
    case "Union":
      return ast.types.flatMap(namesIn)
    case "Refinement":
      return namesIn(ast.from)
    default:
      return []
  }
}

/** The fields of all requests, as the contract holds them in memory. */
const fields = new Set(
  endpoints.flatMap(({ payload, query }) =>
    [payload, query].flatMap((part) => (part === undefined ? [] : namesIn(SchemaAST.typeAST(part.ast))))
  )
)

/** A field's path, with the names on the wire. */
export const onTheWire = (field: string): string =>
  field.replace(camelCase, (word) => (fields.has(word) ? toWire(word) : word))

/** The path of a request's URL, without its query. */
export const pathOf = (url: string): string => {
  const query = url.indexOf("?")
  return query < 0 ? url : url.slice(0, query)
}

/** The endpoint of a request; HEAD asks a GET endpoint. */
export const find = (method: string, path: string): Endpoint | undefined => {
  const wanted = method === "HEAD" ? "GET" : method
  return endpoints.find((endpoint) => endpoint.method === wanted && endpoint.path.test(path))
}

/** The methods that a path knows. */
export const methods = (path: string): ReadonlyArray<string> =>
  endpoints.filter((endpoint) => endpoint.path.test(path)).map((endpoint) => endpoint.method)
