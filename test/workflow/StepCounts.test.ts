/** What is counted of a step that ends while it is halted. */

import { expect, it } from "@effect/vitest"
import * as WorkflowEngine from "@effect/workflow/WorkflowEngine"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { ConcurrencyLimit } from "effect-translate"
import { JobSource } from "effect-translate/jobs"
import { StepWorkflow } from "../../src/workflow/CorpusWorkflow.js"
import * as jobExecution from "../../src/workflow/internal/engine/jobExecution.js"
import type { Opened } from "../../src/workflow/internal/steps/openJobs.js"
import type { Service, Tallies } from "../../src/workflow/internal/tables/jobTables.js"

const step = {
  kind: "sources" as const,
  sources: ["a"],
  texts: 3,
  isDone: false,
  tallies: {},
  failedOutputs: 0
}

/**
 * A worker that leaves, or not, before the only source has come to its end: what it has come to reaches nobody then. The source may wait with
 * its outcome until something was told.
 */
const run = (isHalted: boolean, waits = false) =>
  Effect.gen(function* () {
    const told: Array<Tallies> = []
    const heard = yield* Deferred.make<void>()
    const halted = yield* Deferred.make<never, JobSource.JobStopped>()
    const source: JobSource.JobSource = {
      name: "a",
      forecast: () => Effect.succeed([]),
      translate: ([translation]) =>
        Effect.gen(function* () {
          if (waits) yield* Deferred.await(heard)
          const texts = { translated: 3, cached: 0, skipped: 0, failed: 0 }
          const cost = { characters: 9, ambiguousCharacters: 0 }
          yield* translation!.observe([{ texts, cost, failures: [] }])
          if (isHalted) yield* Deferred.fail(halted, new JobSource.JobStopped())
          return []
        }).pipe(Effect.orDie)
    }
    const opened = {
      targets: [{ options: { targetLang: "de" } }],
      sources: new Map([["a", { source }]]),
      translator: {},
      judged: {
        turn: Effect.succeed(true),
        step: (_: unknown, body: (ended: Effect.Effect<void>) => unknown) => body(Effect.void)
      }
    } as unknown as Opened<never, never>
    const jobs = {
      findStep: () => Effect.succeedSome(step),
      recordProgress: (_: unknown, _1: unknown, tallies: Tallies) =>
        Effect.zipRight(
          Effect.sync(() => told.push(tallies)),
          Deferred.succeed(heard, undefined)
        ),
      recordResult: () => Effect.void
    } as unknown as Service
    const attempt = {
      halted,
      requests: yield* ConcurrencyLimit.makeFixed(2),
      isOpen: Effect.succeed(true),
      onQuotaExceeded: Effect.void
    }
    const workflows = jobExecution.layer<never, never>({
      jobs,
      gate: undefined as never,
      onEvent: () => Effect.void,
      steps: {
        run: (_, step) => Effect.as(step(opened, attempt), Option.none()),
        inFlight: Effect.succeed(0),
        idle: Effect.void
      }
    })
    const receipt = yield* StepWorkflow.execute({ id: "job", generation: 1, step: 0 }).pipe(
      Effect.provide(Layer.provideMerge(workflows, WorkflowEngine.layerMemory))
    )
    expect(receipt.state).toBe("stopped")
    return told
  })

it.scoped("the cost of a step that ends as its worker leaves is recorded in the tables", () =>
  Effect.gen(function* () {
    expect(yield* run(true)).toEqual([{ de: { translated: 3, cached: 0, skipped: 0, failed: 0 } }])
    expect(yield* run(false)).toEqual([])
  })
)

it.scoped(
  "a step is told to the tables as soon as it has begun, before any of its texts has an outcome",
  () =>
    Effect.gen(function* () {
      yield* Effect.forkScoped(Effect.forever(TestClock.adjust("50 millis")))
      const [first] = yield* run(false, true)
      expect(first).toEqual({ de: { translated: 0, cached: 0, skipped: 0, failed: 0 } })
    })
)
