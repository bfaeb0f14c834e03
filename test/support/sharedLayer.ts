import { afterAll, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import type * as Scope from "effect/Scope"

/**
 * Tests on the live clock that share a layer, built once for the file. (`layer` of @effect/vitest would replace methods of
 * the `it` that all files of a worker share.)
 */
export const sharedLayer = <R, E>(layer: Layer.Layer<R, E>, timeout?: number) => {
  const runtime = ManagedRuntime.make(layer)
  afterAll(() => runtime.dispose())
  return <A, E2>(name: string, test: () => Effect.Effect<A, E2, R | Scope.Scope>) =>
    it.scopedLive(
      name,
      () => Effect.flatMap(runtime.runtimeEffect, (shared) => Effect.provide(test(), shared)),
      timeout
    )
}
