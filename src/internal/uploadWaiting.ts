import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/**
 * Runs when an upload begins to wait within its call, for its turn, a permit or the quota: the service has not taken it.
 * @default nothing
 */
export class UploadWaiting extends Context.Reference<UploadWaiting>()(
  "effect-translate/internal/UploadWaiting",
  { defaultValue: (): Effect.Effect<void> => Effect.void }
) {}
