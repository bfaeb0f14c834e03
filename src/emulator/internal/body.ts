import type * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import type * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import type * as Fault from "../Fault.js"
import { refuse } from "./answer.js"
import type { Received } from "./bodyReader.js"
import { toTsv } from "./csvDictionaries.js"
import type { Endpoint } from "./endpoint.js"
import * as json from "./json.js"
import * as multipart from "./multipart.js"

/** Lists that a form may send as one comma-separated value. */
const commaSeparated = new Set(["non_splitting_tags", "splitting_tags", "ignore_tags", "glossary_ids"])

/** The list of texts is a declaration, which carries its schema as a parameter. */
const declared = (type: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isDeclaration(type) ? (type.typeParameters[0] ?? type) : type

const stripUndefined = (type: SchemaAST.AST): SchemaAST.AST =>
  SchemaAST.isUnion(type)
    ? (type.types.find((member) => !SchemaAST.isUndefinedKeyword(member)) ?? type)
    : type

/**
 * The JSON value of a form field, by the type that the contract gives it. A value that does not fit stays as it is, and
 * the contract refuses it.
 */
const formField = (name: string, type: SchemaAST.AST | undefined, values: Array<string>): unknown => {
  if (type !== undefined && SchemaAST.isTupleType(type)) {
    return commaSeparated.has(name) ? values.flatMap((value) => value.split(",")) : values
  }
  const [value] = values as [string]
  if (values.length > 1) return values
  if (type !== undefined && SchemaAST.isBooleanKeyword(type)) {
    return value === "1" ? true : value === "0" ? false : value
  }
  if (type !== undefined && SchemaAST.isNumberKeyword(type)) {
    return value.trim() === "" ? value : Number(value)
  }
  return value
}

/** A field of an object in a list, as `dictionaries[0].source_lang`. */
const inList = /^(\w+)\[(\d+)\]\.(\w+)$/

const entryOf = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

/** The values of a form by their names, and the objects of its lists by their indices, in the order in which they come. */
const grouped = (form: URLSearchParams) => {
  const values = new Map<string, Array<string>>()
  const lists = new Map<string, Map<string, Array<readonly [string, string]>>>()
  for (const [name, value] of form) {
    const [, list, index, field] = inList.exec(name) ?? []
    if (list === undefined) entryOf(values, name, () => []).push(value)
    else
      entryOf(
        entryOf(lists, list, () => new Map()),
        index!,
        () => []
      ).push([field!, value])
  }
  return { values, lists }
}

/** The JSON value of a form, or of a query, by the types that the contract gives its fields. */
export const formToJson = (
  form: URLSearchParams,
  payload: Schema.Schema<unknown, unknown> | undefined
): unknown => {
  const types = new Map(
    payload === undefined
      ? []
      : SchemaAST.getPropertySignatures(SchemaAST.encodedAST(payload.ast)).map((field) => [
          field.name,
          declared(stripUndefined(field.type))
        ])
  )
  const { lists, values } = grouped(form)
  return Object.fromEntries([
    ...Array.from(values, ([name, values]) => [name, formField(name, types.get(name), values)]),
    ...Array.from(lists, ([name, items]) => [name, Array.from(items.values(), Object.fromEntries)])
  ])
}

const utf8 = new TextDecoder("utf-8", { fatal: true })

const malformed = (what: string) => refuse(400, `The body is no well-formed ${what}`)

const fileField = "file"

/** The fields of the parts that are texts, and the file. */
const multipartToJson = (parts: ReadonlyArray<multipart.Part>, payload: Endpoint["payload"]): unknown => {
  const fields = parts.filter(({ name }) => name !== fileField)
  const files = parts
    .filter(({ name }) => name === fileField)
    .map(({ content, fileName = "" }) => ({ name: fileName, content }))
  return {
    ...(formToJson(
      new URLSearchParams(fields.map(({ content, name }) => [name, utf8.decode(content)])),
      payload
    ) as object),
    ...(files.length === 0 ? undefined : { [fileField]: files.length === 1 ? files[0] : files })
  }
}

const fileTooLarge = (limit: number) =>
  refuse(413, `The file holds more than ${limit} bytes, which is the limit: split it`)

const parseMultipart = (contentType: string, bytes: Uint8Array, endpoint: Endpoint, maxFileBytes: number) => {
  const boundary = multipart.boundaryOf(contentType)
  const parts = boundary === undefined ? undefined : multipart.parse(bytes, boundary)
  if (parts === undefined || parts.length > json.maxValues) return Effect.fail(malformed("multipart form"))
  const tooLarge = parts.find(({ content, name }) => name === fileField && content.length > maxFileBytes)
  return tooLarge === undefined
    ? Effect.try({
        try: () => multipartToJson(parts, endpoint.payload),
        catch: () => malformed("multipart form: its fields must be in UTF-8")
      })
    : Effect.fail(
        refuse(413, `The file holds ${tooLarge.content.length} bytes; the limit is ${maxFileBytes}: split it`)
      )
}

const jsonType = "application/json"

const formType = "application/x-www-form-urlencoded"

const parsed = (what: string, problem: string | undefined, parse: () => unknown) =>
  problem === undefined
    ? Effect.try({ try: parse, catch: () => malformed(what) })
    : Effect.fail(refuse(400, problem))

const parse = (
  mediaType: string,
  bytes: Uint8Array,
  endpoint: Endpoint
): Effect.Effect<unknown, HttpServerResponse.HttpServerResponse> => {
  if (mediaType === jsonType) {
    return parsed("JSON in UTF-8", json.problem(bytes), () => JSON.parse(utf8.decode(bytes)))
  }
  // A request without a body has no content type either. The contract says whether a field of it is missing.
  if (mediaType === "" && bytes.length === 0) return Effect.succeed({})
  return mediaType === formType && endpoint.takesForm
    ? parsed("form in UTF-8", json.formProblem(bytes), () =>
        formToJson(new URLSearchParams(utf8.decode(bytes)), endpoint.payload)
      )
    : Effect.fail(
        refuse(
          415,
          `The content type must be ${endpoint.takesForm ? `${jsonType} or ${formType}` : jsonType}`
        )
      )
}

const contentTypeOf = ({ headers }: HttpServerRequest.HttpServerRequest): string =>
  headers["content-type"] ?? ""

const mediaTypeOf = (request: HttpServerRequest.HttpServerRequest): string =>
  contentTypeOf(request).split(";", 1)[0]!.trim().toLowerCase()

const isMultipart = (request: HttpServerRequest.HttpServerRequest): boolean =>
  mediaTypeOf(request) === "multipart/form-data"

/** The most bytes of the bodies that the contract sets no limit for. */
export interface Bounds {
  /** Of any body but an upload. */
  readonly body: number
  /** Of a file. */
  readonly file: number
}

/** The bytes that a form may hold beside its file. */
const besideFile = 1_000_000

/** The most bytes of a body. */
export const limitOf = (endpoint: Endpoint | undefined, bounds: Bounds): number =>
  endpoint?.isMultipart === true
    ? bounds.file + besideFile
    : Math.min(endpoint?.bodyLimit ?? Number.POSITIVE_INFINITY, bounds.body)

const tooLarge = ({ headers }: HttpServerRequest.HttpServerRequest, limit: number) => {
  const length = headers["content-length"]
  const size = length === undefined ? `more than ${limit} bytes, which` : `${length} bytes; the limit`
  return refuse(
    413,
    `The body holds ${size} is ${length === undefined ? "the limit" : limit}: send less at once`
  )
}

/** Source: service specification, Endpoints, Text improvement, "text: string (or repeated)". */
const withTexts = (json: unknown): unknown =>
  Predicate.isReadonlyRecord(json) && typeof json.text === "string" ? { ...json, text: [json.text] } : json

/** The payload of a request in its JSON shape, or the answer that refuses it. */
export const payload = (
  request: HttpServerRequest.HttpServerRequest,
  endpoint: Endpoint,
  { content, isTooLarge }: Received,
  bounds: Bounds
): Effect.Effect<unknown, HttpServerResponse.HttpServerResponse> => {
  if (endpoint.isMultipart) {
    if (!isMultipart(request)) return Effect.fail(refuse(415, "The content type must be multipart/form-data"))
    return isTooLarge
      ? Effect.fail(fileTooLarge(bounds.file))
      : parseMultipart(contentTypeOf(request), content, endpoint, bounds.file)
  }
  if (isTooLarge) return Effect.fail(tooLarge(request, limitOf(endpoint, bounds)))
  const json = parse(mediaTypeOf(request), content, endpoint)
  if (endpoint.takesOneText) return Effect.map(json, withTexts)
  return endpoint.takesCsv ? Effect.flatMap(json, toTsv) : json
}

/** The texts of a payload. */
const textsOf = (payload: unknown): ReadonlyArray<string> => {
  const text =
    typeof payload === "object" && payload !== null
      ? (payload as { readonly text?: unknown }).text
      : undefined
  return (Array.isArray(text) ? text : [text]).filter((item) => typeof item === "string")
}

/** A payload as a fault's predicate sees it: of an upload the fields, and the file by its name. */
export const incomingOf = (
  payload: unknown,
  bytes: Uint8Array,
  isMultipart: boolean
): Pick<Fault.Incoming, "body" | "texts" | "fileName"> => {
  if (!isMultipart)
    return { body: new TextDecoder().decode(bytes), texts: textsOf(payload), fileName: undefined }
  const { file, ...fields } = (payload ?? {}) as { readonly [name: string]: unknown }
  const name = fields.filename ?? (file as { readonly name?: unknown } | undefined)?.name
  return {
    body: JSON.stringify(fields),
    texts: [],
    fileName: typeof name === "string" ? name : undefined
  }
}
