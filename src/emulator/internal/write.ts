import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Text from "../../api/Text.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import * as Write from "../../api/Write.js"
import * as PseudoImprovement from "../PseudoImprovement.js"
import type { AccountState } from "./account.js"
import { detect, mayBe } from "./detect.js"
import { refusal } from "./refusal.js"
import type { SupportedValues } from "./supportedValues.js"

const styled = new Set(Write.styledLanguages.map(LanguageCode.base))

/** The base language of a text: the target's if there is one, else detected by script. */
const languageOf = (text: string, targetLang: string | undefined): string =>
  LanguageCode.base(targetLang ?? detect(text))

/** Rules that depend on the languages of the texts and on the features of the service, which the contract cannot know. */
const unsupported = (
  { targetLang, text, ...style }: Write.RephraseRequest,
  { allowsUnknown, table }: SupportedValues
): string | undefined => {
  for (let index = 0; index < text.length; index++) {
    const language = languageOf(text[index]!, targetLang)
    if (!allowsUnknown && table.unsupported("write", { sources: { language } }) !== undefined)
      return `text[${index}] is in ${language}, which is not supported`
    if (!mayBe(text[index]!, language)) {
      return `text[${index}] is not in the language of target_lang ${targetLang}: this does not translate`
    }
    if (!styled.has(language) && Write.isDemand(style.writingStyle ?? style.tone)) {
      return `text[${index}] is in ${language}, which has no writing_style or tone: put prefer_ in front of it or drop it`
    }
  }
  return undefined
}

/** The handlers of text improvement. */
export const handlers = (account: AccountState, supported: SupportedValues) => {
  const improve = (
    request: Write.RephraseRequest,
    change: (text: string, options: Write.RephraseOptions) => string
  ) =>
    Effect.gen(function* () {
      const { key } = yield* TranslateApi.Caller
      yield* supported.request(request.extraParameters, [])
      yield* supported.languages("write", { targets: { target_lang: request.targetLang } })
      yield* supported.style("writing_style", request.writingStyle)
      yield* supported.style("tone", request.tone)
      const problem = unsupported(request, supported)
      if (problem !== undefined) {
        return yield* refusal("BadRequest", problem)
      }
      yield* account.bill(key, {
        product: "text_improvement",
        texts: request.text.length,
        characters: request.text.reduce((sum, text) => sum + Text.characters(text), 0)
      })
      const { extraParameters: _, targetLang, text, ...style } = request
      return {
        improvements: text.map((text) => {
          const language = languageOf(text, targetLang)
          return {
            text: change(text, { targetLang, ...(styled.has(language) ? style : undefined) }),
            ...(targetLang === undefined ? undefined : { targetLanguage: targetLang }),
            detectedSourceLanguage: language
          }
        }) as [Write.Improvement, ...Array<Write.Improvement>]
      }
    })
  return HttpApiBuilder.group(TranslateApi.TranslateApi, "write", (handlers) =>
    handlers
      .handle("rephrase", ({ payload }) => improve(payload, PseudoImprovement.rephrase))
      .handle("correct", ({ payload }) => improve(payload, PseudoImprovement.correct))
  )
}
