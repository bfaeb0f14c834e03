/**
 * The engine of durable jobs over PostgreSQL, for many workers.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as Runners from "@effect/cluster/Runners"
import * as SocketRunner from "@effect/cluster/SocketRunner"
import * as SqlRunnerStorage from "@effect/cluster/SqlRunnerStorage"
import * as NodeClusterSocket from "@effect/platform-node/NodeClusterSocket"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import * as PgClient from "../sql/PgClient.js"
import type * as Cluster from "./Cluster.js"
import type { AddressInUse, AddressUnavailable, DatabaseUnavailable, InvalidAddress } from "./ClusterError.js"
import * as engineLogs from "./internal/engine/engineLogs.js"
import * as engineTablesLock from "./internal/engine/engineTablesLock.js"
import * as guardedStorage from "./internal/engine/guardedStorage.js"
import * as messageRedelivery from "./internal/engine/messageRedelivery.js"
import * as runnerAddress from "./internal/engine/runnerAddress.js"
import * as shardLockSession from "./internal/engine/shardLockSession.js"
import * as shardTakeover from "./internal/engine/shardTakeover.js"

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
  /** Settings of the engine. @default those of `Cluster.defaults` */
  readonly sharding?: Cluster.Settings | undefined
}

/** How long a query of the engine may take: less than what the guard waits for. */
const queryTimeout = "5 seconds"

/** One holds the locks of the shards, and one is for the tables at the start; the others take turns. */
const engineConnections = 8

/** Makes the tables of the engine, and opens them. The engine registers an address without brackets. */
const pgStorage = (address: string, registered: string) =>
  Layer.scopedContext(
    guardedStorage
      .withoutDefects(
        engineTablesLock.alone(
          Layer.build(
            Layer.merge(
              guardedStorage.guarded(address),
              Layer.provide(SqlRunnerStorage.layer, shardLockSession.layer(registered))
            )
          )
        )
      )
      .pipe(Effect.zipLeft(shardTakeover.run), Effect.zipLeft(messageRedelivery.run))
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
export const layer = (
  options: Options
): Layer.Layer<Cluster.Provided, InvalidAddress | AddressInUse | AddressUnavailable | DatabaseUnavailable> =>
  Layer.unwrapScoped(
    Effect.map(runnerAddress.open(options), (opened) => {
      const address = runnerAddress.format(opened.address)
      const config = guardedStorage.configOf(options.sharding, {
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
        Layer.provideMerge(engineLogs.layer(SocketRunner.layer)),
        Layer.provide([runnerAddress.layer(opened), health, protocol]),
        Layer.provideMerge(pgStorage(address, `${opened.address.host}:${opened.address.port}`)),
        Layer.provide([config, RpcSerialization.layerMsgPack]),
        Layer.provide(client(engineConnections, queryTimeout)),
        Layer.merge(client(options.maxConnections)),
        Layer.catchAll((error) =>
          Layer.fail(error._tag === "SqlError" ? guardedStorage.unavailable("ERR_INVALID_URL") : error)
        )
      )
    })
  )
