import * as Message from "@effect/cluster/Message"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import type * as Rpc from "@effect/rpc/Rpc"
import * as Cause from "effect/Cause"
import * as Chunk from "effect/Chunk"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as SqlErrorCode from "../../../sql/SqlErrorCode.js"
import { StorageLost } from "../../ClusterError.js"
import * as databaseCode from "./databaseCode.js"

/** The number of ticks, one a second, that an operation may take. A process that is frozen or starved does not tick. */
const patience = 10

/**
 * The number of ticks without a look for messages after which the engine has stopped. It may wait for the end of an
 * execution whose requests are given up after 12 s.
 */
const stopped = 30

/** Repeats failures that pass: for less than the engine has patience with its locks, which is 2 s. */
const healing = Schedule.spaced("100 millis").pipe(Schedule.upTo("1500 millis"))

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

const isPassing = (cause: Cause.Cause<unknown>): boolean =>
  !Cause.isInterrupted(cause) && Option.exists(databaseCode.ofCause(cause), SqlErrorCode.isPassing)

/** Storages of the engine whose every operation is watched. A failure that passes is repeated, so that the engine sees nothing of it. */
export interface Guard {
  readonly messages: (storage: MessageStorage.MessageStorage["Type"]) => MessageStorage.MessageStorage["Type"]
  readonly runners: (storage: RunnerStorage.RunnerStorage["Type"]) => RunnerStorage.RunnerStorage["Type"]
  /** Fails once an operation has failed for good, or has no answer in time, or the engine looks for messages no more. */
  readonly lost: Effect.Effect<never, StorageLost>
}

export const make: Effect.Effect<Guard, never, Scope.Scope> = Effect.gen(function* () {
  const signal = yield* Deferred.make<never, StorageLost>()
  const report = (code: string) => Deferred.fail(signal, new StorageLost({ code }))
  let now = 0
  /** When operations that have no answer yet began, the oldest first: one fiber watches them all, which costs less than one for each. */
  const open = new Map<symbol, number>()
  let lastLook = Number.POSITIVE_INFINITY

  const timed = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.suspend(() => {
      const id = Symbol()
      open.set(id, now)
      return Effect.ensuring(
        operation,
        Effect.sync(() => open.delete(id))
      )
    })

  const healed = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.unsandbox(Effect.retry(Effect.sandbox(operation), { while: isPassing, schedule: healing }))

  const watch = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapErrorCause(healed(timed(operation)), (cause) =>
      isLoss(cause)
        ? report(Option.getOrElse(databaseCode.ofCause(cause), () => "DISCONNECTED"))
        : Effect.void
    )

  /** Replies go to the storage of which the messages were read. */
  const replying = <R extends Rpc.Any>(
    messages: ReadonlyArray<Message.Incoming<R>>
  ): Array<Message.Incoming<R>> =>
    messages.map((message) =>
      message._tag === "IncomingRequest"
        ? new Message.IncomingRequest({ ...message, respond: (reply) => watch(message.respond(reply)) })
        : message
    )

  /** The engine repeats an operation that it has waited for in vain. */
  const watchLocks = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.tapErrorCause(healed(timed(operation)), (cause) =>
      Option.match(databaseCode.ofCause(cause), { onNone: () => Effect.void, onSome: report })
    )

  /**
   * Of locks that it can't refresh, also not in the time that it gives itself, the engine does not recover: it hung without
   * a statement.
   */
  const watchRefresh = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.onExit(healed(timed(operation)), (exit) =>
      exit._tag === "Success"
        ? Effect.void
        : report(Option.getOrElse(databaseCode.ofCause(exit.cause), () => "ETIMEDOUT"))
    )

  const check = Effect.suspend(() => {
    now++
    const [oldest = now] = open.values()
    return now - oldest > patience || now - lastLook > stopped ? report("ETIMEDOUT") : Effect.void
  })
  yield* Effect.forkScoped(Effect.forever(Effect.delay(check, "1 seconds")))

  return {
    lost: Deferred.await(signal),
    messages: (storage) =>
      MessageStorage.MessageStorage.of({
        ...storage,
        saveRequest: (envelope) => watch(storage.saveRequest(envelope)),
        saveEnvelope: (envelope) => watch(storage.saveEnvelope(envelope)),
        saveReply: (reply) => watch(storage.saveReply(reply)),
        clearReplies: (id) => watch(storage.clearReplies(id)),
        repliesFor: (requests) => watch(storage.repliesFor(requests)),
        repliesForUnfiltered: (ids) => watch(storage.repliesForUnfiltered(ids)),
        requestIdForPrimaryKey: (options) => watch(storage.requestIdForPrimaryKey(options)),
        unprocessedMessages: (shards) =>
          Effect.suspend(() => {
            lastLook = now
            return Effect.map(watch(storage.unprocessedMessages(shards)), replying)
          }),
        unprocessedMessagesById: (ids) => Effect.map(watch(storage.unprocessedMessagesById(ids)), replying),
        resetShards: (shards) => watch(storage.resetShards(shards)),
        resetAddress: (address) => watch(storage.resetAddress(address)),
        clearAddress: (address) => watch(storage.clearAddress(address))
      }),
    runners: (storage) =>
      RunnerStorage.RunnerStorage.of({
        register: (runner, isHealthy) => watchLocks(storage.register(runner, isHealthy)),
        unregister: storage.unregister,
        getRunners: watchLocks(storage.getRunners),
        setRunnerHealth: (address, isHealthy) => watchLocks(storage.setRunnerHealth(address, isHealthy)),
        acquire: (address, shards) => watchLocks(storage.acquire(address, shards)),
        refresh: (address, shards) => watchRefresh(storage.refresh(address, shards)),
        release: (address, shard) => watchLocks(storage.release(address, shard)),
        // The engine gives it two seconds, but as a finalizer, where its fibers can't be interrupted: they waited for ever.
        releaseAll: (address) =>
          storage
            .releaseAll(address)
            .pipe(Effect.interruptible, Effect.forkDaemon, Effect.flatMap(Fiber.join))
      })
  }
})
