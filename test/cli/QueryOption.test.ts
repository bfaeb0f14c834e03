/** Options that go with `--query`, and those that do not. */
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type TranslateInput, translate } from "../../src/cli/declarations/texts.js"
import * as queryOption from "../../src/cli/translate/queryOption.js"

/** What a command gets without an option. */
const nothing = Object.fromEntries(
  Object.entries(translate.parameters).map(([name, { decode }]) => [name, decode([])])
) as unknown as TranslateInput

const whole = { ...nothing, query: "SELECT 1", database: "a.duckdb", keys: ["id"], output: "t" }

const refused = (input: TranslateInput) =>
  Effect.map(Effect.flip(queryOption.check(input)), ({ message }) => message)

it.effect("a query takes the place of files, with a database, a key and a table", () =>
  Effect.gen(function* () {
    expect(yield* queryOption.check(nothing)).toBe(nothing)
    expect(yield* queryOption.check(whole)).toMatchObject({ files: ["the query"] })
    expect(yield* refused({ ...whole, database: undefined })).toContain("--database")
    expect(yield* refused({ ...whole, keys: [] })).toContain("--key")
    expect(yield* refused({ ...whole, output: undefined })).toContain("--output")
    expect(yield* refused({ ...whole, output: "{column}_{lang}" })).toContain("without braces")
  })
)

it.effect("options of files are refused with a query, and options of a query without one", () =>
  Effect.gen(function* () {
    expect(yield* refused({ ...whole, files: ["a.csv"] })).toContain("one of both")
    expect(yield* refused({ ...whole, fields: ["title"] })).toContain("--field is for files")
    expect(yield* refused({ ...whole, watch: true })).toContain("--watch is for files")
    expect(yield* refused({ ...nothing, output: "t" })).toContain("are for --query")
  })
)
