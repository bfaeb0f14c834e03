/**
 * The contract of the whole service. The client, the emulator and the OpenAPI document are derived from it.
 *
 * @since 0.1.0
 */
import * as HttpApiMiddleware from "@effect/platform/HttpApiMiddleware"
import * as HttpApiSecurity from "@effect/platform/HttpApiSecurity"
import * as OpenApi from "@effect/platform/OpenApi"
import * as Analytics from "./Analytics.js"
import * as DeveloperKey from "./DeveloperKey.js"
import { Caller, KeyApi } from "./KeyApi.js"
import * as ServiceError from "./ServiceError.js"

/**
 * The contract of the endpoints for API keys, with its caller.
 *
 * @since 0.1.0
 * @category contract
 */
export { Authorization, Caller } from "./KeyApi.js"

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
export class TranslateApi extends KeyApi.add(DeveloperKey.group.middleware(AdminAuthorization)).add(
  Analytics.group.middleware(AdminAuthorization)
) {}
