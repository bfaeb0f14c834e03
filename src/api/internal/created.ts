import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import type * as Schema from "effect/Schema"
import { annotated } from "./wire.js"

/** The answer 201. With the status given to `addSuccess`, the schema would lose its name in the OpenAPI document. */
export const created = <A, I, R>(schema: Schema.Schema<A, I, R>): Schema.Schema<A, I, R> =>
  annotated(schema, HttpApiSchema.annotations({ status: 201 }))
