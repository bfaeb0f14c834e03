import type * as HttpClientResponse from "@effect/platform/HttpClientResponse"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as AnswerLimit from "../../../api/AnswerLimit.js"
import { dieOfDefect } from "../../../internal/transportFailure.js"
import type { CallError } from "../../TranslateError.js"
import type { Call, Endpoint } from "./call.js"
import * as responseBody from "./responseBody.js"
import * as responseErrors from "./responseErrors.js"

type Response = HttpClientResponse.HttpClientResponse

/** Makes the value of a success. The status does not matter: any 2xx that can be decoded is a success. */
export type Decode<A> = (call: Call, received: Response) => Effect.Effect<A, CallError>

const limitOf = (endpoint: Endpoint, { request }: Response): number => {
  const { base, perRequestByte } = Context.get(endpoint.annotations, AnswerLimit.AnswerLimit)
  return base + perRequestByte * (request.body.contentLength ?? 0)
}

/** The bytes of a success, without their content bodies. */
const bytesOf = (call: Call, received: Response): Effect.Effect<Uint8Array, CallError> => {
  const encodings = responseBody.encodingsOf(received)
  const unknown = responseBody.unknownEncoding(encodings)
  if (unknown !== undefined) return Effect.fail(responseErrors.undecodable(call, { encoding: unknown }))
  const limit = limitOf(call.settings.endpoint, received)
  return Effect.matchEffect(responseBody.read(received, limit), {
    onFailure: (error) =>
      Effect.zipRight(dieOfDefect(error), Effect.fail(responseErrors.transportError(call, error))),
    onSuccess: (body) => {
      const decoded = responseBody.decompress(body, encodings, limit)
      if (decoded === undefined) return Effect.fail(responseErrors.undecodable(call))
      return decoded.isCut
        ? Effect.fail(responseErrors.undecodable(call, { limit }))
        : Effect.succeed(decoded.bytes)
    }
  })
}

/** Malformed bytes are no text, where U+FFFD would stand in a translation. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Decodes an answer with a body by its schema: JSON, or plain text. */
export const make = <A, I>(schema: Schema.Schema<A, I>, isText = false): Decode<A> => {
  const decode = Schema.decodeUnknownEither(schema)
  const valueOf = (text: string): unknown => (isText ? text : JSON.parse(text))
  return (call, received) =>
    Effect.flatMap(bytesOf(call, received), (bytes) => {
      const value = Either.flatMap(
        Either.try(() => valueOf(utf8.decode(bytes))),
        decode
      )
      return Either.isRight(value)
        ? Effect.succeed(value.right)
        : Effect.fail(responseErrors.undecodable(call, { encoding: responseBody.suspectEncoding(received) }))
    })
}
