/**
 * The endpoint of text translation.
 *
 * @since 0.1.0
 */
import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import { FormBody } from "./FormBody.js"
import * as Text from "./Text.js"

/**
 * `POST /v2/translate`.
 *
 * Source: service specification, Endpoints, Text translation.
 *
 * @since 0.1.0
 * @category contract
 */
export const translateText = HttpApiEndpoint.post("translateText", Text.translateText.path)
  .setPayload(Text.TranslateRequest)
  .addSuccess(Text.TranslateResult)
  .annotateContext(Text.translateText.annotations)
  .annotate(FormBody, true)

/**
 * The text endpoints.
 *
 * @since 0.1.0
 * @category contract
 */
export const group = HttpApiGroup.make("text").add(translateText)
