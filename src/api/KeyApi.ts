/**
 * The contract of the endpoints for API keys.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Document from "./Document.js"
import * as Glossary from "./Glossary.js"
import * as Language from "./Language.js"
import * as MonolingualGlossary from "./MonolingualGlossary.js"
import * as ServiceError from "./ServiceError.js"
import * as StyleRule from "./StyleRule.js"
import * as TextApi from "./TextApi.js"
import * as TranslationMemory from "./TranslationMemory.js"
import * as Usage from "./Usage.js"
import * as Voice from "./Voice.js"
import * as Write from "./Write.js"

/**
 * The caller: the plain API key, once the service has accepted it.
 *
 * @since 0.1.0
 * @category contract
 */
export class Caller extends Context.Tag("effect-translate/Caller")<Caller, { readonly key: string }>() {}

/**
 * Every request carries `Authorization: Service-Auth-Key <API_KEY>`.
 *
 * Source: service specification, Authentication, 1.
 *
 * @since 0.1.0
 * @category contract
 */
export class Authorization extends HttpApiMiddleware.Tag<Authorization>()("effect-translate/Authorization", {
  failure: ServiceError.Forbidden,
  provides: Caller,
  security: {
    key: HttpApiSecurity.apiKey({ key: "authorization", in: "header" }).pipe(
      HttpApiSecurity.annotate(OpenApi.Description, "Service-Auth-Key <API_KEY>")
    )
  }
}) {}

/**
 * The contract of the endpoints for API keys.
 *
 * @since 0.1.0
 * @category contract
 */
export class KeyApi extends HttpApi.make("LanguageService")
  .add(TextApi.group.middleware(Authorization))
  .add(Document.group.middleware(Authorization))
  .add(Usage.group.middleware(Authorization))
  .add(Language.group.middleware(Authorization))
  .add(StyleRule.group.middleware(Authorization))
  .add(Glossary.group.middleware(Authorization))
  .add(MonolingualGlossary.group.middleware(Authorization))
  .add(TranslationMemory.group.middleware(Authorization))
  .add(Write.group.middleware(Authorization))
  .add(Voice.group.middleware(Authorization))
  .addError(ServiceError.BadRequest)
  .addError(ServiceError.Forbidden)
  .addError(ServiceError.NotFound)
  .addError(ServiceError.PayloadTooLarge)
  .addError(ServiceError.TooManyRequests)
  .addError(ServiceError.QuotaExceeded)
  .addError(ServiceError.Unavailable)
  .annotate(OpenApi.Title, "Language Service") {}
