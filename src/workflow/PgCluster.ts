/**
 * The engine of durable jobs over PostgreSQL, for many workers.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as PgClient from "../sql/PgClient.js"
import type * as Cluster from "./Cluster.js"
import type {
  AddressInUse,
  AddressUnavailable,
  DatabaseUnavailable,
  InvalidAddress,
  SecretRefused,
  SecretTooShort,
  StartTimedOut
} from "./ClusterError.js"
import * as engineLogs from "./internal/engine/engineLogs.js"
import * as engineStorage from "./internal/engine/engineStorage.js"
import * as engineTablesLock from "./internal/engine/engineTablesLock.js"
import * as runnerAddress from "./internal/engine/runnerAddress.js"
import * as runnerSecret from "./internal/engine/runnerSecret.js"
import * as shardTakeover from "./internal/engine/shardTakeover.js"
import * as startDeadline from "./internal/engine/startDeadline.js"

/**
 * A worker among others, which share a database of PostgreSQL.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** `postgres://user:password@host:5432/database`. */
  readonly url: Redacted.Redacted
  /**
   * Where the others reach this worker: `host:port`, or a host alone for a free port. Without a `secret`, everyone on its
   * network can control it: it must be an address of a private network then.
   *
   * @default 127.0.0.1, for workers of one machine
   */
  readonly address?: string | undefined
  /** Where it listens, if not at the address: `0.0.0.0:8800`. @default the address */
  readonly listen?: string | undefined
  /**
   * A secret that all workers of the database share, of at least 16 characters. Connections of others are refused, and
   * messages between workers are encrypted (TLS with a pre-shared key). @default none: every connection is let in
   */
  readonly secret?: Redacted.Redacted | undefined
  /**
   * The number of connections that the `SqlClient` may use, for tables of jobs and translations. The engine has up to 3
   * more. @default 7
   */
  readonly maxConnections?: number | undefined
  /**
   * The time for which a start waits for a database that takes no connections. For a worker that is started again when
   * it fails, that is quicker than another start. @default it fails at once
   */
  readonly patience?: Duration.DurationInput | undefined
  /** Settings of the engine. @default those of `Cluster.defaults` */
  readonly sharding?: Cluster.Settings | undefined
}

/** The time for a query of the engine: less than the guard waits. */
const queryTimeout = "5 seconds"

/** One is for the locks of the shards, and one for the tables at the start. */
const engineConnections = 3

/** With these a worker has 10 in all. */
const tableConnections = 7

/** Makes the tables of the engine, and opens them. */
const pgStorage = (name: string, address: RunnerAddress.RunnerAddress, patience: Options["patience"]) =>
  Layer.scopedContext(
    Layer.build(
      engineStorage.guarded(name, Layer.provide(SqlRunnerStorage.layer, shardTakeover.layer(address)))
    ).pipe(
      (storage) => engineTablesLock.alone(storage, patience),
      engineStorage.withoutDefects,
      Effect.tap((storage) => Effect.provide(shardTakeover.watch, storage))
    )
  )

/**
 * A worker among others that share a database of PostgreSQL. Steps of a worker that dies, or is frozen, go on at the others
 * within 15 seconds. The first worker makes the tables; any number may start at once. Shards are moved to a worker that
 * joins, and away from one that leaves.
 *
 * It uses up to 10 connections, one of them all the time, and needs sessions: not a pooler that shares connections between
 * statements.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (
  options: Options
): Layer.Layer<
  Cluster.Provided,
  | InvalidAddress
  | AddressInUse
  | AddressUnavailable
  | DatabaseUnavailable
  | SecretRefused
  | SecretTooShort
  | StartTimedOut
> =>
  Layer.unwrapScoped(
    Effect.map(
      Effect.all([runnerAddress.open(options), runnerSecret.keyOf(options.secret)]),
      ([opened, key]) => {
        const address = RunnerAddress.make(opened.address.host, opened.address.port)
        const config = engineStorage.configOf(options.sharding, {
          runnerAddress: Option.some(address),
          runnerListenAddress: Option.some(RunnerAddress.make(opened.listening.host, opened.listening.port))
        })
        const client = (maxConnections: number, timeout?: typeof queryTimeout) =>
          Layer.fresh(
            PgClient.layer({
              url: options.url,
              maxConnections,
              connectTimeout: queryTimeout,
              queryTimeout: timeout,
              // A worker that is frozen in the middle of a transaction would stop all others.
              idleTransactionTimeout: "4 seconds"
            })
          )
        const protocol = runnerSecret.layerClientProtocol(key)
        return ClusterWorkflowEngine.layer.pipe(
          Layer.provideMerge(engineLogs.layer(SocketRunner.layer)),
          // Dead workers are known by sessions and heartbeats, to each worker by itself.
          Layer.provide([runnerSecret.layer(opened, key), RunnerHealth.layerNoop, protocol]),
          Layer.provide(Layer.effectDiscard(runnerSecret.check(address, key))),
          Layer.provideMerge(pgStorage(runnerAddress.format(opened.address), address, options.patience)),
          Layer.provide([config, RpcSerialization.layerMsgPack]),
          Layer.provide(client(engineConnections, queryTimeout)),
          Layer.merge(client(options.maxConnections ?? tableConnections)),
          Layer.catchAll((error) =>
            Layer.fail(error._tag === "SqlError" ? engineStorage.unavailable("ERR_INVALID_URL") : error)
          ),
          startDeadline.of
        )
      }
    )
  )
