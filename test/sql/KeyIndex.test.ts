/** Translations of a file whose keys are not in its index yet. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type { Backend } from "../../src/store/StoreBackend.js"
import { a, begin, german, hashOf, key, opened } from "../store/subject.js"
import { failing } from "./failing.js"
import { libsqlFile, newClient, owner } from "./stores.js"
import { found, record } from "./subject.js"

const owners = (count: number) =>
  Effect.flatMap(newClient(libsqlFile), (client) =>
    Effect.replicateEffect(
      Effect.tap(owner(client), (store) => opened(store, german)),
      count
    )
  )

const twoOwners = Effect.map(owners(2), ([one, two]) => [one!, two!] as const)

/** What salvage does where the hash of the namespace can't be read. */
const loseNamespace = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`UPDATE effect_translate_namespaces SET hash = 'lost ' || id`
)

const erase = (store: Backend, n: number) =>
  store.erase(hashOf(`text ${n}`), (namespace) => key(`text ${n}`, namespace))

/** Not before the next millisecond. */
const pruneAll = (store: Backend) =>
  Effect.repeat(store.prune({ maxAge: 0 }), { until: (removed) => removed > 0 })

describe("a text that its process remembers", () => {
  it.scopedLive.each([
    ["erases", (store: Backend) => erase(store, 1)],
    ["prunes", pruneAll]
  ] as const)("is claimed and recorded again after another one %s it", ([, remove]) =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOwners
      yield* record(one, 1)
      expect(yield* remove(two)).toBe(1)
      expect(yield* begin(one, a, ["text 1"])).toEqual([true])
      yield* record(one, 1)
      expect(yield* found(one, [1])).toEqual([1])
      expect(yield* found(two, [1])).toEqual([1])
    })
  )

  it.scopedLive("is claimed again after it was erased though it seemed to fail", () =>
    Effect.gen(function* () {
      const { client, failNext } = yield* failing(yield* newClient(libsqlFile))
      const store = yield* owner(client, { schedule: Schedule.stop })
      yield* opened(store, german)
      yield* record(store, 1)
      failNext("after COMMIT")
      expect(yield* Effect.flip(erase(store, 1))).toMatchObject({ code: "SQLITE_IOERR" })
      expect(yield* begin(store, a, ["text 1"])).toEqual([true])
    })
  )

  it.scopedLive("is not removed for want of room that its second translation takes", () =>
    Effect.gen(function* () {
      const [store] = yield* owners(1)
      yield* record(store!, 1)
      const { bytes } = yield* store!.stats
      yield* record(store!, 1)
      expect(yield* store!.prune({ maxBytes: bytes })).toBe(0)
      expect(yield* found(store!, [1])).toEqual([1])
    })
  )
})

describe("a namespace that its process has made", () => {
  it.scopedLive("has the additions of another one, however often it is asked", () =>
    Effect.gen(function* () {
      const [one, two] = yield* twoOwners
      yield* record(two, 1)
      expect(yield* found(one, [1, 2])).toEqual([1])
      expect(yield* found(one, [1, 2])).toEqual([1])
      expect(yield* begin(one, a, ["text 1", "text 2"])).toEqual([false, true])
    })
  )

  it.scopedLive("has the translations that were recorded with a claim, at once", () =>
    Effect.gen(function* () {
      const [store] = yield* owners(1)
      const both = [record(store!, 1), begin(store!, a, ["text 1", "text 2"])] as const
      const [, granted] = yield* Effect.all(both, { concurrency: "unbounded" })
      expect(granted).toEqual([false, true])
      expect(yield* found(store!, [1, 2])).toEqual([1])
    })
  )

  it.scopedLive("has the translations that were salvaged of it", () =>
    Effect.gen(function* () {
      const client = yield* newClient(libsqlFile)
      const before = yield* owner(client)
      yield* opened(before, german)
      yield* record(before, 1)
      yield* Effect.provide(loseNamespace, client)
      const after = yield* owner(client)
      yield* opened(after, german)
      expect(yield* found(after, [1, 2])).toEqual([1])
      expect(yield* begin(after, a, ["text 1", "text 2"])).toEqual([false, true])
    })
  )
})
