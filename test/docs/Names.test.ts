/** What `npm run check:docs` finds in pages about the sources. */
import { describe, expect, it } from "@effect/vitest"
import { makeCheckNames } from "../../scripts/checkNames.js"

const check = makeCheckNames()

const problemsOf = (...lines: ReadonlyArray<string>): ReadonlyArray<string> => {
  const problems: Array<string> = []
  check("docs/internals/page.md", lines.join("\n"), (_, line, what) => problems.push(`${line} ${what}`))
  return problems
}

const table = (head: string, ...cells: ReadonlyArray<string>) => [
  `| Question | ${head} |`,
  "|---|---|",
  ...cells.map((cell) => `| Where? | ${cell} |`)
]

describe("names of modules in documents", () => {
  it("in prose: paths, files, and names with a capital inside", () => {
    expect(
      problemsOf(
        "`job/internal/fileSource` and `src/stream/internal/row.ts`,",
        "`Names.test.ts` and `Moved.test.ts`, `fileSource` and `streamedFile`, `schema.migrateTables`."
      )
    ).toEqual([
      "1 src/stream/internal/row.ts: no such file",
      "2 Moved.test.ts: no such file",
      "2 streamedFile: no such name in the sources",
      "2 schema.migrateTables: no such name in the sources"
    ])
  })

  it("at the beginning of list items", () => {
    expect(problemsOf("- `element` collects, with the option `unordered`.", "- `row` collects.")).toEqual([
      "2 row: no such module"
    ])
  })

  it("in columns of modules: those of their folder, and members by their modules", () => {
    expect(
      problemsOf(
        ...table(
          "Module in `src/sql/internal`",
          "`sqlFailures` and `failures`",
          "`packing`",
          "`claimLedger`: `text/OversizedText`, `SqlTables`, `claimed()`",
          "`claimOwner.make`, `lost.make`"
        )
      )
    ).toEqual(["3 failures: no such module", "4 packing: no such module", "6 lost.make: no such module"])
    expect(problemsOf(...table("Module", "`packing`", "`row`"))).toEqual(["4 row: no such module"])
    expect(problemsOf(...table("What", "`row`"))).toEqual([])
  })

  it("in brackets in pictures", () => {
    expect(
      problemsOf("```text", "[packing] ─> [row]", "[commandLine/parse] [commandLine/read]", "```", "[row]")
    ).toEqual(["2 row: no such module", "3 commandLine/read: no such file"])
  })

  it("in pictures: paths, with and without all of their folders, and members", () => {
    expect(
      problemsOf(
        "```text",
        "stream/internal/workers ─> client/…/failOver, TranslationJob.run",
        "stream/internal/worker ─> client/…/failAway, TranslationJob.removedFrom",
        "```"
      )
    ).toEqual([
      "3 stream/internal/worker: no such file",
      "3 client/…/failAway: no such file",
      "3 TranslationJob.removedFrom: no such name in the sources"
    ])
  })

  it("refuses a picture that no screen shows", () => {
    const picture = (lines: number) => ["```text", ...Array.from({ length: lines }, () => "│"), "```"]
    expect(problemsOf(...picture(30))).toEqual([])
    expect(problemsOf(...picture(31))).toEqual(["33 picture: more than 30 lines"])
  })
})
