/** A part of libsql that its types leave out: `src/sql/internal/driver.ts` alone knows it. */
import { describe, expect, it } from "@effect/vitest"
import Database from "libsql"

describe("a statement of libsql", () => {
  it("ends with an error once it is interrupted, before its last row", () => {
    const database = new Database(":memory:")
    database.exec("CREATE TABLE t (n)")
    database.exec(
      "INSERT INTO t WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 1000) SELECT n FROM r"
    )
    const statement = database.prepare("SELECT n FROM t")
    const rows = statement.iterate()
    expect(rows.next().done).toBe(false)
    ;(statement as unknown as { readonly interrupt: () => void }).interrupt()
    expect(() => {
      while (rows.next().done !== true);
    }).toThrow(/interrupt/)
    database.close()
  })
})
