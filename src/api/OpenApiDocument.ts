/**
 * The OpenAPI 3.1 document of the contract, with the names and types of the wire.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { BodyLimit } from "./BodyLimit.js"
import { FormBody } from "./FormBody.js"
import * as internal from "./internal/openApi.js"
import { TranslateApi } from "./TranslateApi.js"

/** By path: endpoints of one path have the same. */
const bodies = (): ReadonlyMap<string, internal.Body> => {
  const bodies = new Map<string, internal.Body>()
  HttpApi.reflect(TranslateApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { annotations, path } }) =>
      bodies.set(path, {
        limit: Option.getOrUndefined(Context.getOption(annotations, BodyLimit)),
        takesForm: Option.isSome(Context.getOption(annotations, FormBody))
      })
  })
  return bodies
}

/**
 * The contract, annotated so that tools of `@effect/platform` derive the same document as {@link make}.
 *
 * @since 0.1.0
 * @category contract
 */
export const api: ReturnType<typeof TranslateApi.annotate> = TranslateApi.annotate(
  OpenApi.Version,
  "2 and 3"
).annotate(OpenApi.Transform, (spec) => internal.reshape(spec, bodies()))

/**
 * The OpenAPI document of the contract: requests allow no unknown fields, answers do, error bodies are
 * `{ message, detail? }`, and requests may be forms where the specification says so.
 *
 * Source: service specification, all of it; wire facts, Errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): OpenApi.OpenAPISpec => OpenApi.fromApi(api)
