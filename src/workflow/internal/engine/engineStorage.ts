import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import type { SqlError } from "@effect/sql/SqlError"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Cluster from "../../Cluster.js"
import { DatabaseUnavailable } from "../../ClusterError.js"
import * as databaseCode from "./databaseCode.js"
import * as messageRedelivery from "./messageRedelivery.js"
import * as storageGuard from "./storageGuard.js"

/**
 * The number of shards that executions are spread over. A change raises the version of the tables of the jobs: messages keep
 * the number of their shard, so those of removed shards would never be read.
 */
const shards = 32

/** The settings of a worker, and its addresses. */
export const configOf = (
  settings: Cluster.Settings | undefined,
  addresses: Pick<ShardingConfig.ShardingConfig["Type"], "runnerAddress" | "runnerListenAddress">
) =>
  ShardingConfig.layer({
    ...Cluster.defaults,
    ...settings,
    ...addresses,
    shardsPerGroup: shards,
    // Locks of a session stay with a process that is frozen; rows expire.
    shardLockDisableAdvisory: true
  })

/** The storages of the engine, guarded, and this worker. */
export const guarded = <E, R>(address: string, runners: Layer.Layer<RunnerStorage.RunnerStorage, E, R>) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const guard = yield* storageGuard.make
      const messages = yield* messageRedelivery.add(guard.messages(yield* MessageStorage.MessageStorage))
      return Context.make(MessageStorage.MessageStorage, messages).pipe(
        Context.add(RunnerStorage.RunnerStorage, guard.runners(yield* RunnerStorage.RunnerStorage)),
        Context.add(Cluster.Cluster, { address, lost: guard.lost })
      )
    })
  ).pipe(Layer.provide([SqlMessageStorage.layer, runners]))

/** The database can't be used, for a reason of this code. */
export const unavailable = (code: string) => new DatabaseUnavailable({ code })

/** The engine dies of a database that fails while it starts. */
export const withoutDefects = <A, R>(effect: Effect.Effect<A, SqlError, R>) =>
  Effect.catchAllCause(effect, (cause) =>
    Effect.failCause(
      Option.match(databaseCode.ofCause(cause), {
        onNone: () => cause as Cause.Cause<never>,
        onSome: (code) => Cause.fail(unavailable(code))
      })
    )
  )
