import * as Effect from "effect/Effect"
import type * as Region from "../../Region.js"
import { type CallError, invalidRequest } from "../../TranslateError.js"
import type { Endpoint } from "../calling/call.js"

export const paidTier = "for the paid tier only, and this region is of the free tier"

/** Refuses a style rule list in the free tier. */
export const check = (
  region: Region.Service,
  endpoint: Endpoint,
  request: { readonly styleId?: string | undefined }
): Effect.Effect<void, CallError> =>
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
