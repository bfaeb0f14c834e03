/** `translate --query` as a process that is killed. */
import { existsSync } from "node:fs"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { inDuckDb } from "../support/duckDb.js"
import { emulator, folderOf, processTimeout, run, start } from "./process.js"

it.scopedLive(
  "translate --query goes on after kill -9: no row is lost, and at most the texts in flight are paid twice",
  () =>
    Effect.gen(function* () {
      const { billed, env } = yield* emulator({ latency: 20 })
      const folder = yield* folderOf()
      const file = `${folder}/data.duckdb`
      const count = 3000
      yield* inDuckDb(
        file,
        `CREATE TABLE t AS SELECT range AS id, 'Mug number ' || (range + 100000) AS title FROM range(${count})`
      )
      const length = "Mug number 100000".length
      const args = [
        ...["translate", "--query", "SELECT * FROM t", "--database", "data.duckdb", "--key", "id"],
        ...["--column", "title", "--output", "translations", "--to", "de"]
      ]
      const running = yield* start(args, { folder, env })
      while ((yield* billed) < 0.4 * count * length) yield* Effect.sleep("10 millis")
      yield* running.kill("SIGKILL")
      yield* running.ended
      const half = yield* inDuckDb(file, "SELECT count(*)::INT AS n FROM translations")
      // Whole transactions.
      expect(Number(half[0]!.n) % 500).toBe(0)
      expect((yield* run(args, { folder, env })).code).toBe(0)
      const [whole] = yield* inDuckDb(
        file,
        "SELECT count(*)::INT AS n, count(*) FILTER (title LIKE '[de] M%' || (id + 100000))::INT AS right FROM translations"
      )
      expect(whole).toEqual({ n: count, right: count })
      // Eight requests of fifty texts.
      expect(yield* billed).toBeLessThanOrEqual((count + 8 * 50) * length)
      expect(existsSync(`${file}.wal`)).toBe(false)
    }),
  processTimeout
)
