/**
 * The OpenAPI 3.1 document of the contract, as the wire has it.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import { BodyLimit } from "./BodyLimit.js"
import * as internal from "./internal/openApi.js"
import { TranslateApi } from "./TranslateApi.js"

/** By path: no two endpoints of one path differ in it. */
const bodyLimits = (): ReadonlyMap<string, number> => {
  const limits = new Map<string, number>()
  HttpApi.reflect(TranslateApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) =>
      Option.map(Context.getOption(endpoint.annotations, BodyLimit), (limit) =>
        limits.set(endpoint.path, limit)
      )
  })
  return limits
}

/**
 * The contract, with the document that tools of `@effect/platform` make of it: {@link make}'s.
 *
 * @since 0.1.0
 * @category contract
 */
export const api = TranslateApi.annotate(OpenApi.Version, "2 and 3").annotate(OpenApi.Transform, (spec) =>
  internal.reshape(spec, bodyLimits())
)

/**
 * The OpenAPI document of the contract: requests closed, answers open to new fields, error bodies
 * `{ message, detail? }`, and forms beside JSON where the specification says so.
 *
 * Source: service specification, all of it; wire facts, Errors.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (): OpenApi.OpenAPISpec => OpenApi.fromApi(api)
