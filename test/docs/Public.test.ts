/** What `npm run check:docs` finds in what is public, by made-up sources and pages. */
import { describe, expect, it } from "@effect/vitest"
import { checkItems, declaredIn, type Item, type Texts } from "../../scripts/checkPublic.js"

const texts: Texts = {
  rows: { format: "`Toml.make` (`toml`), `Toml.flat`", check: "`spelling`, `grammar`" },
  pages: new Set(["Broken", "width"]),
  tests: new Set(["Broken", "width"]),
  named: new Set(["toml", "flat", "spelling"]),
  exitCodes: new Set(["Broken"])
}

const item = (kind: Item["kind"], name: string, of?: string): Item => ({
  kind,
  name,
  path: "src/a.ts",
  line: 3,
  ...(of === undefined ? {} : { of })
})

const problemsOf = (items: ReadonlyArray<Item>, known: ReadonlyArray<string> = []) => {
  const problems: Array<string> = []
  checkItems(items, texts, new Set(known), (path, line, what) => problems.push(`${path}:${line} ${what}`))
  return problems.map((problem) => problem.replace(/ \(.*/, ""))
}

describe("Public members", () => {
  it("passes if it has its rows and tests", () => {
    expect(
      problemsOf([
        item("format", "toml"),
        item("format", "flat"),
        item("check", "spelling"),
        item("option", "width", "Toml.Options"),
        item("error", "Broken")
      ])
    ).toEqual([])
  })

  it("fails with all that it lacks, by its kind", () => {
    expect(
      problemsOf([
        item("format", "tom"),
        item("check", "grammar"),
        item("option", "height", "Toml.Options"),
        item("error", "Lost")
      ])
    ).toEqual([
      "src/a.ts:3 the format tom has no row in the table of its page",
      "src/a.ts:3 the format tom is named in no test",
      "src/a.ts:3 the check grammar is named in no test",
      "src/a.ts:3 the option Toml.Options.height is described on no page",
      "src/a.ts:3 the option Toml.Options.height is in no test",
      "src/a.ts:3 the error Lost is described on no page",
      "src/a.ts:3 the error Lost is in no test",
      "src/a.ts:3 the error Lost has no exit code"
    ])
  })

  it("may lack known debts, until these are paid", () => {
    const height = item("option", "height", "Toml.Options")
    const owed = ["page: Toml.Options.height", "test: Toml.Options.height"]
    expect(problemsOf([height], owed)).toEqual([])
    expect(problemsOf([item("option", "width", "Toml.Options")], owed.slice(0, 1))).toEqual([
      'scripts/publicDebts.ts:1 "page: Toml.Options.height" is paid: take it out of the list'
    ])
  })

  it("is found in the sources: options of interfaces and of schemas, and errors by their tags", () => {
    const source = `
export interface Options { readonly width?: number; readonly height?: number }
interface OwnOptions { readonly own: number }
export const ReadOptions = Schema.Struct({ depth: Schema.Number })
export class TomlBroken extends TaggedError<TomlBroken>("TomlBrokenAnywhere")("Broken", {}) {}
`
    expect(
      declaredIn("src/format/Toml.ts", source).map(({ kind, name, of, line }) => [kind, of, name, line])
    ).toEqual([
      ["option", "Toml.Options", "width", 2],
      ["option", "Toml.Options", "height", 2],
      ["option", "Toml.ReadOptions", "depth", 4],
      ["error", undefined, "Broken", 5]
    ])
  })
})
