import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Record from "effect/Record"
import { summaries } from "./summaries.js"

/** `OpenApi.fromApi` describes the contract as it is in memory. This module changes it to what is on the wire. */
interface Json {
  readonly [name: string]: unknown
}

interface Response extends Json {
  readonly description: string
  readonly content?: { readonly [mediaType: string]: { readonly schema: Json } }
}

interface Operation extends Json {
  readonly responses: { readonly [status: string]: Response }
  readonly requestBody?: { readonly content: { readonly [mediaType: string]: { readonly schema: Json } } }
}

interface Document extends Json {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } }
  readonly components: Json & { readonly schemas: { readonly [name: string]: Json } }
}

const isJson = (value: unknown): value is Json => Predicate.isReadonlyRecord(value)

/** Changes every object of a value, the innermost first. */
const rewrite = (value: unknown, change: (object: Json) => Json): unknown =>
  Array.isArray(value)
    ? value.map((item) => rewrite(item, change))
    : isJson(value)
      ? change(Record.map(value, (item) => rewrite(item, change)))
      : value

const prefix = "#/components/schemas/"

/** The names of the components that a value refers to. */
const references = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value)
    ? value.flatMap(references)
    : isJson(value)
      ? typeof value.$ref === "string"
        ? [value.$ref.slice(prefix.length)]
        : Object.values(value).flatMap(references)
      : []

const mapOperations = (document: Document, change: (operation: Operation, path: string) => Operation) =>
  Record.map(document.paths, (methods, path) => Record.map(methods, (operation) => change(operation, path)))

/** Descriptions of Effect's own schemas are about values in memory. Ours begin with a capital letter. */
const isAboutMemory = (description: unknown): boolean =>
  typeof description === "string" && /^an? |^Redacted\(/.test(description)

const plain = (schema: Json): Json => {
  const { $schema: _, description, ...rest } = schema
  return description === undefined || isAboutMemory(description) ? rest : { description, ...rest }
}

const scalars: { readonly [name: string]: Json } = {
  BooleanFromString: { type: "boolean" },
  DateTimeUtc: { type: "string", format: "date-time" }
}

/** Scalars in their places instead of components. */
const inline = (schema: Json): Json =>
  typeof schema.$ref === "string" ? (scalars[schema.$ref.slice(prefix.length)] ?? schema) : schema

/** Source: wire facts, Errors. */
const error: Json = {
  type: "object",
  required: ["message"],
  properties: { message: { type: "string" }, detail: { type: "string" } },
  description: "The status decides; the body may be empty, or not JSON"
}

const headers = {
  "X-Trace-ID": { description: "Names the request to the service's support", schema: { type: "string" } },
  "Retry-After": { description: "Seconds, or an HTTP date", schema: { type: "string" } },
  Allow: { description: "The methods that the path knows", schema: { type: "string" } }
}

/** The headers of an error beside the trace id, by its name. */
const headersOf: { readonly [name: string]: ReadonlyArray<keyof typeof headers> } = {
  TooManyRequests: ["Retry-After"],
  Unavailable: ["Retry-After"],
  MethodNotAllowed: ["Allow"]
}

const errorResponse = (name: string, description: unknown): Json => ({
  description,
  headers: Object.fromEntries(
    (["X-Trace-ID", ...(headersOf[name] ?? [])] as const).map((header) => [header, headers[header]])
  ),
  content: { "application/json": { schema: { $ref: `${prefix}Error` } } }
})

/** The errors of HTTP itself, which come before any endpoint. */
const ofHttp: { readonly [status: string]: { readonly name: string; readonly description: string } } = {
  405: { name: "MethodNotAllowed", description: "The path knows other methods only; see Allow" },
  415: {
    name: "UnsupportedMediaType",
    description: "The content type of the body, or of the answer, is another"
  }
}

/** Those that an operation may answer: 415 if the client chooses a type. */
const ofHttpFor = (operation: Operation): ReadonlyArray<string> =>
  operation.requestBody !== undefined ||
  "text/tab-separated-values" in (operation.responses["200"]?.content ?? {})
    ? ["405", "415"]
    : ["405"]

const referTo = (name: string): Response =>
  ({ $ref: `#/components/responses/${name}` }) as unknown as Response

/** The contract's error comes last in its union with HttpApi's own, which no client sees. */
const errorName = (response: Response): string =>
  references(response.content).findLast((name) => name !== "HttpApiDecodeError")!

const isError = (status: string): boolean => Number(status) >= 400

/** Answers may hold more fields than the contract declares. */
const open = (schema: Json): Json => {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

/** The parts of a body in the document apart from its schema. */
export interface Body {
  /** The most bytes. */
  readonly limit: number | undefined
  readonly takesForm: boolean
}

/** Source: service specification, "comma-separated XML tags"; the other lists of a form repeat their name. */
const isCommaSeparated = (name: string): boolean => name.endsWith("_tags")

/** Source: service specification, "boolean values are sent as `1` or `0`". */
const formField = (field: unknown): unknown =>
  isJson(field) && field.type === "boolean" ? { type: "integer", enum: [0, 1] } : field

const formOf = (schema: Json): { readonly schema: Json } => {
  const properties = Record.map(schema.properties as Json, formField)
  const lists = Record.filter(properties, (_, name) => isCommaSeparated(name))
  return {
    schema: { ...schema, properties },
    ...(Record.isEmptyRecord(lists)
      ? undefined
      : { encoding: Record.map(lists, () => ({ style: "form", explode: false })) })
  }
}

const withBody = (operation: Operation, { limit, takesForm }: Body, schemas: Json): Operation => {
  const body = operation.requestBody
  if (body === undefined) return operation
  const form = takesForm ? formOf(schemas[references(body.content)[0]!] as Json) : undefined
  return {
    ...operation,
    requestBody: {
      ...(limit === undefined ? undefined : { description: `At most ${limit} bytes` }),
      ...body,
      content: {
        ...body.content,
        ...(form === undefined ? undefined : { "application/x-www-form-urlencoded": form })
      }
    }
  }
}

/** The names of all components that the values refer to, directly or through others. */
const reachable = (schemas: { readonly [name: string]: Json }, from: unknown): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (value: unknown): void => {
    for (const name of references(value)) {
      if (found.has(name)) continue
      found.add(name)
      visit(schemas[name])
    }
  }
  visit(from)
  return found
}

/** Changes the document to the form on the wire. Bodies are by path, as the contract writes paths. */
export const reshape = (spec: Json, bodies: ReadonlyMap<string, Body>): Json => {
  const document = rewrite(spec, (object) => inline(plain(object))) as Document
  const bodyOf = new Map(Array.from(bodies, ([path, body]) => [path.replace(/:(\w+)/g, "{$1}"), body]))
  const errors = new Map<string, Json>()

  const answers = (responses: Operation["responses"]) =>
    Record.map(responses, (response, status): Response => {
      if (!isError(status)) return rewrite(response, open) as Response
      const name = errorName(response)
      errors.set(name, errorResponse(name, document.components.schemas[name]?.description))
      return referTo(name)
    })

  const paths = mapOperations(document, (operation, path) => ({
    ...withBody(operation, bodyOf.get(path)!, document.components.schemas),
    summary: summaries[String(operation.operationId)],
    responses: {
      ...answers(operation.responses),
      ...Object.fromEntries(ofHttpFor(operation).map((status) => [status, referTo(ofHttp[status]!.name)]))
    }
  }))
  for (const { description, name } of Object.values(ofHttp))
    errors.set(name, errorResponse(name, description))
  const responses = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ responses }) => Record.filter(responses, (_, status) => !isError(status)))
  )
  const answered = reachable(document.components.schemas, responses)
  const asked = reachable(
    document.components.schemas,
    Object.values(paths).flatMap((methods) =>
      Object.values(methods).map(({ parameters, requestBody }) => [parameters, requestBody])
    )
  )
  const { schemas, ...components } = document.components
  return {
    ...document,
    paths,
    components: {
      schemas: {
        ...Record.filterMap(schemas, (schema, name) => {
          if (answered.has(name)) return Option.some(rewrite(schema, open))
          return asked.has(name) ? Option.some(schema) : Option.none()
        }),
        Error: error
      },
      responses: Object.fromEntries(errors),
      ...components
    }
  }
}
