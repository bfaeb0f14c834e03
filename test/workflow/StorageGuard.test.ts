/** What the guard of the engine's storages repeats, and when it says that the database is lost. */
import * as ClusterError from "@effect/cluster/ClusterError"
import * as Message from "@effect/cluster/Message"
import * as MessageStorage from "@effect/cluster/MessageStorage"
import * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as RunnerStorage from "@effect/cluster/RunnerStorage"
import { SqlError } from "@effect/sql/SqlError"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as TestClock from "effect/TestClock"
import * as storageGuard from "../../src/workflow/internal/engine/storageGuard.js"

const failure = (code: string) =>
  new ClusterError.PersistenceError({
    cause: new SqlError({ cause: Object.assign(new Error(code), { code }), message: "Failed" })
  })

/** A storage that answers a look for messages as it is told, and counts the looks. */
const storage = (answer: (look: number) => Effect.Effect<void, ClusterError.PersistenceError>) => {
  let looks = 0
  return {
    looks: () => looks,
    messages: MessageStorage.MessageStorage.of({
      ...MessageStorage.noop,
      unprocessedMessages: () => Effect.suspend(() => Effect.as(answer(++looks), []))
    })
  }
}

/** Why the database is lost, so far. */
const lossOf = (guard: storageGuard.Guard) =>
  Effect.map(Effect.fork(Effect.flip(guard.lost)), (fiber) =>
    Effect.map(Effect.zipRight(TestClock.adjust(0), fiber.poll), (exit) =>
      exit._tag === "Some" && exit.value._tag === "Success" ? exit.value.value.code : undefined
    )
  )

describe("an operation of the engine", () => {
  it.scoped.each(["40P01", "40001", "55P03", "57P03", "57P01", "ECONNRESET", "SQLITE_BUSY"])(
    "that fails with %s is repeated, and the engine sees nothing of it",
    (code) =>
      Effect.gen(function* () {
        const guard = yield* storageGuard.make
        const loss = yield* lossOf(guard)
        const { looks, messages } = storage((look) => (look < 4 ? Effect.fail(failure(code)) : Effect.void))
        const looking = yield* Effect.fork(guard.messages(messages).unprocessedMessages([]))
        yield* TestClock.adjust("1 seconds")
        expect(yield* Fiber.join(looking)).toEqual([])
        expect(looks()).toBe(4)
        expect(yield* loss).toBeUndefined()
      })
  )

  it.scoped("that goes on failing loses the database, with its code", () =>
    Effect.gen(function* () {
      const guard = yield* storageGuard.make
      const loss = yield* lossOf(guard)
      const { messages } = storage(() => Effect.fail(failure("40P01")))
      const looking = yield* Effect.fork(Effect.exit(guard.messages(messages).unprocessedMessages([])))
      yield* TestClock.adjust("1 seconds")
      expect(yield* loss).toBeUndefined()
      yield* TestClock.adjust("1 seconds")
      expect((yield* Fiber.join(looking))._tag).toBe("Failure")
      expect(yield* loss).toBe("40P01")
    })
  )

  it.scoped("that fails for good loses the database at once", () =>
    Effect.gen(function* () {
      const guard = yield* storageGuard.make
      const loss = yield* lossOf(guard)
      const { looks, messages } = storage(() => Effect.fail(failure("28P01")))
      yield* Effect.exit(guard.messages(messages).unprocessedMessages([]))
      expect(looks()).toBe(1)
      expect(yield* loss).toBe("28P01")
    })
  )

  it.scoped("that has no answer loses the database after ten seconds", () =>
    Effect.gen(function* () {
      const guard = yield* storageGuard.make
      const loss = yield* lossOf(guard)
      yield* Effect.fork(guard.messages(storage(() => Effect.never).messages).unprocessedMessages([]))
      yield* TestClock.adjust("10 seconds")
      expect(yield* loss).toBeUndefined()
      yield* TestClock.adjust("1 seconds")
      expect(yield* loss).toBe("ETIMEDOUT")
    })
  )
})

it.scoped("an engine that looks for messages no more is as good as gone", () =>
  Effect.gen(function* () {
    const guard = yield* storageGuard.make
    const loss = yield* lossOf(guard)
    yield* TestClock.adjust("1 minutes")
    expect(yield* loss).toBeUndefined()
    yield* guard.messages(storage(() => Effect.void).messages).unprocessedMessages([])
    yield* TestClock.adjust("30 seconds")
    expect(yield* loss).toBeUndefined()
    yield* TestClock.adjust("1 seconds")
    expect(yield* loss).toBe("ETIMEDOUT")
  })
)

it.scoped("locks that the engine has waited for in vain are no loss: it takes them again", () =>
  Effect.gen(function* () {
    const guard = yield* storageGuard.make
    const loss = yield* lossOf(guard)
    const late = new ClusterError.PersistenceError({ cause: new Cause.TimeoutException() })
    const runners = guard.runners({ ...(yield* RunnerStorage.makeMemory), getRunners: Effect.fail(late) })
    expect(yield* Effect.flip(runners.getRunners)).toBe(late)
    expect(yield* loss).toBeUndefined()
  })
)

it.scoped("locks that can't be refreshed in time lose the database: the engine would hang", () =>
  Effect.gen(function* () {
    const guard = yield* storageGuard.make
    const loss = yield* lossOf(guard)
    const runners = guard.runners({ ...(yield* RunnerStorage.makeMemory), refresh: () => Effect.never })
    const address = RunnerAddress.make("127.0.0.1", 1)
    const refreshing = yield* Effect.fork(Effect.timeoutOption(runners.refresh(address, []), "2 seconds"))
    yield* TestClock.adjust("2 seconds")
    yield* Fiber.join(refreshing)
    expect(yield* loss).toBe("ETIMEDOUT")
  })
)

it.scoped("an answer to a message that can't be stored is repeated, and loses the database", () =>
  Effect.gen(function* () {
    const guard = yield* storageGuard.make
    const loss = yield* lossOf(guard)
    let replies = 0
    const message = new Message.IncomingRequest({
      envelope: undefined as never,
      lastSentReply: Option.none(),
      respond: () => Effect.suspend(() => Effect.fail(failure(++replies < 3 ? "40001" : "28P01")))
    })
    const messages = guard.messages({
      ...MessageStorage.noop,
      unprocessedMessages: () => Effect.succeed([message])
    })
    const [read] = yield* messages.unprocessedMessages([])
    const replying = yield* Effect.fork(
      read?._tag === "IncomingRequest" ? Effect.exit(read.respond(undefined as never)) : Effect.void
    )
    yield* TestClock.adjust("1 seconds")
    yield* Fiber.join(replying)
    expect(replies).toBe(3)
    expect(yield* loss).toBe("28P01")
  })
)

it.scoped(
  "the release of all shards ends in the time that the engine gives it, though it is a finalizer",
  () =>
    Effect.gen(function* () {
      const guard = yield* storageGuard.make
      const runners = guard.runners({
        ...(yield* RunnerStorage.makeMemory),
        releaseAll: () => Effect.ignore(Effect.timeout(Effect.never, "2 seconds"))
      })
      const releasing = yield* Effect.fork(
        Effect.uninterruptible(runners.releaseAll(RunnerAddress.make("localhost", 1)))
      )
      yield* TestClock.adjust("2 seconds")
      expect(Option.isSome(yield* releasing.poll)).toBe(true)
    })
)
