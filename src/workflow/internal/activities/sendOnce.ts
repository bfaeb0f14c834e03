import type { WorkflowEngine, WorkflowInstance } from "@effect/workflow/WorkflowEngine"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { asking } from "../../../internal/sendGate.js"
import * as firstRun from "./firstRun.js"

/** Makes a call, as often as it is given one. */
export type Send = <A, E, R>(call: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/**
 * Calls of an activity that are not made once an earlier run of it may have made them.
 *
 * The journal is told just before the first request leaves. A later run that finds the mark of another one knows that an earlier one has
 * sent something, and has not come to its end.
 */
export const make = (name: string) =>
  Effect.gen(function* () {
    const engine = yield* Effect.context<WorkflowEngine | WorkflowInstance>()
    const doubted = yield* Deferred.make<void>()
    const isFirst = yield* Effect.cached(Effect.provide(firstRun.make(`${name}/sent`), engine))
    const unlessDoubted: Send = (call) =>
      Effect.catchAllCause(call, (cause) =>
        Effect.flatMap(Deferred.isDone(doubted), (isDone) =>
          isDone ? Effect.never : Effect.failCause(cause)
        )
      )
    const maySend = () => Effect.tap(isFirst, (isFirst) => isFirst || Deferred.succeed(doubted, undefined))
    const once: Send = (call) => unlessDoubted(asking(call, maySend))
    return {
      /** Never ends if an earlier run has sent something. */
      once,
      /** Ends then. */
      doubted: Deferred.await(doubted)
    }
  })
