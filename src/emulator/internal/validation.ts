import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Record from "effect/Record"
import type * as Schema from "effect/Schema"
import * as Violation from "../../api/Violation.js"
import { refuse } from "./answer.js"
import * as body from "./body.js"
import * as endpoint from "./endpoint.js"

const unescape = (segment: string): string =>
  Option.getOrElse(Option.liftThrowable(decodeURIComponent)(segment), () => segment)

const violations = (
  schema: Schema.Schema<unknown, unknown> | undefined,
  value: unknown
): ReadonlyArray<Violation.Violation> => {
  if (schema === undefined) return []
  const decoded = ParseResult.decodeUnknownEither(schema, { errors: "all" })(value)
  return decoded._tag === "Left" ? Violation.fromIssue(decoded.left) : []
}

/** Glossary errors use `detail`. */
const isOfEntries = ({ field }: Violation.Violation): boolean => /(^|\.)entries$/.test(field)

/** Decodes again to tell the violations: HttpApi's own 400 prints values. */
const explain = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const path = endpoint.pathOf(request.url)
  const found = endpoint.find(request.method, path)!
  const query = new URLSearchParams(request.url.slice(path.length))
  const payload = found.payload === undefined ? undefined : yield* Effect.orDie(request.json)
  const all = [
    ...violations(found.parameters, Record.map(found.path.exec(path)!.groups ?? {}, unescape)),
    ...violations(found.query, body.formToJson(query, found.query)),
    ...violations(found.headers, request.headers),
    ...violations(found.payload, payload)
  ]
  const said = Violation.format(all, endpoint.onTheWire)
  return all.every(isOfEntries) ? refuse(400, "Invalid glossary entries", {}, said) : refuse(400, said)
})

/** Answers 400 with field and rule to a request that the contract does not decode. */
export const layer = HttpApiBuilder.middleware((app) =>
  Effect.catchAll(app as HttpApp.Default<unknown>, (error) =>
    error instanceof HttpApiDecodeError ? explain : (Effect.fail(error) as Effect.Effect<never>)
  )
)
