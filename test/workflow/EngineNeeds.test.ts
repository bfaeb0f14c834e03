/** What the engine does not do by itself, so that this library helps it: a test that fails says that a helper can go. */

import * as ClusterSchema from "@effect/cluster/ClusterSchema"
import * as EntityAddress from "@effect/cluster/EntityAddress"
import * as EntityId from "@effect/cluster/EntityId"
import { EntityType } from "@effect/cluster/EntityType"
import * as Envelope from "@effect/cluster/Envelope"
import * as Message from "@effect/cluster/Message"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as ShardId from "@effect/cluster/ShardId"
import * as ShardingConfig from "@effect/cluster/ShardingConfig"
import * as Snowflake from "@effect/cluster/Snowflake"
import * as SqlMessageStorage from "@effect/cluster/SqlMessageStorage"
import * as Headers from "@effect/platform/Headers"
import { Rpc } from "@effect/rpc"
import { expect, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import { LibsqlClient } from "effect-translate/libsql"
import * as messageRedelivery from "../../src/workflow/internal/engine/messageRedelivery.js"
import { temporaryFile } from "../support/databases.js"

const shard = ShardId.make("default", 1)

const rpc = Rpc.make("run").annotate(ClusterSchema.Persisted, true)

/** A message for a shard. */
const request = Effect.map(
  Effect.map(Snowflake.Generator, (generator) => generator.unsafeNext()),
  (requestId) =>
    new Message.OutgoingRequest({
      envelope: Envelope.makeRequest<typeof rpc>({
        requestId,
        address: EntityAddress.make({
          entityType: EntityType.make("Step"),
          entityId: EntityId.make("1"),
          shardId: shard
        }),
        tag: "run",
        payload: undefined,
        headers: Headers.empty
      }),
      context: Context.empty() as Context.Context<never>,
      lastReceivedReply: Option.none(),
      rpc,
      respond: () => Effect.void
    })
)

const storage = Layer.unwrapScoped(
  Effect.map(temporaryFile, (filename) =>
    Layer.mergeAll(SqlMessageStorage.layer, Snowflake.layerGenerator).pipe(
      Layer.provide([ShardingConfig.layerDefaults, LibsqlClient.layer({ filename })])
    )
  )
)

it.scoped(
  "a message that was read and has no reply is offered again because of messageRedelivery, and not by the engine",
  () =>
    Effect.gen(function* () {
      const engine = yield* MessageStorage.MessageStorage
      const ours = yield* messageRedelivery.add(engine)
      yield* engine.saveRequest(yield* request)
      expect(yield* ours.unprocessedMessages([shard])).toHaveLength(1)
      expect(yield* engine.unprocessedMessages([shard])).toEqual([])
      expect(yield* ours.unprocessedMessages([shard])).toEqual([])
      yield* TestClock.adjust("5 seconds")
      yield* Effect.yieldNow()
      expect(yield* ours.unprocessedMessages([shard])).toHaveLength(1)
    }).pipe(Effect.provide(storage))
)
