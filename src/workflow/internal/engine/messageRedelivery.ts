import * as MessageStorage from "@effect/cluster/MessageStorage"
import type { ShardId } from "@effect/cluster/ShardId"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Offers the messages of the shards that this worker holds again, every five seconds. While shards move, a worker may read a
 * message of a shard that it has just given away, and drop it: the engine offers it again after ten minutes, and until then
 * its execution stands still. A worker that is still at a message leaves it alone when it reads it again.
 */
export const add = (
  storage: MessageStorage.MessageStorage["Type"]
): Effect.Effect<MessageStorage.MessageStorage["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    // Both write the same rows, each in an order of its own: they could meet in a deadlock.
    const inTurns = Effect.unsafeMakeSemaphore(1).withPermits(1)
    let held: Iterable<ShardId> = []
    const again = Effect.suspend(() => Effect.ignore(inTurns(storage.resetShards(held))))
    yield* Effect.forkScoped(Effect.forever(Effect.delay(again, "5 seconds")))
    return MessageStorage.MessageStorage.of({
      ...storage,
      unprocessedMessages: (shards) =>
        Effect.suspend(() => {
          held = shards
          return inTurns(storage.unprocessedMessages(shards))
        }),
      resetShards: (shards) => inTurns(storage.resetShards(shards))
    })
  })
