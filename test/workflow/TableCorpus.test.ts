/** Rows as the corpus of a durable job, on a libsql file; and what is refused before a database is asked. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Corpus, JobControl, TableCorpus } from "effect-translate/workflow"
import { marking } from "../job/support.js"
import { libsqlFile } from "../support/databases.js"
import { bench, done, withEmulator } from "./jobs.js"
import { suite } from "./tables.js"

suite(libsqlFile)

const common = { key: ["id"], columns: ["title"], output: { table: "out" } } as const

const noDatabase = Effect.provideService(SqlClient.SqlClient, {} as SqlClient.SqlClient)

const refused = (options: unknown, kind = TableCorpus.kind) =>
  Effect.flip(kind.open(options)).pipe(
    Effect.map((error) => [error._tag, error.message]),
    marking().provide,
    noDatabase
  )

describe("a corpus of rows", () => {
  it.effect("is refused if its options contradict each other", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [unknown, string]> = [
        [{ ...common }, "name a table, or a query"],
        [{ ...common, table: "a", query: "SELECT 1" }, "name a table, or a query"],
        [{ ...common, table: "a", columns: ["id"] }, "no column may be named twice"],
        [{ ...common, table: "a", output: { columns: "title_de" } }, "lacks {lang}"],
        [{ ...common, table: "a", columns: ["a", "b"], output: { columns: "t_{lang}" } }, "lacks {column}"],
        [{ ...common, query: "SELECT 1", output: { columns: "t_{lang}" } }, "name the table that has"]
      ]
      for (const [options, message] of cases) {
        expect(yield* refused(options)).toEqual(["InvalidReference", expect.stringContaining(message)])
      }
    })
  )

  it.effect("has tables that are allowed only, if there is a list of them", () =>
    Effect.gen(function* () {
      const kind = TableCorpus.makeKind({ name: "shop", allow: ["articles", "out"] })
      expect(kind.name).toBe("shop")
      const of = (options: object) => refused({ ...common, ...options }, kind)
      expect((yield* of({ table: "users" }))[1]).toContain("may not use the table users")
      expect((yield* of({ table: "articles", output: { table: "users" } }))[1]).toContain("users")
      expect((yield* of({ query: "SELECT 1" }))[1]).toContain("without query and where")
      expect((yield* of({ table: "articles", where: "1 = 1" }))[1]).toContain("without query and where")
      const { sources } = yield* kind
        .open({ ...common, table: "articles", ranges: [[10], [20]] })
        .pipe(marking().provide, noDatabase)
      expect(sources.map(({ source }) => source.name)).toEqual(["articles 1", "articles 2", "articles 3"])
    })
  )
})

describe("a job over a table", () => {
  it.scopedLive(
    "counts present texts as stored, and tells of a person's column whose source has changed",
    () =>
      Effect.gen(function* () {
        const { worker } = yield* bench({ files: {}, kinds: [TableCorpus.kind as unknown as Corpus.Kind] })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE TABLE shop (id INTEGER PRIMARY KEY, title TEXT, body TEXT)`
          yield* sql`INSERT INTO shop ${sql.insert([
            { id: 1, title: "Mug", body: "Blue" },
            { id: 2, title: "Cup", body: " " }
          ])}`
          const options: TableCorpus.Options = {
            table: "shop",
            key: ["id"],
            columns: ["title", "body"],
            output: { columns: "{column}_{lang}" }
          }
          yield* TableCorpus.makeOutput(options, ["de"])
          const next = Effect.gen(function* () {
            const corpus = yield* TableCorpus.reference(options)
            const revision = yield* TableCorpus.revision(options)
            return yield* done({ id: "shop", corpus, targets: ["de"], revision })
          })
          expect((yield* next).targets).toMatchObject([{ translated: 3, cached: 0, skipped: 1, failed: 0 }])
          yield* sql`UPDATE shop SET title_de = 'von Hand', title = 'Big mug', body = 'Red' WHERE id = 1`
          const { state, targets } = yield* next
          expect(state).toBe("done")
          expect(targets).toMatchObject([{ translated: 1, cached: 2, skipped: 1, failed: 0, flagged: 1 }])
          const { failures } = yield* JobControl.JobControl
          expect([...(yield* Stream.runCollect(failures("shop")))]).toMatchObject([
            { source: "shop", targetLang: "de", key: "1.title", tag: "Stale" }
          ])
          const [row] = yield* sql`SELECT title_de FROM shop WHERE id = 1`
          expect(row).toEqual({ title_de: "von Hand" })
        }).pipe(Effect.provide(worker))
      }).pipe(withEmulator())
  )
})
