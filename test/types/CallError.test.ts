import { describe, expectTypeOf, it } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import type { Outcome, TranslateClient, TranslateError, Translator } from "effect-translate"

type ErrorOf<Call extends (...args: never) => Effect.Effect<unknown, unknown>> = Effect.Effect.Error<
  ReturnType<Call>
>

describe("an outage in the types", () => {
  it("is no error of a single call", () => {
    expectTypeOf<Extract<TranslateError.CallError, TranslateError.Outage>>().toBeNever()
    expectTypeOf<
      ErrorOf<TranslateClient.Service["translateText"]>
    >().toEqualTypeOf<TranslateError.CallError>()
    expectTypeOf<ErrorOf<Translator.Service["translate"]>>().toEqualTypeOf<TranslateError.CallError>()
    expectTypeOf<
      Effect.Effect.Error<TranslateClient.Service["usage"]>
    >().toEqualTypeOf<TranslateError.CallError>()
  })

  it("is an error of a stream", () => {
    expectTypeOf<TranslateError.Outage>().toMatchTypeOf<Outcome.StreamError>()
    expectTypeOf<TranslateError.CallError>().toMatchTypeOf<Outcome.StreamError>()
  })
})
