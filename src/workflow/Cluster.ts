/**
 * The engine of durable jobs, and this worker in it.
 *
 * @since 0.1.0
 */
import type * as MessageStorage from "@effect/cluster/MessageStorage"
import type * as Sharding from "@effect/cluster/Sharding"
import type * as ShardingConfig from "@effect/cluster/ShardingConfig"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageLost } from "./ClusterError.js"
import * as startDeadline from "./internal/engine/startDeadline.js"

/**
 * This worker among the others.
 *
 * @since 0.1.0
 * @category models
 */
export interface Service {
  /** Where the others reach it: `host:port`, or `local` for the only one of a file. */
  readonly address: string
  /**
   * Fails once the database is lost: an operation of the engine has failed for more than a second, or had no answer within
   * 10 seconds. Let the process end then, with {@link ClusterError.exitCode}, and start it again: the engine does not
   * recover from every loss by itself.
   */
  readonly lost: Effect.Effect<never, StorageLost>
}

/**
 * This worker among the others.
 *
 * @since 0.1.0
 * @category tags
 */
export class Cluster extends Context.Tag("effect-translate/Cluster")<Cluster, Service>() {}

/**
 * The services of `LibsqlCluster.layer` and `PgCluster.layer`. The `SqlClient` is for the tables of the jobs, and for a
 * store; the storage of messages for the purge of their journals.
 *
 * @since 0.1.0
 * @category models
 */
export type Provided =
  | WorkflowEngine
  | Sharding.Sharding
  | MessageStorage.MessageStorage
  | SqlClient.SqlClient
  | Cluster

/**
 * The settings of the engine. The number of its shards and the kind of their locks are none: all workers of a database have
 * the same, for ever.
 *
 * @since 0.1.0
 * @category models
 */
export type Settings = Partial<
  Omit<
    ShardingConfig.ShardingConfig["Type"],
    "runnerAddress" | "runnerListenAddress" | "shardsPerGroup" | "shardLockDisableAdvisory"
  >
>

/**
 * The settings with which both layers run the engine, where they are not its own. Their reasons are in
 * `docs/internals/durable-engine.md`.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: Settings = {
  shardLockExpiration: "6 seconds",
  shardLockRefreshInterval: "2 seconds",
  entityMessagePollInterval: "1 seconds",
  refreshAssignmentsInterval: "1 seconds",
  // Else each step that has ended stays in memory for a minute: of a million texts, some 30 MB.
  entityMaxIdleTime: "5 seconds",
  // Activities finish their requests once they are interrupted: nothing is gained by waiting before that.
  entityTerminationTimeout: "100 millis"
}

/**
 * A layer of a worker, such as one of `Worker.layer` with all that it needs, that is ready within 45 seconds or fails with
 * `StartTimedOut`. One that is interrupted meanwhile ends within 5 seconds. `PgWorker.layer` and `PgCluster.layer` have it.
 *
 * @internal
 */
export const withStartDeadline = startDeadline.of
