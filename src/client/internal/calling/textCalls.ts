/** Calls that carry many texts. They do without the contract of all endpoints, which programs that only translate need not carry. */
import * as HttpBody from "@effect/platform/HttpBody"
import * as HttpClientRequest from "@effect/platform/HttpClientRequest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { BodyLimit } from "../../../api/BodyLimit.js"
import * as Limits from "../../../api/Limits.js"
import { isTexts } from "../../../internal/texts.js"
import type { Guard } from "../checking/requestRules.js"
import type { Endpoint } from "./call.js"
import type { Connection } from "./connection.js"
import * as responseDecoding from "./responseDecoding.js"

interface Texts {
  readonly text: ReadonlyArray<string>
}

/** The characters of the texts, which may still be malformed: the schema has not seen them yet. */
const sizeOf = (request: Texts): number =>
  Array.isArray(request?.text) ? request.text.reduce((size, text) => size + (text?.length ?? 0), 0) : 0

/** True if texts need no schema to be found well-formed: as many strings as every endpoint takes. */
const isEncodable = (text: unknown): boolean =>
  isTexts(text) && text.length > 0 && text.length <= Limits.translateTexts

const isPlain = (value: unknown): boolean => typeof value !== "object" || value === null

const areSame = (options: Record<string, unknown>, others: Record<string, unknown>): boolean => {
  const names = Object.keys(options)
  return (
    names.length === Object.keys(others).length &&
    names.every((name) => isPlain(options[name]) && options[name] === others[name])
  )
}

/**
 * Encodes requests. The options of the last one are not encoded again, since a stream sends the same with every request:
 * a stream takes 1.07 times the CPU otherwise.
 */
const makeEncode = <I extends Texts, IEncoded>(payload: Schema.Schema<I, IEncoded>) => {
  const encode = Schema.encodeUnknown(payload)
  let last: { readonly options: Record<string, unknown>; readonly encoded: object } | undefined
  return (input: I): ReturnType<typeof encode> => {
    // Nothing has checked it yet: it may be no object at all.
    const { text, ...options } = Object(input) as I
    if (last !== undefined && areSame(options, last.options) && isEncodable(text)) {
      return Effect.succeed({ text, ...last.encoded } as IEncoded)
    }
    return Effect.map(encode(input), (body) => {
      const { text: _, ...encoded } = body as IEncoded & Texts
      last = { options, encoded }
      return body
    })
  }
}

/** Without `HttpApiClient`, which merges contexts and encodes each body through five schemas: 1.08 to 1.15 of the CPU. */
export const bulk =
  ({ delivered, send }: Connection) =>
  <I extends Texts, A extends object, IEncoded, AEncoded>(
    endpoint: Endpoint,
    payload: Schema.Schema<I, IEncoded>,
    success: Schema.Schema<A, AEncoded>,
    items: (value: A) => ReadonlyArray<unknown>,
    guard: Guard<I>
  ) => {
    const post = HttpClientRequest.post(endpoint.path)
    const encode = makeEncode(payload)
    const decode = responseDecoding.make(success)
    const run = delivered({
      endpoint,
      resend: "budgeted",
      bodyLimit: Option.getOrUndefined(Context.getOption(endpoint.annotations, BodyLimit)),
      size: sizeOf,
      texts: (request: I) => (isTexts(request?.text) ? request.text : []),
      expect: ({ text }: I, value: A) => [text.length, items(value).length] as const,
      send: (input: I, call) =>
        guard(
          input,
          Effect.flatMap(encode(input), (body) =>
            Effect.flatMap(
              send(call, HttpClientRequest.setBody(post, HttpBody.unsafeJson(body))),
              (received) => decode(call, received)
            )
          )
        )
    })
    return (input: I) =>
      Effect.map(run(input), ({ ambiguousAttempts, attempts, value }) => ({
        ...value,
        attempts,
        ambiguousAttempts
      }))
  }
