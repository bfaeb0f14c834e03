/**
 * The engine of durable jobs over a file of SQLite, for one worker.
 *
 * @since 0.1.0
 */
import * as ClusterWorkflowEngine from "@effect/cluster/ClusterWorkflowEngine"
import * as RunnerHealth from "@effect/cluster/RunnerHealth"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as LibsqlClient from "../sql/LibsqlClient.js"
import type * as Cluster from "./Cluster.js"
import type { ClusterInUse, DatabaseUnavailable, FolderUnavailable } from "./ClusterError.js"
import * as databaseFileLock from "./internal/engine/databaseFileLock.js"
import * as engineLogs from "./internal/engine/engineLogs.js"
import * as engineStorage from "./internal/engine/engineStorage.js"

/**
 * The only worker of a file.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The file, on a disk of this machine. It is made if it is missing; its folder must be there. */
  readonly file: string
  /** Settings of the engine. @default those of `Cluster.defaults` */
  readonly sharding?: Cluster.Settings | undefined
}

/**
 * The only worker of a libsql file: one machine, no server. Nothing listens. Another worker of the same file is refused with `ClusterInUse`;
 * a `JobControl` of another process may use the file meanwhile. Beside the file is another, with `.owner` at the end, which holds nothing
 * and must not be removed while the worker runs.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: (
  options: Options
) => Layer.Layer<Cluster.Provided, ClusterInUse | FolderUnavailable | DatabaseUnavailable> = ({
  file,
  sharding
}) => {
  const client = Layer.mapError(
    Layer.fresh(LibsqlClient.layer({ filename: file })),
    databaseFileLock.fileError(file)
  )
  const owner = Layer.scopedDiscard(databaseFileLock.hold(file)).pipe(
    Layer.provide([NodeFileSystem.layer, NodePath.layerPosix])
  )
  const storage = Layer.scopedContext(
    engineStorage.withoutDefects(Layer.build(engineStorage.guarded("local", RunnerStorage.layerMemory)))
  )
  return ClusterWorkflowEngine.layer.pipe(
    Layer.provideMerge(engineLogs.layer(Sharding.layer)),
    Layer.provide([Runners.layerNoop, RunnerHealth.layerNoop]),
    Layer.provideMerge(storage),
    Layer.provide(
      engineStorage.configOf(sharding, {
        runnerAddress: ShardingConfig.defaults.runnerAddress,
        runnerListenAddress: Option.none()
      })
    ),
    Layer.provideMerge(client),
    Layer.provide(owner)
  )
}
