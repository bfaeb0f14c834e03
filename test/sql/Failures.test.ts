/** What a store says when its file can't serve, and what it leaves there. */
import { copyFileSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { NodeFileSystem } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { LibsqlClient, LibsqlTranslationStore } from "effect-translate/libsql"
import * as fc from "fast-check"
import * as backends from "../../src/sql/internal/backend.js"
import type { Backend } from "../../src/store/StoreBackend.js"
import { a, b, begin, german, hashOf, key, opened, put } from "../store/subject.js"
import { temporaryFile } from "../support/databases.js"
import { runs } from "../support/long.js"
import { suite } from "./failuresSuite.js"
import { libsqlFile, owner } from "./stores.js"
import { found, numbered, record, upTo } from "./subject.js"

const never = { schedule: Schedule.stop }

/** A store of a file for a while, with the client below it. */
const open =
  (filename: string, options: LibsqlTranslationStore.ClientOptions = never) =>
  <A, E>(use: (store: Backend) => Effect.Effect<A, E, Scope.Scope | SqlClient.SqlClient>) =>
    Effect.scoped(
      Effect.flatMap(backends.make({ name: "store.db", ...options }), (store) =>
        Effect.zipRight(opened(store, german), use(store))
      )
    ).pipe(Effect.provide(Layer.merge(libsqlFile.clientOf(filename), NodeFileSystem.layer)))

const pragma = (text: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`PRAGMA ${text}`))

const test = (name: string, body: (filename: string) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.scopedLive(name, () => Effect.flatMap(temporaryFile, body))

describe("a store in a file", () => {
  test("finds all again when it is opened again", (filename) =>
    Effect.gen(function* () {
      yield* open(filename)((store) => record(store, 1, 2))
      expect(yield* open(filename)((store) => found(store, [1, 2, 3]))).toEqual([1, 2])
    }))

  test("is damaged if it is something else, or its pages are", (filename) =>
    Effect.gen(function* () {
      const damaged = { _tag: "StoreDamaged" }
      yield* open(filename)((store) => record(store, ...upTo(2000)))
      const bytes = readFileSync(filename)
      writeFileSync(filename, bytes.fill(0x5a, 16_384, bytes.length - 4096))
      expect(yield* Effect.flip(open(filename)((store) => found(store, upTo(2000))))).toMatchObject(damaged)
      writeFileSync(filename, "no database ".repeat(1000))
      const other = Layer.build(LibsqlTranslationStore.layer({ file: filename }))
      expect(yield* Effect.flip(Effect.provide(other, NodeFileSystem.layer))).toMatchObject({
        ...damaged,
        store: filename
      })
    }))

  test("says so if it may only be read", (filename) =>
    Effect.gen(function* () {
      yield* open(filename)((store) => record(store, 1))
      // As the tests may run as root, for whom no file is read-only.
      const refused = yield* Effect.flip(open(`file:${filename}?mode=ro`)((store) => record(store, 2)))
      expect(refused).toMatchObject({ _tag: "StoreReadOnly", store: "store.db" })
    }))

  test("without space fails, and keeps its records and nothing else", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, 1)
        yield* pragma("max_page_count = 60")
        const many = upTo(5000)
        expect(yield* Effect.flip(record(store, ...many))).toMatchObject({
          _tag: "StoreFull",
          store: "store.db"
        })
        expect(yield* found(store, many)).toEqual([1])
        yield* pragma("max_page_count = 100000")
        yield* record(store, 2)
        expect(yield* found(store, many)).toEqual([1, 2])
      })
    ))

  test("in a folder that is missing can't be used", (filename) =>
    Effect.gen(function* () {
      const file = `${dirname(filename)}/missing/store.db`
      const error = yield* Effect.flip(Layer.build(LibsqlTranslationStore.layer({ file })))
      expect(error).toMatchObject({ _tag: "StoreUnavailable", store: file, code: "SQLITE_CANTOPEN" })
      expect(String(error)).toContain("make its folder")
    }).pipe(Effect.provide(NodeFileSystem.layer)))

  test("holds nothing of a text that was erased, nor of its translations and corrections", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        const secret = "a secret ".repeat(1000)
        const text = { ...numbered(1), text: secret, translation: { text: secret } }
        yield* record(store, ...upTo(500))
        yield* store.record({
          namespace: german.id,
          translations: [{ ...text, key: key(secret) }],
          endings: []
        })
        yield* store.correct([
          {
            source: secret,
            translation: secret,
            targetLang: "de",
            hash: hashOf(secret),
            at: DateTime.unsafeMake(0)
          }
        ])
        yield* record(store, ...upTo(1000))
        const isLeft = () =>
          [filename, `${filename}-wal`].some((file) => readFileSync(file).includes("a secret"))
        expect(isLeft()).toBe(true)
        expect(yield* store.erase(hashOf(secret), (namespace) => key(secret, namespace))).toBe(2)
        expect(isLeft()).toBe(false)
      })
    ))

  test("holds nothing of a text that was pruned, or was replaced by another correction", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        const secret = "a secret ".repeat(20)
        const correct = (second: number, translation: string) =>
          store.correct([
            {
              source: "one",
              translation,
              targetLang: "de",
              hash: hashOf("one"),
              at: DateTime.unsafeMake(second)
            }
          ])
        yield* put(store, german, { [secret]: { text: secret } })
        yield* correct(1, secret)
        yield* correct(2, "Eins")
        // Not before the next millisecond.
        yield* Effect.repeat(store.prune({ maxAge: 0 }), { until: (removed) => removed > 0 })
        yield* store.erase(hashOf("another"), (namespace) => key("another", namespace))
        expect(readFileSync(filename).includes("a secret")).toBe(false)
      })
    ))

  test("that was told to keep no texts has none, and can't list its translations", (filename) =>
    open(filename, { ...never, sources: false })((store) =>
      Effect.gen(function* () {
        yield* record(store, 1)
        expect(yield* found(store, [1])).toEqual([1])
        expect(yield* Effect.flip(Stream.runCollect(store.entries))).toMatchObject({ _tag: "SourcesNotKept" })
        yield* pragma("wal_checkpoint(TRUNCATE)")
        expect(readFileSync(filename).includes("text 1")).toBe(false)
      })
    ))

  test("whose log is cut anywhere has a beginning of the records, and all that had reached the file", (filename) =>
    Effect.gen(function* () {
      const folder = `${dirname(filename)}/copy`
      mkdirSync(folder)
      const [inFile, all] = [10, 30]
      yield* open(filename)((store) =>
        Effect.gen(function* () {
          for (const n of upTo(inFile)) yield* record(store, n)
          yield* pragma("wal_checkpoint(TRUNCATE)")
          for (const n of upTo(all).slice(inFile)) yield* record(store, n)
          // Copied while it is open: closing it would empty the log.
          copyFileSync(filename, `${folder}/store.db`)
          copyFileSync(`${filename}-wal`, `${folder}/log`)
        })
      )
      const size = readFileSync(`${folder}/log`).length
      const foundIn = (length: number) =>
        Effect.scoped(
          Effect.gen(function* () {
            const cut = yield* temporaryFile
            copyFileSync(`${folder}/store.db`, cut)
            copyFileSync(`${folder}/log`, `${cut}-wal`)
            truncateSync(`${cut}-wal`, length)
            return yield* open(cut)((store) => Effect.zipLeft(found(store, upTo(all)), record(store, all)))
          })
        )
      expect(yield* foundIn(size)).toEqual(upTo(all))
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.nat({ max: size }), async (length) => {
            const left = await Effect.runPromise(foundIn(length))
            expect(left).toEqual(upTo(left.length))
            expect(left.length).toBeGreaterThanOrEqual(inFile)
          }),
          { numRuns: runs(500, 10) }
        )
      )
    }))

  it.scopedLive(
    "gives its texts to others when it is interrupted, though another process has the lock just then",
    () =>
      Effect.gen(function* () {
        const refused = yield* Deferred.make<void>()
        const client = LibsqlClient.layer({
          filename: yield* temporaryFile,
          busySchedule: Schedule.tapOutput(Schedule.spaced("1 millis"), () =>
            Deferred.succeed(refused, undefined)
          )
        })
        const other = yield* owner(client)
        yield* opened(other, german)
        const ready = yield* Deferred.make<void>()
        const store = yield* Effect.gen(function* () {
          const store = yield* owner(client)
          yield* opened(store, german)
          yield* record(store, 1)
          yield* begin(store, a, ["text 2"])
          yield* Deferred.succeed(ready, undefined)
          return yield* Effect.never
        }).pipe(Effect.scoped, Effect.fork)
        yield* Deferred.await(ready)
        yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
          sql.withTransaction(Effect.zipRight(Fiber.interruptFork(store), Deferred.await(refused)))
        ).pipe(Effect.provide(client))
        yield* Fiber.await(store)
        expect(yield* begin(other, b, ["text 2"])).toEqual([true])
      })
  )
})

suite(libsqlFile)
