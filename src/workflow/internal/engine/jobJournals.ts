import { make as makeEntityAddress } from "@effect/cluster/EntityAddress"
import { make as makeEntityId } from "@effect/cluster/EntityId"
import { EntityType } from "@effect/cluster/EntityType"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as Sharding from "@effect/cluster/Sharding"
import type * as Workflow from "@effect/workflow/Workflow"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { CorpusWorkflow, StepWorkflow } from "../../CorpusWorkflow.js"
import type { Journals, Purged } from "../tables/jobTables.js"

/**
 * The number of steps after which the rest is noted: each takes two looks through all messages of the engine, which has no
 * index for that. So the next worker does not begin anew.
 */
const noted = 100

/** The address of an execution's messages in the engine. */
const addressOf = (sharding: Sharding.Sharding["Type"], workflow: Workflow.Any, execution: string) => {
  const entityId = makeEntityId(execution)
  return makeEntityAddress({
    entityType: EntityType.make(`Workflow/${workflow.name}`),
    entityId,
    shardId: sharding.getShardId(entityId, "default")
  })
}

/**
 * Clears the journals of jobs that were purged, each once its execution has ended: that of the job ends after those of its
 * steps. Of several workers that one does it which has the execution.
 */
export const clear = (
  jobs: Journals
): Effect.Effect<
  void,
  Effect.Effect.Error<Journals["listPurged"]>,
  MessageStorage.MessageStorage | Sharding.Sharding | WorkflowEngine
> =>
  Effect.gen(function* () {
    const storage = yield* MessageStorage.MessageStorage
    const sharding = yield* Sharding.Sharding

    /** True if a request has no final answer: undefined if there is no request. */
    const isOpen = (address: ReturnType<typeof addressOf>, tag: string) =>
      Effect.flatMap(storage.requestIdForPrimaryKey({ address, tag, id: "" }), (request) =>
        Option.isNone(request)
          ? Effect.succeed(undefined)
          : Effect.map(
              storage.repliesForUnfiltered([request.value]),
              (replies) => Option.getOrUndefined(Arr.last(replies))?._tag !== "WithExit"
            )
      )

    const clearJob = (job: Purged) =>
      Effect.gen(function* () {
        const execution = yield* CorpusWorkflow.executionId(job)
        const address = addressOf(sharding, CorpusWorkflow, execution)
        if (!sharding.hasShardId(address.shardId)) return
        const isRunning = yield* isOpen(address, "run")
        // Steps wake the execution when they end, also once it has ended.
        if (isRunning === undefined ? !job.isLate : isRunning || (yield* isOpen(address, "resume"))) return
        if (isRunning === false && (yield* CorpusWorkflow.poll(execution))?._tag !== "Complete") return
        for (let left = job.steps; left > 0; left--) {
          const execution = yield* StepWorkflow.executionId({ ...job, step: left - 1 })
          yield* storage.clearAddress(addressOf(sharding, StepWorkflow, execution))
          if (left % noted === 1) yield* jobs.recordCleared(job, left - 1)
        }
        yield* storage.clearAddress(address)
        yield* jobs.forget(job)
      })

    // A failure here is watched by the guard, and the work is done at the next time.
    yield* Effect.flatMap(jobs.listPurged, (purged) =>
      Effect.forEach(
        purged,
        (job) =>
          Effect.catchTags(clearJob(job), {
            PersistenceError: () => Effect.void,
            MalformedMessage: () => Effect.void
          }),
        { discard: true }
      )
    )
  })
