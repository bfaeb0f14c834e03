/** Answers of the endpoints of the contract, by its schemas. */
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type * as AST from "effect/SchemaAST"
import type * as calls from "./call.js"
import * as responseBody from "./responseBody.js"
import * as responseDecoding from "./responseDecoding.js"

interface ContractEndpoint
  extends calls.Endpoint,
    Pick<HttpApiEndpoint.HttpApiEndpoint.AnyWithProps, "successSchema"> {}

const isStream = (ast: AST.AST): boolean => HttpApiSchema.getStatusSuccessAST(ast) !== 204

const ofEndpoint = ({ successSchema }: ContractEndpoint): responseDecoding.Decode<unknown> => {
  if (!HttpApiSchema.isVoid(successSchema.ast)) {
    const isText = HttpApiSchema.getEncoding(successSchema.ast).kind === "Text"
    return responseDecoding.make(successSchema as Schema.Schema<unknown>, isText)
  }
  // The contract declares a download as empty, since its caller reads it as a stream.
  return isStream(successSchema.ast)
    ? () => Effect.void
    : (_, received) => Effect.asVoid(responseBody.readBriefly(received))
}

const ofEndpoints = new WeakMap<calls.Endpoint, responseDecoding.Decode<unknown>>()

/** Decodes the answer of the call's own endpoint. */
export const decode: responseDecoding.Decode<unknown> = (call, received) => {
  const { endpoint } = call.settings
  const decode = ofEndpoints.get(endpoint) ?? ofEndpoint(endpoint as ContractEndpoint)
  ofEndpoints.set(endpoint, decode)
  return decode(call, received)
}
