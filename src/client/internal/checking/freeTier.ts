import * as Effect from "effect/Effect"
import * as Text from "../../../api/Text.js"
import type * as Region from "../../Region.js"
import { invalidRequest, type TranslateError } from "../../TranslateError.js"
import type { Endpoint } from "../calling/call.js"
import type { Guard } from "./requestRules.js"

export const paidTier = "for the paid tier only, and this region is of the free tier"

/** Refuses a style rule list in the free tier. */
export const check = (
  region: Region.Service,
  endpoint: Endpoint,
  request: { readonly styleId?: string | undefined }
): Effect.Effect<void, TranslateError> =>
  region.tier === "free" && request?.styleId !== undefined
    ? Effect.fail(
        invalidRequest(endpoint, [
          {
            field: "styleId",
            rule: `is ${paidTier}: leave it out, or take the base address and a key of the paid tier`
          }
        ])
      )
    : Effect.void

/** Refuses translations with a style rule list in the free tier. */
export const guard =
  (region: Region.Service): Guard<Text.TranslateRequest> =>
  (request, sent) =>
    region.tier === "free" ? Effect.zipRight(check(region, Text.translateText, request), sent) : sent
