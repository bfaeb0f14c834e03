/** What is kept in the types of options that are checked: verified by `tsc`. */
// @effect-diagnostics floatingEffect:off
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  LanguageSupport,
  type Outcome,
  type TranslateClient,
  TranslateStream,
  type Translator
} from "effect-translate"
import { describe, expectTypeOf, it } from "vitest"

class CallersError {
  readonly _tag = "CallersError"
}

class CallersService extends Context.Tag("test/CallersService")<CallersService, unknown>() {}

/** Nothing here runs. */
const texts = Stream.empty as Stream.Stream<string, CallersError, CallersService>

describe("check", () => {
  it("keeps other options, and says that formality may be another", () => {
    const checked = LanguageSupport.check({ targetLang: "da", formality: "more", concurrency: 3 })
    type Options = Effect.Effect.Success<typeof checked>
    expectTypeOf<Options["concurrency"]>().toEqualTypeOf<number>()
    expectTypeOf<Options["formality"]>().toEqualTypeOf<TranslateClient.Formality | undefined>()
    expectTypeOf<Options>().toExtend<TranslateStream.Options>()
    expectTypeOf<
      LanguageSupport.Checked<TranslateClient.TranslateRequest>
    >().toExtend<TranslateClient.TranslateRequest>()
  })

  it("takes no options without a target", () => {
    // @ts-expect-error: targetLang is missing
    LanguageSupport.check({ formality: "more" })
    // @ts-expect-error: there is no such formality
    LanguageSupport.check({ targetLang: "da", formality: "rude" })
  })
})

describe("checked", () => {
  it("keeps the caller's errors and requirements", () => {
    const stream = LanguageSupport.checked({ targetLang: "de" }, (options) =>
      TranslateStream.translate(texts, options)
    )
    expectTypeOf(stream).toEqualTypeOf<
      Stream.Stream<
        Outcome.Outcome<string, string>,
        CallersError | Outcome.StreamError,
        CallersService | Translator.Translator | LanguageSupport.LanguageSupport
      >
    >()
  })
})
