import * as Effect from "effect/Effect"
import * as Text from "../../../api/Text.js"
import type * as CircuitBreaker from "../../CircuitBreaker.js"
import { Call, type Definition } from "./call.js"

const attributesOf = <I, A>({ endpoint, texts }: Definition<I, A>, input: I) => {
  const given = texts?.(input)
  return {
    "translate.endpoint": `${endpoint.method} ${endpoint.path}`,
    ...(given === undefined
      ? undefined
      : {
          "translate.texts": given.length,
          "translate.characters": given.reduce((sum, text) => sum + Text.characters(text), 0)
        })
  }
}

/** Sends a call in a span of its own, the parent of the spans of its attempts: counts and the endpoint, never a text or an id. */
export const withSpan = <I, A, B, E>(
  definition: Definition<I, A>,
  input: I,
  breaker: CircuitBreaker.Policy,
  send: (call: Call<I>) => Effect.Effect<B, E>
): Effect.Effect<B, E> =>
  Effect.context<never>().pipe(
    Effect.flatMap((context) => {
      const call = new Call<I>(definition, context, input, breaker)
      const counted = Effect.suspend(() => Effect.annotateCurrentSpan("translate.attempts", call.attempts))
      return Effect.ensuring(send(call), counted)
    }),
    Effect.withSpan("effect-translate.call", {
      attributes: attributesOf(definition, input),
      captureStackTrace: false
    })
  )
