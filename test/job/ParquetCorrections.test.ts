/** Corrections that people make in Parquet outputs, with a program of their own. */
import { readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { TranslationStore } from "effect-translate"
import { Parquet } from "effect-translate/formats"
import { JobSource } from "effect-translate/jobs"
import { asked, folder as folderOfDuckDb, fromDuckDb, sql } from "../support/parquet.js"
import { folderWith, run } from "./fileSources.js"
import { marking } from "./support.js"

const inFolder = Effect.provide(NodeContext.layer)

const small = ", row_group_size 2048"

const valuesOf = (rows: ReadonlyArray<readonly [string, string]>) =>
  `select * from (values ${rows.map(([sku, title]) => `('${sku}', '${title}')`).join(", ")}) t(sku, title)`

/** A file that was translated into two languages of one output, and functions that change it. */
const translated = (rows: ReadonlyArray<readonly [string, string]>, key?: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { provide, sent } = marking()
    const store = yield* TranslationStore.makeMemory()
    const folder = yield* folderWith({})
    const write = (rows: ReadonlyArray<readonly [string, string]>) =>
      Effect.map(fromDuckDb(valuesOf(rows), small), (bytes) => writeFileSync(`${folder}/a.parquet`, bytes))
    yield* write(rows)
    const source = JobSource.file({
      path: `${folder}/a.parquet`,
      output: () => `${folder}/out.parquet`,
      stateFolder: `${folder}/.state`,
      format: Parquet.make({ columns: ["title"], key })
    })
    const again = Effect.gen(function* () {
      const { results, states, written } = yield* provide(run(source, ["de", "fr"], { options: { store } }))
      const rows = yield* asked(readFileSync(`${folder}/out.parquet`), "select * from {file}")
      return { results, states, written, rows: rows.map((row) => Object.values(row)) }
    })
    yield* again
    const before = sent().length
    return {
      again,
      store,
      write,
      sent: () => sent().slice(before),
      /** Writes the output anew with other values of some columns. */
      editOutput: (replacing: string) =>
        Effect.gen(function* () {
          const path = `${yield* folderOfDuckDb}/edited.parquet`
          const query = `select * replace (${replacing}) from '${folder}/out.parquet'`
          yield* sql(`copy (${query}) to '${path}' (format parquet${small})`)
          writeFileSync(`${folder}/out.parquet`, readFileSync(path))
        }).pipe(Effect.scoped)
    }
  })

const cup = `case when sku = 'B' then 'Tasse' else title_de end as title_de`

const rows = [
  ["A", "Mug"],
  ["B", "Cup"],
  ["C", "Plate"]
] as const

describe("a corrected Parquet file", () => {
  for (const key of [undefined, ["sku"]]) {
    it.scoped(
      `keeps corrections ${key === undefined ? "by the source's text" : "by its key"}, wherever rows are`,
      () =>
        Effect.gen(function* () {
          const { again, editOutput, sent, store, write } = yield* translated(rows, key)
          yield* editOutput(cup)
          yield* write([
            ["D", "Bowl"],
            ["C", "Plate"],
            ["B", "Cup"]
          ])
          const first = yield* again
          const expected = [
            ["D", "Bowl", "de: Bowl", "fr: Bowl"],
            ["C", "Plate", "de: Plate", "fr: Plate"],
            ["B", "Cup", "Tasse", "fr: Cup"]
          ]
          expect(first.rows).toEqual(expected)
          expect(first.written).toMatchObject([{ corrections: 1 }, { corrections: 0 }])
          expect([yield* store.corrected(["Cup"], { targetLang: "de" }), sent()]).toEqual([
            ["Tasse"],
            ["Bowl", "Bowl"]
          ])
          const second = yield* again
          expect([second.rows, second.states]).toEqual([expected, ["unchanged", "unchanged"]])
        }).pipe(inFolder)
    )

    it.scoped(
      `keeps a text whose source has changed, ${key === undefined ? "at its place" : "by its key"}`,
      () =>
        Effect.gen(function* () {
          const { again, editOutput, write } = yield* translated(rows, key)
          yield* editOutput(cup)
          yield* write([rows[0], ["B", "Large cup"], rows[2]])
          for (const _ of [1, 2]) {
            const { rows, written } = yield* again
            expect(rows[1]).toEqual(["B", "Large cup", "Tasse", "fr: Large cup"])
            expect(written[0]?.stale).toEqual([{ key: "2:title", text: "Large cup", translation: "Tasse" }])
          }
        }).pipe(inFolder)
    )
  }

  it.scoped("is refused where two rows have the same key", () =>
    Effect.gen(function* () {
      const { again, editOutput } = yield* translated(rows, ["sku"])
      yield* editOutput("'A' as sku")
      const { results } = yield* again
      expect(results[0]).toMatchObject({ left: { _tag: "DuplicateKeys", key: ["sku"], rows: [1, 2] } })
    }).pipe(inFolder)
  )
})
