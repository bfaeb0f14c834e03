/**
 * The languages of the service.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Language from "../api/Language.js"
import type { Endpoints } from "./internal/calling/endpoints.js"
import * as learned from "./internal/checking/learnedLanguages.js"
import type * as requestRules from "./internal/checking/requestRules.js"
import type { CallError } from "./TranslateError.js"

/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  type Feature,
  type Features,
  Language,
  LanguageV2,
  Query,
  QueryV2,
  Resource,
  ResourceFeature,
  ResourceName
} from "../api/Language.js"
/**
 * The models of these calls, from the contract.
 *
 * @since 0.1.0
 * @category models
 */
export {
  base,
  canonical,
  known,
  LanguageCode,
  SourceLanguage,
  TargetLanguage
} from "../api/LanguageCode.js"

/**
 * The languages of the service: `languages` of the client. `LanguageSupport` caches them and checks options.
 *
 * @since 0.1.0
 * @category models
 */
export interface Languages {
  /**
   * The languages of a resource: `GET /v3/languages`. Stable languages and features only, unless `include` says
   * more.
   *
   * Source: service specification, Endpoints, Languages.
   *
   * @example
   * const languages = yield* client.languages.list({ resource: "translate_text" })
   */
  readonly list: (query: Language.Query) => Effect.Effect<ReadonlyArray<Language.Language>, CallError>
  /**
   * The resources with their features, and which side of a pair each feature needs: `GET /v3/languages/resources`.
   *
   * Source: service specification, Endpoints, Languages.
   *
   * @example
   * const resources = yield* client.languages.resources
   */
  readonly resources: Effect.Effect<ReadonlyArray<Language.Resource>, CallError>
  /**
   * The languages of text translation, sources unless `type` is `target`: `GET /v2/languages`.
   *
   * Source: service specification, Endpoints, Languages.
   *
   * @example
   * const targets = yield* client.languages.listV2({ type: "target" })
   *
   * @deprecated by the service: use `list`.
   */
  readonly listV2: (query?: Language.QueryV2) => Effect.Effect<ReadonlyArray<Language.LanguageV2>, CallError>
}

/** @internal */
export const make: (endpoints: Endpoints, known: requestRules.Languages) => Languages = ({ get }, known) => {
  const list = get(Language.list)
  const listV2 = get(Language.listV2)
  return {
    list: (query) => Effect.tap(list({ query }), (languages) => learned.learnList(known, query, languages)),
    resources: get(Language.resources)({}),
    listV2: (query = {}) =>
      Effect.tap(listV2({ query }), (languages) => learned.learnListV2(known, languages))
  }
}
