/**
 * Text improvement: texts rephrased or corrected in their own language.
 *
 * @since 0.1.0
 */
import type * as Effect from "effect/Effect"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Api from "../api/Write.js"
import type { Endpoint } from "./internal/calling/call.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as requestRules from "./internal/checking/requestRules.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  CorrectOptions,
  CorrectRequest,
  Improvement,
  ImproveResult,
  RephraseOptions,
  RephraseRequest,
  styledLanguages,
  type TargetLanguage,
  Tone,
  WritingStyle
} from "../api/Write.js"

/**
 * The answer to a text improvement, and how often its request was sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Improved extends Api.ImproveResult {
  /** The number of times that the request was sent. */
  readonly attempts: number
  /** The number of attempts before the successful one that may have been carried out and billed as well. */
  readonly ambiguousAttempts: number
}

/**
 * Text improvement: `write` of the client. A request takes at most 10,240 bytes of JSON; `WriteStream` packs any number
 * of texts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Write {
  /**
   * Improves spelling and grammar, and wording too: `POST /v2/write/rephrase`. The answer holds as many improvements as
   * the request texts. A text must be in the language `targetLang`: this does not translate.
   *
   * Source: service specification, Endpoints, Text improvement.
   *
   * @example
   * const rephrased = yield* client.write.rephrase({
   *   text: ["We has received you're order."],
   *   targetLang: "en-US",
   *   writingStyle: "business"
   * })
   */
  readonly rephrase: (request: Api.RephraseRequest) => Effect.Effect<Improved, CallError>
  /**
   * Corrects spelling and grammar with as few changes as possible: `POST /v2/write/correct`. The answer holds as many
   * improvements as the request texts.
   *
   * Source: service specification, Endpoints, Text improvement.
   *
   * @example
   * const corrected = yield* client.write.correct({ text: ["We has received you're order."], targetLang: "en-US" })
   */
  readonly correct: (request: Api.CorrectRequest) => Effect.Effect<Improved, CallError>
}

const improvementsOf = ({ improvements }: Api.ImproveResult) => improvements

/** Refuses to improve texts in languages that the table knows, but not for that. */
const guard =
  ({ improved, kind }: requestRules.Languages, endpoint: Endpoint): requestRules.Guard<Api.CorrectOptions> =>
  (request, sent) => {
    const { targetLang } = Object(request) as Api.CorrectOptions
    // Nothing has checked the options yet.
    const code = typeof targetLang === "string" ? LanguageCode.canonical(targetLang) : ""
    if (!LanguageCode.known.includes(code) || improved.has(code)) return sent
    const rule = `is "${code}", in which texts are not improved: choose among ${[...improved].join(", ")}`
    return requestRules.guarded(endpoint, [{ check: "languages", field: "targetLang", rule }], kind, sent)
  }

/** @internal */
export const make = ({ bulk }: Endpoints, languages: requestRules.Languages): Write => ({
  rephrase: bulk(
    Api.rephrase,
    Api.RephraseRequest,
    Api.ImproveResult,
    improvementsOf,
    guard(languages, Api.rephrase)
  ),
  correct: bulk(
    Api.correct,
    Api.CorrectRequest,
    Api.ImproveResult,
    improvementsOf,
    guard(languages, Api.correct)
  )
})
