import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import { StorageLost } from "../../ClusterError.js"
import * as databaseCode from "./databaseCode.js"

/** How long an operation may take, in milliseconds. */
const patience = 10_000

/** The engine wraps the interruption of a query in an error of its own. */
const isInterruption = (failure: unknown): boolean =>
  Cause.isInterruptedException(failure) ||
  (Predicate.hasProperty(failure, "cause") && isInterruption(failure.cause))

/** A message that can't be read is an error of that message, and not of the database. */
const isLoss = (cause: Cause.Cause<unknown>): boolean =>
  Chunk.some(
    Chunk.appendAll(Cause.failures(cause), Cause.defects(cause)),
    (failure) => !isInterruption(failure) && !Predicate.isTagged(failure, "MalformedMessage")
  )

/** An engine's storage whose every operation is watched. */
interface Guarded {
  readonly storage: MessageStorage.MessageStorage["Type"]
  /** Fails at the first operation that fails or has no answer in time. */
  readonly lost: Effect.Effect<never, StorageLost>
}

/** Watches a storage. What fails is reported, and fails as it did before. */
export const make = (
  storage: MessageStorage.MessageStorage["Type"]
): Effect.Effect<Guarded, never, Scope.Scope> =>
  Effect.gen(function* () {
    const clock = yield* Effect.clock
    const signal = yield* Deferred.make<never, StorageLost>()
    const report = (code: string) => Deferred.fail(signal, new StorageLost({ code }))
    /** When operations that have no answer yet began, the oldest first: one fiber watches them all, which costs less than one for each. */
    const open = new Map<symbol, number>()

    const watch = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() => {
        const id = Symbol()
        open.set(id, clock.unsafeCurrentTimeMillis())
        return Effect.onExit(operation, (exit) => {
          open.delete(id)
          return exit._tag === "Failure" && isLoss(exit.cause)
            ? report(Option.getOrElse(databaseCode.ofCause(exit.cause), () => "DISCONNECTED"))
            : Effect.void
        })
      })

    const check = Effect.flatMap(Clock.currentTimeMillis, (now) => {
      const [oldest] = open.values()
      return oldest !== undefined && now - oldest > patience ? report("ETIMEDOUT") : Effect.void
    })
    yield* Effect.forkScoped(Effect.forever(Effect.delay(check, "1 seconds")))

    return {
      lost: Deferred.await(signal),
      storage: MessageStorage.MessageStorage.of({
        ...storage,
        saveRequest: (envelope) => watch(storage.saveRequest(envelope)),
        saveEnvelope: (envelope) => watch(storage.saveEnvelope(envelope)),
        saveReply: (reply) => watch(storage.saveReply(reply)),
        clearReplies: (id) => watch(storage.clearReplies(id)),
        repliesFor: (requests) => watch(storage.repliesFor(requests)),
        repliesForUnfiltered: (ids) => watch(storage.repliesForUnfiltered(ids)),
        requestIdForPrimaryKey: (options) => watch(storage.requestIdForPrimaryKey(options)),
        unprocessedMessages: (shards) => watch(storage.unprocessedMessages(shards)),
        unprocessedMessagesById: (ids) => watch(storage.unprocessedMessagesById(ids)),
        resetShards: (shards) => watch(storage.resetShards(shards)),
        resetAddress: (address) => watch(storage.resetAddress(address)),
        clearAddress: (address) => watch(storage.clearAddress(address))
      })
    }
  })
