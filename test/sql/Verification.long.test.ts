/** The verification of a store in PostgreSQL. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { PgTranslationStore } from "effect-translate/postgres"
import { a, begin, german, opened } from "../store/subject.js"
import { owner, postgresDatabase } from "./stores.js"
import { record, upTo } from "./subject.js"

const verify = (url: string) => PgTranslationStore.verify({ url: Redacted.make(url) })

describe("the verification of a store in PostgreSQL", () => {
  it.scopedLive("tells its content, and references to missing rows", () =>
    Effect.gen(function* () {
      const url = yield* postgresDatabase.address
      const client = postgresDatabase.clientOf(url)
      const store = yield* owner(client)
      yield* opened(store, german)
      yield* record(store, ...upTo(20))
      yield* begin(store, a, ["new"])
      const sums = { translations: 20, corrections: 0, attempts: 1 }
      expect(yield* verify(url)).toEqual({ ...sums, problems: [] })
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) =>
        Effect.zipRight(
          sql`DELETE FROM effect_translate_namespaces`,
          sql`UPDATE effect_translate_attempts SET ending = 'odd'`
        )
      ).pipe(Effect.provide(client))
      expect(yield* verify(url)).toMatchObject({
        ...sums,
        problems: [
          { check: "references", count: 21 },
          { check: "ledger", count: 1 }
        ]
      })
    })
  )

  it.scopedLive("says that an empty database is no store", () =>
    Effect.gen(function* () {
      const { problems } = yield* verify(yield* postgresDatabase.address)
      expect(problems).toMatchObject([{ check: "layout" }])
    })
  )
})
