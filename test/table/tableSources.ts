/** What holds for rows of a query in all databases. */

import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { TranslationJob } from "effect-translate/jobs"
import { TableSource } from "effect-translate/tables"
import { run } from "../job/fileSources.js"
import { billed, withService } from "../job/jobs.js"
import { marking } from "../job/support.js"
import { badRequest, unauthorized } from "../stream/support.js"
import type { Database } from "../support/databases.js"
import { sharedLayer } from "../support/sharedLayer.js"

/** A table of so many rows. */
export const makeArticles = (table: string, count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE ${sql(table)} (id INTEGER, code TEXT, title TEXT, body TEXT)`
    const rows = Array.from({ length: count }, (_, index) => ({
      id: index * 3,
      code: `Ä-${index}`,
      title: index % 10 === 4 ? null : index % 10 === 5 ? " " : `Mug ${index % 40}`,
      body: `Body ${index}`
    }))
    for (let at = 0; at < count; at += 200) {
      yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows.slice(at, at + 200))}`
    }
  })

export const rowsOf = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM ${sql(table)} ORDER BY lang, id`)

const targets = ["de", "pt-BR"]

const ofTable = (table: string, more: Partial<TableSource.Options> = {}): TableSource.Options => ({
  query: `SELECT * FROM ${table} -- all`,
  key: ["id", "code"],
  columns: ["title", "body"],
  output: `${table}_out`,
  ...more
})

export const suite = ({ layer, name }: Database) =>
  describe(`rows of ${name}`, () => {
    const test = sharedLayer(Layer.orDie(layer))

    test("are translated into a table that is made, and the second run sends and writes new and changed ones", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("articles", 450)
        const job = { sources: [TableSource.make(ofTable("articles"))], targets }
        const first = yield* TranslationJob.run(job)
        expect(first.outputs.map(({ state }) => state)).toEqual(["written", "written"])
        const rows = yield* rowsOf("articles_out")
        expect(rows).toHaveLength(900)
        expect(rows[0]).toEqual({
          id: 0,
          code: "Ä-0",
          lang: "de",
          source_hash: expect.stringContaining('"title":{"by":"machine"'),
          title: "[de] Mûg 0",
          body: "[de] Bödý 0"
        })
        expect(rows[4]).toMatchObject({ title: null, body: "[de] Bödý 4" })
        expect(rows[5]).toMatchObject({ title: " " })

        const paid = yield* billed
        const again = yield* TranslationJob.run(job)
        expect(again.outputs.map(({ state }) => state)).toEqual(["unchanged", "unchanged"])
        expect(again.targets.map((target) => target.in)).toEqual([0, 0])

        yield* sql`UPDATE articles SET body = 'New' WHERE id = 9`
        yield* sql`INSERT INTO articles ${sql.insert({ id: 1, code: "x", title: "Added", body: null })}`
        yield* sql`UPDATE articles_out SET title = 'by hand' WHERE id = 12 AND lang = 'de'`
        const third = yield* TranslationJob.run(job)
        expect(third.targets.map((target) => target.in - target.skipped)).toEqual([2, 2])
        expect((yield* billed) - paid).toBe(2 * ("New".length + "Added".length))
        const after = yield* rowsOf("articles_out")
        expect(after.filter(({ id }) => id === 9 || id === 1 || id === 12)).toMatchObject([
          { id: 1, lang: "de", title: "[de] Åddéd", body: null },
          { id: 9, lang: "de", body: "[de] Ñéw" },
          { id: 12, lang: "de", title: "by hand" },
          { id: 1, lang: "pt-BR" },
          { id: 9, lang: "pt-BR", body: "[pt-BR] Ñéw" },
          { id: 12, lang: "pt-BR", title: null }
        ])
      }).pipe(withService()))

    test("are translated into a language that is added later, without the others", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        yield* makeArticles("added", 20)
        const source = TableSource.make(ofTable("added"))
        yield* run(source, ["de"])
        const before = sent().length
        const { states } = yield* run(source, ["de", "fr"])
        expect(states).toEqual(["unchanged", "written"])
        expect(sent()).toHaveLength(2 * before)
      }).pipe(provide)
    })

    test("are translated anew if they are to have other options, or if that is asked for", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        yield* makeArticles("other", 3)
        const source = TableSource.make(ofTable("other"))
        yield* run(source)
        yield* run(source, ["de"], { options: { formality: "more" } })
        expect(sent()).toHaveLength(12)
        yield* run(source, ["de"], { options: { formality: "more" } })
        expect(sent()).toHaveLength(12)
        yield* run(TableSource.make(ofTable("other", { existing: "overwrite" })), ["de"])
        yield* run(source, ["de"], { refresh: true })
        expect(sent()).toHaveLength(24)
      }).pipe(provide)
    })

    test("are translated anew where they hold terms of a glossary that are new, have changed or are gone", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        yield* makeArticles("terms", 3)
        const source = TableSource.make(ofTable("terms"))
        const runWith = (...terms: ReadonlyArray<[string, string]>) =>
          Effect.map(run(source, ["de"], { options: { glossaryTerms: new Map(terms) } }), () => sent().length)
        expect(yield* runWith()).toBe(6)
        expect(yield* runWith(["body", "Text"], ["pot", "Topf"])).toBe(9)
        expect(yield* runWith(["body", "Text"])).toBe(9)
        expect(yield* runWith(["body", "Rumpf"], ["mugs", "Becher"])).toBe(12)
        expect(yield* runWith()).toBe(15)
      }).pipe(provide)
    })

    test("go on behind the last transaction of a job that has ended in the middle", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("stopped", 1300)
        const source = TableSource.make(ofTable("stopped", { columns: ["body"] }))
        let requests = 0
        const stopping = marking(() => (++requests > 1100 ? unauthorized : undefined))
        expect((yield* stopping.provide(run(source))).states).toEqual(["Unauthorized"])
        const half = yield* rowsOf("stopped_out")
        expect(half.length).toBeGreaterThan(200)
        expect(half.length).toBeLessThan(1300)
        const { provide, sent } = marking()
        yield* provide(run(source))
        expect(sent()).toHaveLength(1300 - half.length)
        const whole = yield* rowsOf("stopped_out")
        expect(whole).toHaveLength(1300)
        yield* sql`DELETE FROM stopped_out`
        yield* provide(run(source))
        expect(yield* rowsOf("stopped_out")).toEqual(whole)
      }))

    test("of which a text has failed are tried again, with the present translation of the output until then", () => {
      const bad = marking((texts) => (texts.includes("Mug 2") ? badRequest : undefined))
      const good = marking()
      return Effect.gen(function* () {
        yield* makeArticles("kept", 3)
        const source = TableSource.make(ofTable("kept"))
        const { seen } = yield* bad.provide(run(source))
        expect(seen.flatMap(({ failures }) => failures.map(({ key }) => key))).toEqual(["6/Ä-2.title"])
        expect((yield* rowsOf("kept_out"))[2]).toMatchObject({
          title: null,
          body: "de: Body 2"
        })
        yield* good.provide(run(source))
        expect(good.sent()).toEqual(["Mug 2"])
        expect((yield* rowsOf("kept_out"))[2]).toMatchObject({ title: "de: Mug 2" })
      })
    })

    test("keep a column that a person has changed when another one of the row changes, which alone is sent", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("person", 2)
        const source = TableSource.make(ofTable("person"))
        yield* run(source)
        yield* sql`UPDATE person_out SET title = 'by hand' WHERE id = 3`
        yield* sql`UPDATE person SET body = 'New' WHERE id = 3`
        const { states, written } = yield* run(source)
        expect([states, written[0]?.stale, written[0]?.byPersons]).toEqual([["written"], [], 1])
        expect((yield* rowsOf("person_out"))[1]).toMatchObject({ title: "by hand", body: "de: New" })
        expect(sent().slice(4)).toEqual(["New"])
        expect((yield* run(source, ["de"], { refresh: true })).states).toEqual(["written"])
        expect((yield* rowsOf("person_out"))[1]).toMatchObject({ title: "by hand", body: "de: New" })
        yield* run(TableSource.make(ofTable("person", { existing: "overwrite" })))
        expect((yield* rowsOf("person_out"))[1]).toMatchObject({ title: "de: Mug 1" })
      }).pipe(provide)
    })

    test("are told as stale in each run where a person's column is older than its source, until the person changes it", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("stale", 3)
        const source = TableSource.make(ofTable("stale"))
        yield* run(source)
        yield* sql`UPDATE stale_out SET title = 'by hand' WHERE id = 3`
        yield* run(source)
        yield* sql`UPDATE stale SET title = 'Big mug', body = 'New' WHERE id = 3`
        yield* sql`UPDATE stale SET title = NULL WHERE id = 6`
        const told = { key: "3/Ä-1.title", text: "Big mug", translation: "by hand" }
        for (const state of ["written", "unchanged"]) {
          const { states, written } = yield* run(source)
          expect([states, written[0]?.stale]).toEqual([[state], [told]])
        }
        expect((yield* rowsOf("stale_out")).slice(1)).toMatchObject([
          { title: "by hand", body: "de: New" },
          { title: null, body: "de: Body 2" }
        ])
        expect(sent().slice(6)).toEqual(["New"])
        yield* sql`UPDATE stale_out SET title = 'by hand again' WHERE id = 3`
        expect((yield* run(source)).written[0]?.stale).toEqual([])
        yield* sql`UPDATE stale SET title = NULL WHERE id = 3`
        expect((yield* run(source)).written[0]?.stale).toEqual([
          { key: "3/Ä-1.title", text: "", translation: "by hand again" }
        ])
        expect((yield* rowsOf("stale_out"))[1]).toMatchObject({ title: "by hand again" })
      }).pipe(provide)
    })

    test("get the facts of their columns if they were written before these were kept, and nothing is sent for that", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("before", 2)
        const source = TableSource.make(ofTable("before"))
        yield* run(source)
        // As the release before wrote them.
        yield* sql`UPDATE before_out SET source_hash = '06409adf859287ce9ed019cb7cfed99c' WHERE id = 0`
        yield* sql`UPDATE before_out SET source_hash = 'ce4db8b356ee78b68cd5376b9ba0a43a' WHERE id = 3`
        expect((yield* run(source)).states).toEqual(["written"])
        expect((yield* run(source)).states).toEqual(["unchanged"])
        yield* sql`UPDATE before_out SET title = 'by hand' WHERE id = 3`
        yield* sql`UPDATE before SET body = 'New' WHERE id = 3`
        yield* run(source)
        expect((yield* rowsOf("before_out"))[1]).toMatchObject({ title: "by hand", body: "de: New" })
        expect(sent().slice(4)).toEqual(["New"])
      }).pipe(provide)
    })

    test("leave a translation of which nothing is known: a person has put it there", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("known", 2)
        const source = TableSource.make(ofTable("known"))
        yield* run(source)
        yield* sql`UPDATE known_out SET source_hash = NULL, title = 'by hand', body = NULL WHERE id = 3`
        yield* run(source)
        expect((yield* rowsOf("known_out"))[1]).toMatchObject({ title: "by hand", body: "de: Body 1" })
        expect(sent().slice(4)).toEqual(["Body 1"])
      }).pipe(provide)
    })

    test("are forecast without a table for them, which is not made", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("forecast", 10)
        const { texts } = yield* TranslationJob.forecast({
          sources: [TableSource.make(ofTable("forecast"))],
          targets
        })
        expect(texts).toBe(40)
        expect(yield* Effect.isSuccess(sql`SELECT 1 FROM forecast_out`)).toBe(false)
      }).pipe(withService()))

    test("are not forecast with a column that the query lacks, by an error that names those that it has", () =>
      Effect.gen(function* () {
        yield* makeArticles("lacking", 1)
        const source = TableSource.make(ofTable("lacking", { columns: ["title", "nope"] }))
        const error = yield* Effect.flip(TranslationJob.forecast({ sources: [source], targets }))
        expect(error).toMatchObject({
          _tag: "TableUnusable",
          reason: 'it has no column "nope", but "id", "code", "title", "body"'
        })
      }).pipe(withService()))

    test("are refused before anything is sent if the query or the key is wrong, or a column is no text", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("wrong", 5)
        yield* sql`UPDATE wrong SET title = 'same' WHERE id > 0`
        const refused = (options: Partial<TableSource.Options>) =>
          Effect.flip(TableSource.make(ofTable("wrong", options)).check!(targets.map((lang) => ({ lang }))))
        expect(yield* refused({ query: "SELEC 1" })).toMatchObject({
          _tag: "TableUnusable",
          table: "the query"
        })
        expect(yield* refused({ query: "SELECT 1; DROP TABLE wrong" })).toMatchObject({
          _tag: "TableUnusable"
        })
        const reason = expect.stringContaining('no column "nope"')
        expect(yield* refused({ columns: ["nope"] })).toMatchObject({ _tag: "TableUnusable", reason })
        expect(yield* refused({ key: ["id", "nope"] })).toMatchObject({ _tag: "TableUnusable", reason })
        expect(yield* refused({ output: "wrong" })).toMatchObject({ _tag: "TableUnusable", table: "wrong" })
        expect(yield* refused({ key: ["title"] })).toMatchObject({ problem: "key twice", column: "title" })
        yield* sql`UPDATE wrong SET title = NULL`
        expect(yield* refused({ key: ["code", "title"] })).toMatchObject({
          problem: "missing key",
          column: "title"
        })
        const numbers = yield* Effect.flip(
          run(TableSource.make(ofTable("wrong", { columns: ["id"], key: ["code"] })))
        )
        expect(numbers).toMatchObject({ _tag: "RowUnusable", problem: "not a text", column: "id" })
        expect(sent()).toEqual([])
      }).pipe(provide)
    })
  })
