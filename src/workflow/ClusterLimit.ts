/**
 * One limit for all machines of a cluster, so that together they send as one would.
 *
 * @since 0.1.0
 */
import * as Entity from "@effect/cluster/Entity"
import type * as Sharding from "@effect/cluster/Sharding"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as ConcurrencyLimit from "../client/ConcurrencyLimit.js"
import * as limitClient from "./internal/limit/limitClient.js"
import * as limitHost from "./internal/limit/limitHost.js"
import { Limit } from "./internal/limit/limitProtocol.js"
import { LocalHost } from "./internal/limit/localHost.js"

/**
 * Options of {@link layer}.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /** The name of the limit: workers with the same name share it. Use one for each key of the service. @default "default" */
  readonly name?: string | undefined
  /** The number of attempts that may be in flight, of all machines together, before the service's own limit is known. @default 8 */
  readonly initial?: number | undefined
}

/**
 * The concurrency limit of a worker, shared with all workers of the cluster that use the same name. One of them hosts it, and it adapts as
 * `ConcurrencyLimit.makeAdaptive` does. If its machine is lost, another one starts it again with `initial` attempts: calls wait
 * meanwhile, and don't fail. The permits of a worker that is not heard of for 5 seconds are given to others.
 *
 * Permits are asked for over the network, as many at once as calls wait for: `takeIfAvailable` never gives one. The state is the one of the
 * last answer, at most about a second old.
 *
 * @since 0.1.0
 * @category layers
 */
export const layer: (
  options?: Options
) => Layer.Layer<ConcurrencyLimit.ConcurrencyLimit, never, Sharding.Sharding> = ({
  initial = 8,
  name = "default"
} = {}) =>
  Layer.suspend(() => {
    const local = new LocalHost()
    const hosted = Limit.toLayer(
      Effect.gen(function* () {
        const host = yield* limitHost.make(yield* ConcurrencyLimit.makeAdaptive({ initial }))
        if ((yield* Entity.CurrentAddress).entityId === name) yield* local.enter(host)
        return Limit.of({
          take: ({ payload }) => host.take(payload),
          report: ({ payload }) => host.report(payload)
        })
      }),
      { concurrency: "unbounded", mailboxCapacity: "unbounded", maxIdleTime: Duration.infinity }
    )
    const asking = Layer.scoped(
      ConcurrencyLimit.ConcurrencyLimit,
      Effect.flatMap(Limit.client, (client) => limitClient.make(local.callsOr(client(name)), initial))
    )
    return Layer.provideMerge(asking, hosted)
  })
