/** What holds for tables of all databases. */
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { TranslationJob } from "effect-translate/jobs"
import { type Corpus, TableCorpus } from "effect-translate/workflow"
import { run } from "../job/fileSources.js"
import { billed, withService } from "../job/jobs.js"
import { marking } from "../job/support.js"
import { badRequest, unauthorized } from "../stream/support.js"
import type { Database } from "../support/databases.js"
import { sharedLayer } from "../support/sharedLayer.js"
import * as phases from "./phases.js"

/** A table of so many rows. Some titles are blank, missing, or equal to others. */
const makeArticles = (table: string, count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE ${sql(table)} (id BIGINT PRIMARY KEY, code TEXT NOT NULL, title TEXT, body TEXT)`
    const rows = Array.from({ length: count }, (_, index) => ({
      id: index * 3,
      code: `${index % 2 === 0 ? "Ä" : "a"}-${index}`,
      title: index % 10 === 4 ? null : index % 10 === 5 ? " " : `Mug ${index % 40}`,
      body: `Body ${index}`
    }))
    for (let at = 0; at < count; at += 200) {
      yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows.slice(at, at + 200))}`
    }
  })

const open = (options: TableCorpus.Options) =>
  Effect.flatMap(TableCorpus.reference(options), ({ reference }) =>
    TableCorpus.kind.open(JSON.parse(JSON.stringify(reference)))
  )

/** The only source of a corpus, whose output is made and checked. */
const prepared = (options: TableCorpus.Options) =>
  Effect.gen(function* () {
    yield* TableCorpus.makeOutput(options, targets)
    const { sources } = yield* open(options)
    return sources[0]!
  })

/** Both phases of a source without a store: its slices, then all of it. */
const runAll = <E extends { readonly _tag: string }, R>(
  { slice, slices, source }: Corpus.Source<E, R>,
  into: ReadonlyArray<string> = ["de"]
) =>
  Effect.gen(function* () {
    yield* source.check!(targets.map((lang) => ({ lang })))
    const found = yield* Stream.runCollect(slices!(() => 100))
    yield* Effect.forEach(found, ({ reference }) => run(slice!(reference), into))
    return yield* run(source, into)
  })

const rowsOf = (table: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM ${sql(table)} ORDER BY code, lang`)

const targets = ["de", "pt-BR"]

export const suite = ({ layer, name }: Database) => {
  describe(`tables of ${name}`, () => {
    const test = sharedLayer(Layer.orDie(layer))

    test("are written and billed as by a TranslationJob, and their slices leave nothing to bill", () =>
      Effect.gen(function* () {
        yield* makeArticles("articles", 600)
        const options = (output: string, rangeRows: number): TableCorpus.Options => ({
          table: "articles",
          key: ["id", "code"],
          columns: ["title", "body"],
          output: { table: output },
          rangeRows
        })
        yield* TableCorpus.makeOutput(options("whole", 1), targets)
        yield* TableCorpus.makeOutput(options("cut", 1), targets)
        const one = yield* marking().provide(open(options("whole", 10_000)))
        expect(one.sources.map(({ source }) => source.name)).toEqual(["articles"])
        const undisturbed = yield* TranslationJob.run({
          sources: one.sources.map(({ source }) => source),
          targets
        }).pipe(Effect.zipRight(billed), withService())
        const result = yield* open(options("cut", 180)).pipe(
          Effect.flatMap((corpus) => phases.run(corpus, targets, 50)),
          withService()
        )
        expect(yield* rowsOf("cut")).toEqual(yield* rowsOf("whole"))
        expect(yield* rowsOf("cut")).toHaveLength(1200)
        expect([result.all, result.filled]).toEqual([undisturbed, undisturbed])
        expect(result.reports.map(({ end }) => end.state)).toEqual(Array(4).fill("complete"))
        expect([result.planned, result.looked]).toEqual([1200, 1200])
        expect(result.slices).toBeGreaterThanOrEqual(1080 / 50)
      }))

    test("are written into columns of languages, and the same again changes nothing", () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("shop", 450)
        const options: TableCorpus.Options = {
          table: "shop",
          key: ["code"],
          columns: ["title", "body"],
          where: "id >= 30 -- a comment",
          output: { columns: "{column}_{lang}" },
          rangeRows: 100
        }
        yield* TableCorpus.makeOutput(options, targets)
        yield* TableCorpus.makeOutput(options, targets)
        const { sources } = yield* open(options)
        expect(sources).toHaveLength(5)
        const all = sql`SELECT * FROM shop ORDER BY id`
        yield* Effect.forEach(sources, ({ source }) => run(source, targets))
        const first = yield* all
        expect(first[9]).toMatchObject({ title_de: null, body_de: null })
        expect(first[14]).toMatchObject({
          title_de: null,
          body_de: "de: Body 14",
          body_pt_br: "pt-BR: Body 14"
        })
        expect(first[15]).toMatchObject({ title_de: " " })
        expect(first[16]).toMatchObject({ title_pt_br: "pt-BR: Mug 16" })
        yield* Effect.forEach(sources, ({ source }) => run(source, targets))
        expect(yield* all).toEqual(first)
      }).pipe(provide)
    })

    test("are the same after a job that has ended in the middle", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("stopped", 900)
        const options: TableCorpus.Options = {
          table: "stopped",
          key: ["id"],
          columns: ["title", "body"],
          output: { table: "stopped_out" }
        }
        yield* TableCorpus.makeOutput(options, targets)
        let sent = 0
        const stopping = marking(() => (++sent > 700 ? unauthorized : undefined))
        const { provide } = marking()
        const { sources } = yield* provide(open(options))
        const all = sql`SELECT * FROM stopped_out ORDER BY id, lang`
        const { states } = yield* stopping.provide(run(sources[0]!.source, ["de"]))
        expect(states).toEqual(["Unauthorized"])
        const half = yield* all
        expect(half.length).toBeGreaterThan(200)
        expect(half.length).toBeLessThan(900)
        yield* provide(run(sources[0]!.source, ["de"]))
        const whole = yield* all
        expect(whole).toHaveLength(900)
        yield* sql`DELETE FROM stopped_out`
        yield* provide(run(sources[0]!.source, ["de"]))
        expect(yield* all).toEqual(whole)
      }))

    test("keep the output's translation of a text that failed", () => {
      const bad = marking((texts) => (texts.includes("Mug 2") ? badRequest : undefined))
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("kept", 3)
        const options: TableCorpus.Options = {
          table: "kept",
          key: ["id"],
          columns: ["title", "body"],
          output: { table: "kept_out", lang: "language" }
        }
        const { source } = yield* prepared(options)
        yield* sql`UPDATE kept SET title = 'Cup', body = 'Old' WHERE id = 6`
        yield* run(source)
        yield* sql`UPDATE kept SET title = 'Mug 2', body = 'Body 2' WHERE id = 6`
        const { seen } = yield* run(source)
        expect(seen.flatMap(({ failures }) => failures.map(({ key }) => key))).toEqual(["6.title"])
        const rows = sql`SELECT title, body FROM kept_out WHERE id = 6`
        expect(yield* rows).toEqual([{ title: "de: Cup", body: "de: Body 2" }])
        yield* marking().provide(run(source))
        expect(yield* rows).toEqual([{ title: "de: Mug 2", body: "de: Body 2" }])
      }).pipe(bad.provide)
    })

    test("keep a column that a person has changed, and tell it as stale once its own source column changes", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("person", 3)
        const source = yield* prepared({
          table: "person",
          key: ["id"],
          columns: ["title", "body"],
          output: { table: "person_out" }
        })
        const rows = sql`SELECT title, body FROM person_out ORDER BY id`
        yield* runAll(source)
        expect(sent()).toHaveLength(12)
        yield* sql`UPDATE person_out SET title = 'by hand' WHERE id = 3`
        yield* sql`UPDATE person SET body = 'New' WHERE id = 3`
        const { written } = yield* runAll(source)
        expect([written[0]?.stale, written[0]?.byPersons]).toEqual([[], 1])
        expect((yield* rows)[1]).toEqual({ title: "by hand", body: "de: New" })
        yield* sql`UPDATE person SET title = 'Big mug' WHERE id = 3`
        for (let run = 0; run < 2; run++) {
          const again = yield* runAll(source)
          expect(again.written[0]?.stale).toEqual([
            { key: "3.title", text: "Big mug", translation: "by hand" }
          ])
        }
        expect((yield* rows)[1]).toEqual({ title: "by hand", body: "de: New" })
        expect(sent().slice(12)).toEqual(["New", "New"])
        const anew = yield* prepared({
          table: "person",
          key: ["id"],
          columns: ["title", "body"],
          output: { table: "person_out" },
          existing: "overwrite"
        })
        yield* runAll(anew)
        expect((yield* rows)[1]).toEqual({ title: "de: Big mug", body: "de: New" })
      }).pipe(provide)
    })

    test("keep it too where the translations are columns of the row itself", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("own", 3)
        const source = yield* prepared({
          table: "own",
          key: ["code"],
          columns: ["title", "body"],
          output: { columns: "{column}_{lang}" }
        })
        yield* runAll(source, ["de", "pt-BR"])
        yield* sql`UPDATE own SET title_pt_br = 'by hand', body = 'New' WHERE id = 3`
        const before = sent().length
        const { written } = yield* runAll(source, ["de", "pt-BR"])
        expect(written.map((one) => one?.byPersons)).toEqual([0, 1])
        const [row] = yield* sql`SELECT title_de, title_pt_br, body_de, body_pt_br FROM own WHERE id = 3`
        expect(row).toEqual({
          title_de: "de: Mug 1",
          title_pt_br: "by hand",
          body_de: "de: New",
          body_pt_br: "pt-BR: New"
        })
        expect(new Set(sent().slice(before))).toEqual(new Set(["New"]))
        yield* sql`UPDATE own SET title = NULL WHERE id = 3`
        const { written: told } = yield* runAll(source, ["de", "pt-BR"])
        expect(told.map((one) => one?.stale)).toEqual([
          [],
          [{ key: "a-1.title", text: "", translation: "by hand" }]
        ])
      }).pipe(provide)
    })

    test("that were made before there were hashes get them: another translation stays, and is told as stale", () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("before", 3)
        const options: TableCorpus.Options = {
          table: "before",
          key: ["id"],
          columns: ["title", "body"],
          output: { table: "before_out" }
        }
        yield* runAll(yield* prepared(options))
        yield* sql`UPDATE before_out SET title = 'by hand' WHERE id = 3`
        yield* sql`ALTER TABLE before_out DROP COLUMN source_hash`
        const source = yield* prepared(options)
        const { written } = yield* runAll(source)
        expect(written[0]).toMatchObject({
          byPersons: 1,
          stale: [{ key: "3.title", text: "Mug 1", translation: "by hand" }]
        })
        const after = yield* sql`SELECT * FROM before_out ORDER BY id`
        expect(after[1]).toMatchObject({ title: "by hand", body: "de: Body 1" })
        const sentBefore = sent().length
        yield* sql`UPDATE before SET body = 'New' WHERE id = 3`
        yield* runAll(source)
        expect(sent().slice(sentBefore)).toEqual(["New", "New"])
        yield* sql`INSERT INTO before_out ${sql.insert({ id: 100, lang: "de", title: "own", body: "own" })}`
        yield* sql`INSERT INTO before ${sql.insert({ id: 100, code: "x", title: "Mine", body: null })}`
        const { written: third } = yield* runAll(source)
        expect(third[0]?.byPersons).toBe(3)
      }).pipe(provide)
    })

    test("have slices that are read by keys, also of queries, with rows that came after", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("growing", 120)
        const options: TableCorpus.Options = {
          query: "SELECT code, body, id FROM growing WHERE id < 300 -- the rest is old",
          key: ["code"],
          columns: ["body"],
          output: { table: "growing_out" },
          rangeRows: 60
        }
        yield* TableCorpus.makeOutput(options, targets)
        const { sources } = yield* open(options)
        const cut = yield* Effect.forEach(sources, ({ slices }) => Stream.runCollect(slices!(() => 20)))
        const texts = cut.map((slices) => Chunk.toReadonlyArray(slices).map(({ texts }) => texts))
        expect(texts).toEqual([
          [20, 20, 20],
          [20, 20]
        ])
        yield* sql`INSERT INTO growing ${sql.insert({ id: 1, code: "zz", title: "New", body: "New" })}`
        const { provide, sent } = marking()
        yield* Effect.forEach(cut, (slices, index) =>
          Effect.forEach(slices, ({ reference }) =>
            run(sources[index]!.slice!(JSON.parse(JSON.stringify(reference))))
          )
        ).pipe(provide)
        expect([sent().length, new Set(sent()).size, sent().includes("New")]).toEqual([101, 101, true])
      }).pipe(marking().provide))

    test("have a revision that changes with their texts, and with nothing else", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("revised", 1100)
        const options: TableCorpus.Options = {
          table: "revised",
          key: ["id"],
          columns: ["title"],
          output: { columns: "{column}_{lang}" }
        }
        const first = yield* TableCorpus.revision(options)
        yield* sql`UPDATE revised SET body = 'other'`
        expect(yield* TableCorpus.revision(options)).toBe(first)
        yield* sql`UPDATE revised SET title = 'other' WHERE id = 3000`
        expect(yield* TableCorpus.revision(options)).not.toBe(first)
        expect(yield* TableCorpus.revision({ ...options, columns: ["body"] })).not.toBe(first)
      }))

    test("are refused if a key is missing or there twice, or a column is no text", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* makeArticles("bad", 5)
        const output = { table: "nowhere" }
        const missing = yield* Effect.flip(
          TableCorpus.reference({ table: "bad", key: ["title"], columns: ["body"], output })
        )
        expect(missing).toMatchObject({ _tag: "RowUnusable", column: "title", problem: "missing key" })
        yield* sql`UPDATE bad SET title = 'same'`
        let outputs = 0
        const readAll = (options: Partial<TableCorpus.Options>) =>
          Effect.flatMap(
            prepared({
              table: "bad",
              key: ["id"],
              columns: ["body"],
              output: { table: `bad_${outputs++}` },
              ...options
            }),
            ({ slice, slices }) =>
              Effect.flip(
                Stream.runForEach(
                  slices!(() => 1),
                  ({ reference }) => run(slice!(reference))
                )
              )
          )
        expect(yield* readAll({ key: ["title"] })).toMatchObject({ problem: "key twice", column: "title" })
        if (name !== "PostgreSQL") {
          const halves = "SELECT body, id + 0.5 AS id FROM bad"
          expect(yield* readAll({ query: halves, table: undefined })).toMatchObject({
            problem: "type of key"
          })
        }
        yield* sql`CREATE TABLE numbers (id TEXT PRIMARY KEY, body INTEGER)`
        yield* sql`INSERT INTO numbers ${sql.insert([
          { id: "a", body: 1 },
          { id: "b", body: 2 }
        ])}`
        expect(yield* readAll({ table: "numbers" })).toMatchObject({ problem: "not a text", column: "body" })
      }).pipe(marking().provide))

    test("that are missing are refused before anything is sent, without a text in the error", () =>
      Effect.gen(function* () {
        yield* makeArticles("alone", 5)
        const { sources } = yield* open({
          table: "alone",
          key: ["id"],
          columns: ["body"],
          output: { table: "nowhere" }
        })
        const error = yield* Effect.flip(sources[0]!.source.check!(targets.map((lang) => ({ lang }))))
        expect(error).toMatchObject({ _tag: "TableUnusable", table: "nowhere" })
        expect(error.message).toContain('a unique constraint on "id", "lang".')
        const gone = yield* Effect.flip(
          TableCorpus.reference({ table: "gone", key: ["id"], columns: ["body"], output: { table: "x" } })
        )
        expect(gone).toMatchObject({ _tag: "TableUnusable", table: "gone" })
      }).pipe(marking().provide))
  })
}
