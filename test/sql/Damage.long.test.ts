/** A file of a store that is damaged: what a store, its verification and its salvage say of it. */
import {
  copyFileSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { dirname } from "node:path"
import { NodeContext, NodeFileSystem } from "@effect/platform-node"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { LibsqlTranslationStore } from "effect-translate/libsql"
import * as backends from "../../src/sql/internal/backend.js"
import type { Backend } from "../../src/store/StoreBackend.js"
import { a, b, begin, german, hashOf, opened } from "../store/subject.js"
import { temporaryFile } from "../support/databases.js"
import { libsqlFile } from "./stores.js"
import { found, record, upTo } from "./subject.js"

/** A store of a file for a while, with the client below it. */
const open =
  (filename: string) =>
  <A, E>(use: (store: Backend) => Effect.Effect<A, E, Scope.Scope | SqlClient.SqlClient>) =>
    Effect.scoped(
      Effect.flatMap(backends.make({ name: "store.db", schedule: Schedule.stop }), (store) =>
        Effect.zipRight(opened(store, german), use(store))
      )
    ).pipe(Effect.provide(Layer.merge(libsqlFile.clientOf(filename), NodeFileSystem.layer)))

const write = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))

const test = (name: string, body: (filename: string) => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.scopedLive(name, () => Effect.flatMap(temporaryFile, body))

const damaged = { _tag: "StoreDamaged", store: "store.db" }

describe("a damaged store", () => {
  test("is told where a text is not UTF-8, and its other texts are found", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, 1, 2, 3)
        yield* store.stats
        yield* write(
          "UPDATE effect_translate_translations SET translation = CAST(x'ff41' AS TEXT) WHERE id = 2"
        )
        expect(yield* found(store, [1, 3])).toEqual([1, 3])
        expect(yield* Effect.flip(found(store, [1, 2, 3]))).toMatchObject(damaged)
        expect(yield* Effect.flip(Stream.runCollect(store.entries))).toMatchObject(damaged)
      })
    ))

  test("is told where a text of the ledger, of a correction or of a namespace is not UTF-8", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, 1)
        yield* write(
          `INSERT INTO effect_translate_attempts (attempt, owner, namespace, texts, characters, keys, written_at, ending)
           SELECT CAST(x'ff' AS TEXT), id, 1, 1, 1, x'00', 0, CAST(x'ff' AS TEXT) FROM effect_translate_owners LIMIT 1`
        )
        expect(yield* store.stats).toMatchObject({ attempts: { unknown: { attempts: 1 } } })
        expect(yield* Effect.flip(Stream.runCollect(store.attempts))).toMatchObject(damaged)
        yield* write("UPDATE effect_translate_namespaces SET service = CAST(x'ff' AS TEXT)")
        expect(yield* Effect.flip(Stream.runCollect(store.entries))).toMatchObject(damaged)
        yield* write(
          `INSERT INTO effect_translate_corrections (hash, source_lang, target_lang, text, translation, written_at)
           VALUES (x'00', '', 'de', 'one', CAST(x'ff' AS TEXT), 0)`
        )
        expect(yield* Effect.flip(Stream.runCollect(store.corrections))).toMatchObject(damaged)
      })
    ))

  test("is told where a table, a row or a value is missing", (filename) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, ...upTo(10))
        yield* write("UPDATE effect_translate_translations SET written_at = 9000000000000000 WHERE id = 2")
        expect(yield* Effect.flip(Stream.runCollect(store.entries))).toMatchObject(damaged)
        yield* write("DELETE FROM effect_translate_namespaces")
        expect(yield* Effect.flip(store.stats)).toMatchObject(damaged)
        expect(yield* Effect.flip(Stream.runCollect(store.entries))).toMatchObject(damaged)
        yield* write("DELETE FROM effect_translate_indexed")
        expect(yield* Effect.flip(record(store, 11))).toMatchObject(damaged)
        yield* write("DROP TABLE effect_translate_corrected")
        expect(yield* Effect.flip(store.correctionsRevision("de"))).toMatchObject(damaged)
      })
    ))
})

describe("a store whose file is replaced while it is in use", () => {
  const replaced = { _tag: "StoreReplaced", store: "store.db" }

  const isNoticed = (replace: (filename: string) => void) => (filename: string) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, 1)
        expect(yield* begin(store, a, ["two"])).toEqual([true])
        replace(filename)
        expect(yield* Effect.flip(begin(store, b, ["three"]))).toMatchObject(replaced)
        expect(yield* Effect.flip(store.repeat(a, b))).toMatchObject(replaced)
        expect(yield* Effect.flip(record(store, 2))).toMatchObject(replaced)
      })
    )

  test(
    "claims nothing more once it was removed",
    isNoticed((filename) => rmSync(filename))
  )

  test(
    "claims nothing more once another file was put in its place",
    isNoticed((filename) => {
      writeFileSync(`${filename}.new`, "")
      renameSync(`${filename}.new`, filename)
    })
  )

  test("is opened by a name with spaces and signs as by any other", (filename) =>
    Effect.gen(function* () {
      const strange = `${dirname(filename)}/a store %41?#.db`
      yield* open(strange)((store) => record(store, 1))
      rmSync(`${strange}-wal`, { force: true })
      expect(yield* open(strange)((store) => found(store, [1, 2]))).toEqual([1])
    }))
})

describe("verification and salvage", () => {
  const { salvage, verify } = LibsqlTranslationStore

  /** 2,000 translations in some 60 pages, corrections and a ledger. */
  const filled = (filename: string) =>
    open(filename)((store) =>
      Effect.gen(function* () {
        yield* record(store, ...upTo(2000))
        yield* store.correct(
          upTo(20).map((n) => ({
            source: `source ${n}`,
            translation: `correction ${n}`,
            targetLang: "de",
            hash: hashOf(`source ${n}`),
            at: DateTime.unsafeMake(0)
          }))
        )
        for (const n of upTo(10)) {
          const attempt = crypto.randomUUID()
          yield* begin(store, attempt, [`new ${n}`])
          yield* store.record({
            namespace: german.id,
            translations: [],
            endings: [{ attempt, ending: "answered" }]
          })
        }
      })
    )

  /** Pages of a table or an index, the first of which is its root. */
  const pagesOf = (filename: string, name: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      Effect.map(
        sql<{ readonly pageno: number; readonly ncell: number }>`
          SELECT pageno, ncell FROM dbstat WHERE name = ${name} ORDER BY path`,
        (rows) => rows.map(({ ncell, pageno }) => ({ rows: ncell, at: (pageno - 1) * 4096 }))
      )
    ).pipe(Effect.provide(libsqlFile.clientOf(filename)))

  const change = (filename: string, write: (bytes: Buffer) => Buffer) =>
    writeFileSync(filename, write(readFileSync(filename)))

  const checksOf = (filename: string) =>
    Effect.map(verify({ file: filename }), ({ problems }) => problems.map(({ check }) => check))

  /** Salvages, verifies what was saved, and tells what it is and which texts are found. */
  const salvaged = (filename: string) =>
    Effect.gen(function* () {
      const target = `${dirname(filename)}/new.db`
      const sums = yield* salvage({ file: filename, target })
      const { problems } = yield* verify({ file: target })
      expect(problems).toEqual([])
      const [numbers, revision] = yield* open(target)((store) =>
        Effect.all([found(store, upTo(2000)), store.correctionsRevision("de")])
      )
      // Without it nobody would ask for the corrections.
      expect(revision !== undefined).toBe(sums.corrections.saved > 0)
      expect(numbers).toHaveLength(sums.translations.saved)
      expect(readdirSync(dirname(filename)).filter((name) => name.startsWith(".effect-translate"))).toEqual(
        []
      )
      return { ...sums, numbers }
    }).pipe(Effect.provide(NodeContext.layer))

  const whole = {
    translations: { saved: 2000, lost: 0 },
    corrections: { saved: 20, lost: 0 },
    attempts: { saved: 10, lost: 0 }
  }

  test("find nothing wrong with a store that is whole, and keep all of it", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const before = readFileSync(filename)
      expect(yield* verify({ file: filename })).toEqual({
        translations: 2000,
        corrections: 20,
        attempts: 10,
        problems: []
      })
      expect(yield* salvaged(filename)).toMatchObject(whole)
      expect(readFileSync(filename).equals(before)).toBe(true)
    }))

  test("tell of a page that is zero, which loses its own rows only", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const leaf = (yield* pagesOf(filename, "effect_translate_translations"))[20]!
      change(filename, (bytes) => bytes.fill(0, leaf.at, leaf.at + 4096))
      expect(yield* checksOf(filename)).toEqual(["pages", "rows", "references", "index"])
      expect(yield* salvaged(filename)).toMatchObject({
        ...whole,
        translations: { saved: 2000 - leaf.rows, lost: leaf.rows }
      })
    }))

  test("tell of several pages with others between them, the last one too", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const pages = (yield* pagesOf(filename, "effect_translate_translations")).slice(1)
      const leaves = [pages[0]!, pages[2]!, pages[9]!, pages.at(-1)!]
      change(filename, (bytes) => {
        for (const { at } of leaves) bytes.fill(0xff, at, at + 4096)
        return bytes
      })
      const lost = leaves.reduce((sum, { rows }) => sum + rows, 0)
      expect(yield* salvaged(filename)).toMatchObject({
        ...whole,
        translations: { saved: 2000 - lost, lost }
      })
    }))

  test("leave out a row with the number of another page, and none that comes after it", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const { at, rows } = (yield* pagesOf(filename, "effect_translate_translations"))[10]!
      change(filename, (bytes) => {
        // The last cell of the page: its size in one byte, and its number in two.
        const cell = at + bytes.readUInt16BE(at + 8 + 2 * (rows - 1))
        bytes.set([0xff, 0x7f], cell + 1)
        return bytes
      })
      expect(yield* checksOf(filename)).toContain("rows")
      expect(yield* salvaged(filename)).toMatchObject({ ...whole, translations: { saved: 1999, lost: 1 } })
    }))

  test("tell of an index with other bytes, which loses nothing", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const page = (yield* pagesOf(filename, "effect_translate_keys"))[5]!
      change(filename, (bytes) => {
        for (const n of upTo(40)) bytes[page.at + 200 + 90 * n]! ^= 0x55
        return bytes
      })
      expect(yield* checksOf(filename)).toContain("index")
      expect(yield* salvaged(filename)).toMatchObject(whole)
    }))

  test("tell of texts and keys with other bytes, each of which loses its own row", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      change(filename, (bytes) => {
        bytes[bytes.indexOf("text 1234") + 1]! ^= 1
        bytes[bytes.indexOf("Text 777") + 1] = 0xff
        bytes[bytes.indexOf("source 7") + 1]! ^= 1
        return bytes
      })
      const { problems } = yield* verify({ file: filename })
      expect(problems.map(({ check, count }) => [check, count])).toEqual([
        ["texts", 1],
        ["keys", 2]
      ])
      const { numbers, ...sums } = yield* salvaged(filename)
      expect(sums).toEqual({
        ...whole,
        translations: { saved: 1998, lost: 2 },
        corrections: { saved: 19, lost: 1 }
      })
      expect(upTo(2000).filter((n) => !numbers.includes(n))).toEqual([777, 1234])
    }))

  test("tell of a file that was cut, and save the rest", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      change(filename, (bytes) => bytes.subarray(0, Math.floor(bytes.length / 2)))
      expect(yield* checksOf(filename)).toContain("pages")
      const { translations } = yield* salvaged(filename)
      expect(translations.saved).toBeGreaterThan(500)
      expect(translations.saved).toBeLessThan(2000)
    }))

  test("save everything of a file whose first page is gone", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      change(filename, (bytes) => bytes.fill(0, 0, 4096))
      expect(yield* checksOf(filename)).toContain("layout")
      expect(yield* salvaged(filename)).toMatchObject(whole)
    }))

  test("keep translations whose namespace is gone, and complete it when it is used again", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      const [page] = yield* pagesOf(filename, "effect_translate_namespaces")
      change(filename, (bytes) => bytes.fill(0, page!.at, page!.at + 4096))
      expect(yield* checksOf(filename)).toContain("references")
      expect(yield* salvaged(filename)).toMatchObject(whole)
      const stats = yield* open(`${dirname(filename)}/new.db`)((store) => store.stats)
      expect(stats.languages).toMatchObject([{ targetLang: "de", translations: 2000 }])
    }))

  test("read a store whose log was cut as it was before", (filename) =>
    Effect.gen(function* () {
      const cut = `${dirname(filename)}/cut.db`
      yield* open(filename)((store) =>
        Effect.gen(function* () {
          yield* record(store, ...upTo(10))
          yield* write("PRAGMA wal_checkpoint(TRUNCATE)")
          yield* record(store, ...upTo(2000))
          copyFileSync(filename, cut)
          copyFileSync(`${filename}-wal`, `${cut}-wal`)
        })
      )
      truncateSync(`${cut}-wal`, 10_000)
      expect(yield* verify({ file: cut })).toMatchObject({ translations: 10, problems: [] })
      expect(yield* salvaged(cut)).toMatchObject({ translations: { saved: 10, lost: 0 } })
    }))

  test("make no store of another file", (filename) =>
    Effect.gen(function* () {
      writeFileSync(filename, "no database ".repeat(1000))
      expect(yield* checksOf(filename)).toContain("layout")
      const target = `${dirname(filename)}/new.db`
      const sums = yield* salvage({ file: filename, target })
      expect(sums.translations).toMatchObject({ saved: 0 })
      expect(readdirSync(dirname(filename)).filter((name) => !name.startsWith("store.db"))).toEqual([])
    }).pipe(Effect.provide(NodeContext.layer)))

  test("put nothing in the place of a file that is there", (filename) =>
    Effect.gen(function* () {
      yield* filled(filename)
      expect(yield* Effect.flip(salvage({ file: filename, target: filename }))).toMatchObject({
        _tag: "BadArgument"
      })
    }).pipe(Effect.provide(NodeContext.layer)))
})
