import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/** What a caller of many calls, such as a stream, adds to each of them. */
export interface Hooks {
  /** Asked before a request that may have been billed is sent again. @default it is sent */
  readonly mayRepeat?: Effect.Effect<boolean> | undefined
  /**
   * Once this completes, a call that waits for its turn or in a back-off is not sent any more: it fails with its last
   * error, or is interrupted if it was never sent. @default never
   */
  readonly halted?: Effect.Effect<void> | undefined
}

/** The hooks of the calls below. */
export class CallHooks extends Context.Reference<CallHooks>()("effect-translate/internal/CallHooks", {
  defaultValue: (): Hooks => ({})
}) {}
