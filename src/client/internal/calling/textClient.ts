import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type * as ServiceKind from "../../../api/ServiceKind.js"
import * as Text from "../../../api/Text.js"
import { hash } from "../../../internal/hash.js"
import type { CallError } from "../../TranslateError.js"
import * as freeTier from "../checking/freeTier.js"
import type * as requestRules from "../checking/requestRules.js"
import type { Connection } from "./connection.js"
import * as namedContent from "./namedContent.js"
import * as textCalls from "./textCalls.js"

/**
 * The answer to a translation, and how often its request was sent.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated extends Text.TranslateResult {
  /** The number of times that the request was sent. */
  readonly attempts: number
  /** The number of attempts before the successful one that may have been carried out and billed as well. */
  readonly ambiguousAttempts: number
}

/**
 * Whose answers a client gives. Stores of translations keep apart translations of different services and accounts.
 *
 * @since 0.1.0
 * @category models
 */
export interface Identity {
  /** The base address of the region, or `name:` and its name. */
  readonly service: string
  /** `key:` and a hash of the key, or `name:` and the name of the account. */
  readonly account: string
}

/** The part of a client that translates texts. */
export interface TextClient {
  /** Whose answers it gives. Under `QuotaPolicy.failOver`, those of the first client. */
  readonly identity: Identity
  /** The kind of its service, from the region. */
  readonly kind: ServiceKind.ServiceKind
  /**
   * Translates 1 to 50 texts: `POST /v2/translate`. The answer holds as many translations as the request texts.
   *
   * Source: service specification, Endpoints, Text translation.
   *
   * @example
   * const { translations } = yield* client.translateText({ text: ["Good morning"], targetLang: "de" })
   */
  readonly translateText: (request: Text.TranslateRequest) => Effect.Effect<Translated, CallError>
  /**
   * A hash of the content of the glossaries and the style rule list that options name by ids, for stores of translations; `undefined` if
   * they name none, which asks nothing of the service.
   */
  readonly contentOf: (options: Text.TranslateOptions) => Effect.Effect<string | undefined, CallError>
}

const identityOf = ({ credentials: { account, key }, region }: Connection): Identity => ({
  service: region.name === undefined ? region.url : `name:${region.name}`,
  account:
    account === undefined
      ? `key:${hash(`effect-translate/account\n${Redacted.value(key)}`)}`
      : `name:${account}`
})

/** The calls of texts over a connection, with the known languages. */
export const make = (connection: Connection, known: requestRules.Languages): TextClient => {
  const { region } = connection
  const inTier = (options: Text.TranslateOptions) => freeTier.check(region, Text.translateText, options)
  const contentOf = namedContent.make(connection)
  return {
    identity: identityOf(connection),
    kind: known.kind,
    translateText: textCalls.bulk(connection)(
      Text.translateText,
      Text.TranslateRequest,
      Text.TranslateResult,
      (result) => result.translations,
      region.tier === "free"
        ? (request, sent) => known.guardText(request, Effect.zipRight(inTier(request), sent))
        : known.guardText
    ),
    contentOf: (options) => Effect.zipRight(inTier(options), contentOf(options))
  }
}
