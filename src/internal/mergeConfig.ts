import * as Arr from "effect/Array"
import * as ConfigError from "effect/ConfigError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Layers of settings. Where both lack something, the error names both: `Layer.merge` would name the first. */
export const mergeConfig = <A, B>(
  one: Layer.Layer<A, ConfigError.ConfigError>,
  other: Layer.Layer<B, ConfigError.ConfigError>
): Layer.Layer<A | B, ConfigError.ConfigError> =>
  Effect.all([Layer.build(one), Layer.build(other)], { mode: "validate" }).pipe(
    Effect.mapBoth({
      onFailure: (errors) => Arr.getSomes(errors).reduce((left, right) => ConfigError.And(left, right)),
      onSuccess: ([some, others]) => Context.merge(some, others)
    }),
    Layer.scopedContext
  )
