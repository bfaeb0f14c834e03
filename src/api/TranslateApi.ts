/**
 * The contract of the whole service. The client, the emulator and the OpenAPI document are derived from it.
 *
 * @since 0.1.0
 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Context from "effect/Context"
import * as Analytics from "./Analytics.js"
import * as DeveloperKey from "./DeveloperKey.js"
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
 * Who calls: the plain API key, once the service has accepted it.
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
 * Every request for administration carries `Authorization: Service-Auth-Key <ADMIN_KEY>`.
 *
 * Source: service specification, Authentication, 2.
 *
 * @since 0.1.0
 * @category contract
 */
export class AdminAuthorization extends HttpApiMiddleware.Tag<AdminAuthorization>()(
  "effect-translate/AdminAuthorization",
  {
    failure: ServiceError.Forbidden,
    provides: Caller,
    security: {
      adminKey: HttpApiSecurity.apiKey({ key: "authorization", in: "header" }).pipe(
        HttpApiSecurity.annotate(OpenApi.Description, "Service-Auth-Key <ADMIN_KEY>")
      )
    }
  }
) {}

/**
 * The contract of the whole service.
 *
 * @since 0.1.0
 * @category contract
 */
export class TranslateApi extends HttpApi.make("LanguageService")
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
  .add(DeveloperKey.group.middleware(AdminAuthorization))
  .add(Analytics.group.middleware(AdminAuthorization))
  .addError(ServiceError.BadRequest)
  .addError(ServiceError.Forbidden)
  .addError(ServiceError.NotFound)
  .addError(ServiceError.PayloadTooLarge)
  .addError(ServiceError.TooManyRequests)
  .addError(ServiceError.QuotaExceeded)
  .addError(ServiceError.Unavailable)
  .annotate(OpenApi.Title, "Language Service") {}
