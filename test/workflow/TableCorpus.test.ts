/** Rows as the corpus of a durable job, on a libsql file; and what is refused before a database is asked. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TableCorpus } from "effect-translate/workflow"
import { marking } from "../job/support.js"
import { libsqlFile } from "../support/databases.js"
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
