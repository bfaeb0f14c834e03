import * as HttpApiBuilder from "@effect/platform/HttpApiBuilder"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as RequestRules from "../../api/RequestRules.js"
import * as Text from "../../api/Text.js"
import * as TranslateApi from "../../api/TranslateApi.js"
import type { AccountState } from "./account.js"
import { detect } from "./detect.js"
import type { GlossaryState } from "./glossaryState.js"
import { hasFormality } from "./languageTable.js"
import type { Phrases } from "./phrases.js"
import * as pseudoTranslation from "./pseudoTranslation.js"
import { refusal } from "./refusal.js"
import type { StyleRuleState } from "./styleRules.js"
import type { SupportedValues } from "./supportedValues.js"

/** Rules that depend on the languages and features of the service, which the contract cannot know. */
const unsupported = (request: Text.TranslateRequest, isBeta: boolean): string | undefined => {
  const { formality, modelType, targetLang } = request
  if ((formality === "more" || formality === "less") && !hasFormality(targetLang)) {
    return `formality "${formality}" is not supported for target_lang ${targetLang}`
  }
  if (isBeta && modelType !== undefined && modelType !== "quality_optimized") {
    return `model_type "${modelType}" is not supported for target_lang ${targetLang}, which is in beta`
  }
  return undefined
}

/** Source service specification: without a source language next-gen models are used regardless of model_type. */
const modelUsed = ({ modelType, sourceLang }: Text.TranslateRequest): string | undefined =>
  modelType === undefined || (modelType === "latency_optimized" && sourceLang !== undefined)
    ? modelType
    : "quality_optimized"

/** Already encoded: encoding by schema would take a third of the emulator's time. */
const answer = (
  request: Text.TranslateRequest,
  billed: ReadonlyArray<number>,
  phrases: Phrases | undefined,
  matches: ReadonlyMap<string, string>,
  saysTagVersion: boolean,
  isRough: boolean
): { readonly translations: ReadonlyArray<typeof Text.Translation.Encoded> } => {
  const { ignoreTags = [], sourceLang, tagHandling, targetLang } = request
  const code = isRough
    ? pseudoTranslation.roughCode(tagHandling, ignoreTags)
    : pseudoTranslation.codeWith(tagHandling === undefined ? [] : ignoreTags)
  const target = LanguageCode.base(targetLang)
  const given = sourceLang?.toUpperCase()
  const model = modelUsed(request)
  const tagVersion =
    saysTagVersion && tagHandling !== undefined ? (request.tagHandlingVersion ?? "v1") : undefined
  return {
    translations: request.text.map((text, index) => {
      const source = given ?? detect(text)
      return {
        detected_source_language: source,
        text:
          LanguageCode.base(source) === target
            ? text
            : (matches.get(text) ?? pseudoTranslation.translate(text, targetLang, phrases, code)),
        ...(request.showBilledCharacters === true ? { billed_characters: billed[index]! } : undefined),
        ...(model === undefined ? undefined : { model_type_used: model }),
        ...(tagVersion === undefined ? undefined : { tag_handling_version: tagVersion })
      }
    })
  }
}

/** The handlers of the text endpoints. */
export const handlers = (
  account: AccountState,
  styles: StyleRuleState,
  glossaries: GlossaryState,
  supported: SupportedValues,
  isRough: boolean
) =>
  HttpApiBuilder.group(TranslateApi.TranslateApi, "text", (handlers) =>
    handlers.handle("translateText", ({ payload }) =>
      Effect.gen(function* () {
        const caller = yield* TranslateApi.Caller
        yield* supported.request(payload.extraParameters, RequestRules.ofTexts(payload))
        yield* supported.translation("translate_text", payload)
        const problem = unsupported(
          payload,
          supported.table.isBeta(LanguageCode.canonical(payload.targetLang))
        )
        if (problem !== undefined) return yield* refusal("BadRequest", problem)
        yield* styles.check(payload)
        const phrases = yield* glossaries.phrasesFor(payload)
        // A text that is there as it is matches by 100 %, which no threshold is above.
        const matches = yield* supported.matches(payload)
        const isFree = supported.kind.freeTargets.includes(LanguageCode.canonical(payload.targetLang))
        const billed = payload.text.map((text) => (isFree ? 0 : Text.characters(text)))
        yield* account.bill(caller.key, {
          product: "text_translation",
          texts: billed.length,
          characters: billed.reduce((sum, count) => sum + count, 0)
        })
        return HttpServerResponse.unsafeJson(
          answer(payload, billed, phrases, matches, !supported.isSpecified, isRough)
        )
      })
    )
  )
