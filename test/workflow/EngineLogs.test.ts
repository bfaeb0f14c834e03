import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as engineLogs from "../../src/workflow/internal/engine/engineLogs.js"

it.effect(
  "the loggers of a program get the engine's messages, but not that it waits for workflows to be registered, or that the last worker leaves",
  () =>
    Effect.gen(function* () {
      const lines: Array<unknown> = []
      const logger = Logger.make(({ message }) => void lines.push(message))
      const engine = Effect.zipRight(
        Effect.logWarning("Could not find entity manager for address, retrying"),
        Effect.logWarning("No healthy runners available")
      ).pipe(
        Effect.zipRight(Effect.logWarning("Could not read messages from storage")),
        Effect.annotateLogs({ package: "@effect/cluster" })
      )
      const layer = Layer.scopedDiscard(Effect.forkScoped(Effect.zipRight(engine, Effect.logInfo("mine"))))
      yield* Effect.scoped(
        Effect.zipRight(Layer.build(engineLogs.layer(layer)), Effect.yieldNow({ priority: 1 }))
      ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
      assert.deepStrictEqual(lines.flat(), ["Could not read messages from storage", "mine"])
    })
)
