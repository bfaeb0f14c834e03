/**
 * The engine of durable jobs: many workers over PostgreSQL, or one over a libsql file.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import type * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { WorkflowEngine } from "@effect/workflow/WorkflowEngine"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as LibsqlClient from "../sql/LibsqlClient.js"
import * as PgClient from "../sql/PgClient.js"
import * as SqlErrorCode from "../sql/SqlErrorCode.js"
import type { ClusterInUse, FolderUnavailable, StorageLost } from "./ClusterError.js"
import {
  type AddressInUse,
  type AddressUnavailable,
  DatabaseUnavailable,
  type InvalidAddress
} from "./ClusterError.js"
import * as addresses from "./internal/addresses.js"
import * as databaseCode from "./internal/databaseCode.js"
import * as firstStart from "./internal/firstStart.js"
import * as lockSession from "./internal/lockSession.js"
import * as ownerLock from "./internal/ownerLock.js"
import * as quiet from "./internal/quiet.js"
import * as redelivery from "./internal/redelivery.js"
import * as sessionWatch from "./internal/sessionWatch.js"
import * as storageGuard from "./internal/storageGuard.js"

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
   * Fails once the database is lost: an operation of the engine has failed, or had no answer within 10 seconds. Let the process end then,
   * with {@link ClusterError.exitCodeOfLoss}, and start it again: the engine does not recover from every loss by itself.
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
 * What both layers provide. The `SqlClient` is for the tables of the jobs.
 *
 * @since 0.1.0
 * @category models
 */
export type Provided = WorkflowEngine | Sharding.Sharding | SqlClient.SqlClient | Cluster

/**
 * The settings of the engine.
 *
 * @since 0.1.0
 * @category models
 */
export type Settings = Partial<
  Omit<ShardingConfig.ShardingConfig["Type"], "runnerAddress" | "runnerListenAddress">
>

/**
 * The settings with which both layers run the engine, where they are not its own. What was measured for them is in
 * `docs/internals/durable-engine.md`.
 *
 * @since 0.1.0
 * @category constants
 */
export const defaults: Settings = {
  shardLockExpiration: "10 seconds",
  shardLockRefreshInterval: "3 seconds",
  entityMessagePollInterval: "1 seconds",
  refreshAssignmentsInterval: "1 seconds",
  runnerHealthCheckInterval: "2 seconds",
  // Activities finish what they have sent once they are interrupted: nothing is gained by waiting before that.
  entityTerminationTimeout: "100 millis"
}

/**
 * A worker among others, which share a database of PostgreSQL.
 *
 * @since 0.1.0
 * @category models
 */
export interface PgOptions {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
  /**
   * Where the others reach this worker: `host:port`, or a host alone for a free port. Whoever reaches it can have it do anything: it must be
   * an address of a private network.
   *
   * @default 127.0.0.1, for workers of one machine
   */
  readonly address?: string | undefined
  /** Where it listens, if not at the address: `0.0.0.0:8800`. @default the address */
  readonly listen?: string | undefined
  /** How many connections to the database the tables of the jobs may use. The engine has up to 8 more. @default 10 */
  readonly maxConnections?: number | undefined
  /** Settings of the engine. @default those of {@link defaults} */
  readonly sharding?: Settings | undefined
}

/** How long a query of the engine may take: less than what the guard waits for. */
const queryTimeout = "5 seconds"

/** One holds the locks of the shards, and one is for the tables at the start; the others take turns. */
const engineConnections = 8

const configOf = (
  settings: Settings | undefined,
  addresses: Pick<ShardingConfig.ShardingConfig["Type"], "runnerAddress" | "runnerListenAddress">
) => ShardingConfig.layer({ ...defaults, ...settings, ...addresses })

/** The storage of the messages, guarded, and this worker. */
const guarded = (address: string) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { lost, storage } = yield* storageGuard.make(yield* MessageStorage.MessageStorage)
      return Context.make(MessageStorage.MessageStorage, storage).pipe(
        Context.add(Cluster, { address, lost })
      )
    })
  ).pipe(Layer.provide(SqlMessageStorage.layer))

const unavailable = (code: string) =>
  new DatabaseUnavailable({ code, isPassing: SqlErrorCode.isPassing(code) })

/** The engine dies of a database that fails while it starts. */
const withoutDefects = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.catchAllCause(effect, (cause) =>
    Effect.failCause(
      Option.match(databaseCode.ofCause(cause), {
        onNone: () => cause as Cause.Cause<never>,
        onSome: (code) => Cause.fail(unavailable(code))
      })
    )
  )

/** Makes the tables of the engine, and opens them. The engine registers an address without brackets. */
const pgStorage = (address: string, registered: string) =>
  Layer.scopedContext(
    withoutDefects(
      firstStart.alone(
        Layer.build(
          Layer.merge(guarded(address), Layer.provide(SqlRunnerStorage.layer, lockSession.layer(registered)))
        )
      )
    ).pipe(Effect.zipLeft(sessionWatch.run), Effect.zipLeft(redelivery.run))
  )

/**
 * A worker among others that share a database of PostgreSQL. What dies with a worker goes on at the others within 15 seconds. The first
 * worker makes the tables; any number may start at once. Shards are moved to a worker that joins, and away from one that leaves.
 *
 * It uses up to 18 connections, one of them all the time, and needs sessions: not a pooler that shares connections between statements.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerPg = (
  options: PgOptions
): Layer.Layer<Provided, InvalidAddress | AddressInUse | AddressUnavailable | DatabaseUnavailable> =>
  Layer.unwrapScoped(
    Effect.map(addresses.open(options), (opened) => {
      const address = addresses.format(opened.address)
      const config = configOf(options.sharding, {
        runnerAddress: Option.some(RunnerAddress.make(opened.address.host, opened.address.port)),
        runnerListenAddress: Option.some(RunnerAddress.make(opened.listening.host, opened.listening.port))
      })
      const client = (maxConnections: number | undefined, timeout?: "5 seconds") =>
        Layer.fresh(
          PgClient.layer({
            url: options.url,
            maxConnections,
            connectTimeout: queryTimeout,
            queryTimeout: timeout
          })
        )
      const protocol = NodeClusterSocket.layerClientProtocol
      const health = RunnerHealth.layerPing.pipe(Layer.provide(Runners.layerRpc), Layer.provide(protocol))
      return ClusterWorkflowEngine.layer.pipe(
        Layer.provideMerge(quiet.layer(SocketRunner.layer)),
        Layer.provide([addresses.layer(opened), health, protocol]),
        Layer.provideMerge(pgStorage(address, `${opened.address.host}:${opened.address.port}`)),
        Layer.provide([config, RpcSerialization.layerMsgPack]),
        Layer.provide(client(engineConnections, queryTimeout)),
        Layer.merge(client(options.maxConnections)),
        Layer.catchAll((error) =>
          Layer.fail(error._tag === "SqlError" ? unavailable("ERR_INVALID_URL") : error)
        )
      )
    })
  )

/**
 * The only worker of a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface LibsqlOptions {
  /** The file, on a disk of this machine. It is made if it is missing; its folder must be there. */
  readonly file: string
  /** Settings of the engine. @default those of {@link defaults} */
  readonly sharding?: Settings | undefined
}

/**
 * The only worker of a libsql file: one machine, no server. Nothing listens. Another worker of the same file is refused with `ClusterInUse`;
 * a `JobControl` of another process may use the file meanwhile. Beside the file is another, with `.owner` at the end, which holds nothing
 * and must not be removed while the worker runs.
 *
 * @since 0.1.0
 * @category layers
 */
export const layerLibsql = ({
  file,
  sharding
}: LibsqlOptions): Layer.Layer<Provided, ClusterInUse | FolderUnavailable | DatabaseUnavailable> => {
  const client = Layer.mapError(
    Layer.fresh(LibsqlClient.layer({ filename: file })),
    ownerLock.fileError(file)
  )
  const owner = Layer.scopedDiscard(ownerLock.hold(file)).pipe(
    Layer.provide([NodeFileSystem.layer, NodePath.layerPosix])
  )
  const storage = Layer.scopedContext(withoutDefects(Layer.build(guarded("local"))))
  return ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(quiet.layer(Sharding.layer)),
    Layer.provide([Runners.layerNoop, RunnerStorage.layerMemory, RunnerHealth.layerNoop]),
    Layer.provideMerge(storage),
    Layer.provide(
      configOf(sharding, {
        runnerAddress: ShardingConfig.defaults.runnerAddress,
        runnerListenAddress: Option.none()
      })
    ),
    Layer.provideMerge(client),
    Layer.provide(owner)
  )
}
