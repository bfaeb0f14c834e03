/** A server of jobs over the tables of a libsql file, and the client of it. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import { describe, expect } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as jobsSql from "../../src/workflow/internal/tables/jobsSql.js"
import { Jobs } from "../../src/workflow/internal/tables/jobTables.js"
import * as JobClient from "../../src/workflow/JobClient.js"
import * as JobControl from "../../src/workflow/JobControl.js"
import { libsqlFile, newClient } from "../sql/stores.js"
import { sharedLayer } from "../support/sharedLayer.js"
import * as fakeControl from "./fakeControl.js"
import { key, serve } from "./jobServer.js"

const texts = { translated: 10, cached: 0, skipped: 0, failed: 0 }

describe("a server of the jobs of a database", () => {
  const test = sharedLayer(
    Layer.unwrapScoped(
      Effect.map(newClient(libsqlFile), (client) =>
        Layer.provide(Layer.merge(JobControl.layer, jobsSql.layer), client)
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

  test("tells what the database does, and does what it is told", () =>
    Effect.gen(function* () {
      const { client, control, jobs } = yield* connected
      const job = fakeControl.job("docs", { pricePerMillion: 20, budget: 1000 })
      const submitted = yield* client.submit(job)
      expect(submitted).toEqual(yield* control.status("docs"))
      const ids = { id: "docs", generation: 1 }
      yield* jobs.started(ids, "an execution")
      yield* jobs.addShard(ids, {
        number: 0,
        execution: "another",
        steps: [{ source: "a", slice: [0, 9], texts: 10 }, { source: "a" }]
      })
      yield* jobs.planned(ids, { texts: 10, sources: 1 })
      yield* jobs.record(
        ids,
        { shard: 0, step: 0, source: "a", isWhole: false },
        { de: texts, fr: texts },
        []
      )
      yield* jobs.record(
        ids,
        { shard: 0, step: 1, source: "a", isWhole: true },
        { de: { ...texts, translated: 9, failed: 1 }, fr: texts },
        [{ source: "a", targetLang: "de", key: "k", tag: "BadRequest", message: "It was refused." }]
      )
      expect((yield* client.status("docs")).state).toBe("running")
      expect(yield* client.list).toEqual(yield* control.list)
      const failures = yield* Stream.runCollect(client.failures("docs"))
      expect(Chunk.toReadonlyArray(failures)).toEqual([
        { source: "a", targetLang: "de", key: "k", tag: "BadRequest", message: "It was refused." }
      ])
      expect((yield* client.pause("docs")).state).toBe("paused")
      expect((yield* client.resume("docs")).state).toBe("running")
      expect((yield* client.cancel("docs")).state).toBe("cancelling")
      expect(yield* Effect.flip(client.purge({ id: "docs" }))).toMatchObject({ _tag: "JobStateError" })
      yield* jobs.ended(ids, "cancelled")
      expect((yield* client.submit(job)).generation).toBe(2)
      yield* client.cancel("docs")
      expect(yield* client.purge({ id: "docs" })).toBe(2)
      expect(yield* Effect.flip(client.status("docs"))).toMatchObject({ _tag: "JobNotFound" })
      expect(yield* client.workers).toEqual([])
    }))

  test("lists jobs in the order of the database", () =>
    Effect.gen(function* () {
      const { client, control } = yield* connected
      yield* Effect.forEach(
        Array.from({ length: 100 }, (_, index) => fakeControl.job(`job-${index}`)),
        control.submit
      )
      const listed = yield* client.list
      expect(listed).toHaveLength(100)
      expect(listed).toEqual(yield* control.list)
    }))
})
