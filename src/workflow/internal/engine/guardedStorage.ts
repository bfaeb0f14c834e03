import * as MessageStorage from "@effect/cluster/MessageStorage"
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
import * as storageGuard from "./storageGuard.js"

/** The settings of a worker, and its addresses. */
export const configOf = (
  settings: Cluster.Settings | undefined,
  addresses: Pick<ShardingConfig.ShardingConfig["Type"], "runnerAddress" | "runnerListenAddress">
) => ShardingConfig.layer({ ...Cluster.defaults, ...settings, ...addresses })

/** The storage of the messages, guarded, and this worker. */
export const guarded = (address: string) =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const { lost, storage } = yield* storageGuard.make(yield* MessageStorage.MessageStorage)
      return Context.make(MessageStorage.MessageStorage, storage).pipe(
        Context.add(Cluster.Cluster, { address, lost })
      )
    })
  ).pipe(Layer.provide(SqlMessageStorage.layer))

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
