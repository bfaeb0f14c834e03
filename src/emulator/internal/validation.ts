import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type * as HttpApp from "@effect/platform/HttpApp"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as Effect from "effect/Effect"
import * as ParseResult from "effect/ParseResult"
import * as Violation from "../../api/Violation.js"
import { refuse } from "./answer.js"
import * as endpoint from "./endpoint.js"

/** A field under its name on the wire. */
const onTheWire = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** HttpApi's own 400 prints values: decodes again and tells the violations instead. */
const explain = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const schema = endpoint.find(request.method, endpoint.pathOf(request.url))?.payload
  const decoded =
    schema === undefined
      ? undefined
      : ParseResult.decodeUnknownEither(schema)(yield* Effect.orDie(request.json))
  return refuse(
    400,
    decoded?._tag === "Left"
      ? Violation.format(
          Violation.fromIssue(decoded.left).map(({ field, rule }) => ({ field: onTheWire(field), rule }))
        )
      : "The path, the query or a header breaks a rule"
  )
})

/** Answers 400 with field and rule to what the contract doesn't decode. */
export const layer = HttpApiBuilder.middleware((app) =>
  Effect.catchAll(app as HttpApp.Default<unknown>, (error) =>
    error instanceof HttpApiDecodeError ? explain : (Effect.fail(error) as Effect.Effect<never>)
  )
)
