/** `translate --query`: rows of PostgreSQL into a table there. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PgClient } from "effect-translate/postgres"
import { postgres } from "../support/postgres.js"
import { emulator, folderOf, processTimeout, run } from "./process.js"

const args = (database: string, ...more: ReadonlyArray<string>) => [
  ...["translate", "--query", "SELECT * FROM shop.products;", "--database", database],
  ...["--key", "id", "--key", "shelf", "--column", "title", "--column", "body"],
  ...["--output", "shop.translations", "--to", "de,fr", ...more]
]

const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`

describe("translate --query of PostgreSQL", () => {
  it.scopedLive(
    "translates rows with keys of several types, and leaves translations that a person has changed",
    () =>
      Effect.gen(function* () {
        const { billed, env } = yield* emulator()
        const folder = yield* folderOf()
        const secret = yield* Effect.flatMap(postgres, ({ database }) => database)
        const url = Redacted.value(secret)
        const call = (...more: ReadonlyArray<string>) => run(args(url, ...more), { folder, env })
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`CREATE SCHEMA shop`
          yield* sql`CREATE TABLE shop.products (id UUID, shelf TEXT, title TEXT, body VARCHAR(20), PRIMARY KEY (id, shelf))`
          yield* sql`INSERT INTO shop.products ${sql.insert([
            { id: id(1), shelf: "a", title: "Mug", body: "Blue" },
            { id: id(1), shelf: "b", title: "Cup", body: null },
            { id: id(2), shelf: "a", title: " ", body: "Red" }
          ])}`
          const dry = yield* call("--dry-run")
          expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/^all +12 /m) })
          expect(yield* Effect.isSuccess(sql`SELECT 1 FROM shop.translations`)).toBe(false)

          const first = yield* call()
          expect(first.code, first.stderr).toBe(0)
          expect(first.stdout + first.stderr).not.toContain(new URL(url).password)
          const rows = sql`SELECT id, shelf, lang, title, body FROM shop.translations ORDER BY lang, id, shelf`
          expect((yield* rows).slice(0, 3)).toEqual([
            { id: id(1), shelf: "a", lang: "de", title: "[de] Mûg", body: "[de] Blûé" },
            { id: id(1), shelf: "b", lang: "de", title: "[de] Çûp", body: null },
            { id: id(2), shelf: "a", lang: "de", title: " ", body: "[de] Réd" }
          ])
          const paid = yield* billed
          yield* sql`UPDATE shop.translations SET title = 'von Hand' WHERE shelf = 'b' AND lang = 'de'`
          yield* sql`UPDATE shop.products SET body = 'New' WHERE shelf = 'b'`
          const second = yield* call("--store", "none")
          expect(second.code, second.stderr).toBe(0)
          expect((yield* billed) - paid).toBe(2 * "New".length)
          expect((yield* rows)[1]).toMatchObject({ title: "von Hand", body: "[de] Ñéw" })
        }).pipe(Effect.provide(PgClient.layer({ url: secret })))
      }),
    processTimeout
  )

  it.scopedLive(
    "says in a line why there is no database, without the password",
    () =>
      Effect.gen(function* () {
        const { env } = yield* emulator()
        const folder = yield* folderOf()
        const url = new URL(Redacted.value(yield* Effect.flatMap(postgres, ({ database }) => database)))
        const refused = (database: string, ...more: ReadonlyArray<string>) =>
          Effect.map(
            run(args(database, ...more), { folder, env }),
            ({ code, stderr }) => [code, stderr] as const
          )
        const attached = yield* refused(url.href, "--attach", "a.duckdb")
        expect(attached).toEqual([2, expect.stringContaining("--attach is for files")])
        expect(yield* refused("postgres://")).toEqual([
          2,
          expect.stringContaining("--database is no address")
        ])
        expect(yield* refused("postgres://me:secret@localhost:1/db")).toEqual([
          5,
          expect.stringMatching(/^localhost:1\/db can't be opened: .*ECONNREFUSED/)
        ])
        url.pathname = "/nowhere"
        const missing = yield* refused(url.href)
        expect(missing).toEqual([2, expect.stringContaining('database "nowhere" does not exist')])
        expect(missing[1]).not.toContain(url.password)
      }),
    processTimeout
  )
})
