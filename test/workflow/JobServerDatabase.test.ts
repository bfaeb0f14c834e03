/** A server of jobs over the tables of a libsql file, and the client of it. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import type * as CorpusJob from "../../src/workflow/CorpusJob.js"
import * as FileCorpus from "../../src/workflow/FileCorpus.js"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs, type Tallies } from "../../src/workflow/internal/tables/jobTables.js"
import * as JobClient from "../../src/workflow/JobClient.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import { isJobControlError } from "../../src/workflow/JobControlError.js"
import * as TableCorpus from "../../src/workflow/TableCorpus.js"
import { libsqlFile, newClient } from "../sql/stores.js"
import { sharedLayer } from "../support/sharedLayer.js"
import * as fakeControl from "./fakeControl.js"
import { key, serve } from "./jobServer.js"

const texts = { translated: 10, cached: 0, skipped: 0, failed: 0 }

describe("a server of the jobs of a database", () => {
  const test = sharedLayer(
    Layer.unwrapScoped(
      Effect.map(newClient(libsqlFile), (client) =>
        Layer.provideMerge(Layer.merge(JobControl.layer, jobsSql.layer), client)
      )
    )
  )
  const connected = Effect.gen(function* () {
    const control = yield* JobControl.JobControl
    const url = yield* serve(control)
    const client = yield* JobClient.make({ url, key: Redacted.make(key) }).pipe(
      Effect.provide(FetchHttpClient.layer)
    )
    return { control, client, jobs: yield* Jobs }
  })

  test("tells the facts of the database, and obeys", () =>
    Effect.gen(function* () {
      const { client, control, jobs } = yield* connected
      const job = fakeControl.job("docs", { pricePerMillion: 20, budget: 1000 })
      const submitted = yield* client.submit(job)
      expect(submitted).toEqual(yield* control.status("docs"))
      const ids = { id: "docs", generation: 1 }
      yield* jobs.start(ids, "an execution")
      yield* jobs.storePlan(ids, {
        steps: [
          { kind: "slice", sources: ["a"], slice: [0, 9], texts: 10 },
          { kind: "output", sources: ["a"], texts: 0 }
        ],
        texts: 10,
        sources: 1
      })
      const of = (tallies: Tallies) => ({ tallies, failedOutputs: 0, failures: [] })
      yield* jobs.recordResult(ids, 0, of({ de: texts, fr: texts }))
      yield* jobs.recordResult(ids, 1, {
        ...of({ de: { ...texts, translated: 9, failed: 1 }, fr: texts }),
        failures: [{ source: "a", targetLang: "de", key: "k", tag: "BadRequest", message: "It was refused." }]
      })
      expect((yield* client.status("docs")).state).toBe("running")
      expect(yield* client.list()).toEqual(yield* control.list())
      const failures = yield* Stream.runCollect(client.failures("docs"))
      expect(Chunk.toReadonlyArray(failures)).toEqual([
        { source: "a", targetLang: "de", key: "k", tag: "BadRequest", message: "It was refused." }
      ])
      expect((yield* client.pause("docs")).state).toBe("paused")
      expect((yield* client.resume("docs")).state).toBe("running")
      expect((yield* client.cancel("docs")).state).toBe("cancelling")
      expect(yield* Effect.flip(client.purge({ id: "docs" }))).toMatchObject({ _tag: "JobStateError" })
      yield* jobs.end(ids, "cancelled")
      expect((yield* client.submit(job)).generation).toBe(2)
      yield* client.cancel("docs")
      expect(yield* client.purge({ id: "docs" })).toBe(2)
      expect(yield* Effect.flip(client.status("docs"))).toMatchObject({ _tag: "JobNotFound" })
      expect(yield* client.workers).toEqual([])
    }))

  test("refuses jobs that the workers may not translate when they are submitted, with reason and advice", () =>
    Effect.gen(function* () {
      const kinds = [
        FileCorpus.makeKind({ folders: ["/srv/texts"] }),
        TableCorpus.makeKind({ allow: ["shop.articles"] })
      ]
      const sql = yield* SqlClient.SqlClient
      const context = yield* Layer.build(
        Layer.provide(JobControl.layerFor(kinds), Layer.succeed(SqlClient.SqlClient, sql))
      )
      const control = Context.get(context, JobControl.JobControl)
      const url = yield* serve(control)
      const client = yield* JobClient.make({ url, key: Redacted.make(key) }).pipe(
        Effect.provide(FetchHttpClient.layer)
      )
      const put = (id: string, corpus: CorpusJob.Reference) =>
        Effect.promise(async () => {
          const response = await fetch(`${url}/v1/jobs/${id}`, {
            method: "PUT",
            headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
            body: JSON.stringify({ corpus, targets: ["de"] })
          })
          return [response.status, await response.json()] as const
        })
      const files = (path: string, output = "/srv/texts/{lang}.csv") => ({
        kind: "files",
        reference: { files: [{ path, output }] }
      })
      const rows = (table: string, more: object = {}) => ({
        kind: "table",
        reference: { table, key: ["id"], columns: ["title"], output: { columns: "title_{lang}" }, ...more }
      })
      const cases: ReadonlyArray<readonly [CorpusJob.Reference, string]> = [
        [
          files("/etc/passwd"),
          'the workers may not use "/etc/passwd", which is in none of their folders (/srv/texts): name files in one, or start the workers with other folders.'
        ],
        [files("/srv/texts/a.csv", "/root/{lang}.csv"), 'the workers may not use "/root/{lang}.csv"'],
        [files("/srv/texts/../b.csv"), 'the workers may not use "/srv/texts/../b.csv"'],
        [
          rows("pg_shadow"),
          "the workers may not use the table pg_shadow, but shop.articles only: name one of these, or start the workers with other tables."
        ],
        [rows("shop.articles", { where: "1 = 1" }), "without query and where"],
        [{ kind: "mine", reference: {} }, "name one of files, table, or start workers that know it."]
      ]
      for (const [corpus, message] of cases) {
        const refusal = {
          _tag: "InvalidReference",
          kind: corpus.kind,
          message: expect.stringContaining(message)
        }
        expect(yield* put("outside", corpus)).toEqual([422, refusal])
        const error = yield* Effect.flip(client.submit(fakeControl.job("outside", { corpus })))
        expect(error).toMatchObject(refusal)
        expect(isJobControlError(error)).toBe(true)
      }
      expect(yield* Effect.flip(client.status("outside"))).toMatchObject({ _tag: "JobNotFound" })
      expect((yield* put("inside", files("/srv/texts/a.csv")))[0]).toBe(200)
      expect((yield* put("rows", rows("shop.articles")))[0]).toBe(200)
      yield* control.cancel("inside")
      yield* control.cancel("rows")
      yield* control.purge()
    }))

  test("lists jobs in the order of the database", () =>
    Effect.gen(function* () {
      const { client, control } = yield* connected
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => fakeControl.job(`job-${index}`)),
        control.submit
      )
      const { jobs: listed } = yield* client.list()
      expect(listed).toHaveLength(100)
      expect(listed).toEqual((yield* control.list()).jobs)
    }))
})
