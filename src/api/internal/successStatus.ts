import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as Schema from "effect/Schema"
import { annotated } from "./wire.js"

/** An answer of a status. With the status given to `addSuccess`, the schema would lose its name in the OpenAPI document. */
const withStatus =
  (status: number) =>
  <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
    annotated(schema, HttpApiSchema.annotations({ status }))

/** The answer 201. */
export const created = withStatus(201)

/** The answer 202. */
export const accepted = withStatus(202)
