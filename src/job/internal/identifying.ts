import * as Effect from "effect/Effect"
import { canonicalJson } from "../../internal/canonicalJson.js"
import * as Translator from "../../stream/Translator.js"

/**
 * The translator, asked once for all streams what its answers depend on: for a glossary that takes two calls of the service, and a
 * job may have thousands of streams. A failure is not kept.
 */
export const once: Effect.Effect<Translator.Service, never, Translator.Translator> = Effect.gen(function* () {
  const translator = yield* Translator.Translator
  const { identify } = translator
  if (identify === undefined) return translator
  const known = new Map<string, Translator.Identity>()
  const oneAtATime = yield* Effect.makeSemaphore(1)
  return {
    ...translator,
    // A context is part of the options that a store knows anyway, and may be another one for each text of a file.
    identify: ({ context: _, ...options }) =>
      Effect.suspend(() => {
        const key = canonicalJson(options)
        const identity = known.get(key)
        return identity === undefined
          ? Effect.tap(identify(options), (identity) => known.set(key, identity))
          : Effect.succeed(identity)
      }).pipe(oneAtATime.withPermits(1))
  }
})
