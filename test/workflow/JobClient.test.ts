/** Control over HTTP is the same as control of the database. */
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Queue from "effect/Queue"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import * as JobClient from "../../src/workflow/JobClient.js"
import { JobControl } from "../../src/workflow/JobControl.js"
import {
  JobConflict,
  JobNotFound,
  JobStateError,
  JobsUnavailable,
  JobsVersionUnknown
} from "../../src/workflow/JobControlError.js"
import * as rawServer from "../support/rawServer.js"
import * as fakeControl from "./fakeControl.js"
import { key, serve } from "./jobServer.js"

const connected = (url: string, sent = key) =>
  JobClient.make({ url, key: Redacted.make(sent) }).pipe(Effect.provide(FetchHttpClient.layer))

const started = Effect.gen(function* () {
  const fake = fakeControl.make()
  const url = yield* serve(fake.control)
  return { fake, url, client: yield* connected(url) }
})

const job = fakeControl.job("docs", {
  options: { formality: "prefer_more" },
  revision: "1",
  budget: 1000,
  pricePerMillion: 20
})

const failures = ["a", "b"].map((key) => ({
  source: "app.json",
  targetLang: "de",
  key,
  line: 3,
  tag: "PlaceholderLost",
  message: "1 of 1 is missing.\nKeep it."
}))

/** Answers every request with these bytes. */
const answering = (answer: string) =>
  rawServer.make((socket) => {
    socket.end(answer)
  })

describe("control of jobs over HTTP", () => {
  it.scopedLive("refuses an invalid job before it is sent, without its values", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      const error = yield* Effect.flip(client.submit({ ...job, budget: "secret" as unknown as number }))
      expect(error).toMatchObject({ _tag: "InvalidJob", violations: [{ field: "budget" }] })
      expect(error.message).not.toContain("secret")
      expect(fake.jobs.size).toBe(0)
    })
  )

  it.scopedLive("does all that control does", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      const submitted = yield* client.submit(job)
      expect(submitted).toEqual(fakeControl.statusOf(job))
      fake.change("docs", {
        state: "waiting",
        waiting: { reason: "quota", until: fakeControl.at("2026-02-01T00:00:00Z") },
        startedAt: fakeControl.at("2026-01-02T03:04:06Z"),
        progress: { texts: 5, totalTexts: 10, outputs: 0, totalOutputs: 2 },
        cost: { least: 0.5, most: 1 }
      })
      expect(yield* client.status("docs")).toEqual(fake.jobs.get("docs"))
      expect(yield* client.list()).toEqual({
        jobs: [fake.jobs.get("docs")],
        counts: { all: 1, underWay: 1, ended: 0, withFailures: 0 }
      })
      fake.failures.set("docs", failures)
      expect(Chunk.toReadonlyArray(yield* Stream.runCollect(client.failures("docs")))).toEqual(failures)
      expect((yield* client.pause("docs")).state).toBe("paused")
      expect((yield* client.resume("docs")).state).toBe("running")
      expect((yield* client.cancel("docs")).state).toBe("cancelled")
      expect(yield* client.purge({ id: "docs", olderThan: "1 hour" })).toBe(1)
      expect(yield* client.purge()).toBe(0)
      expect(yield* client.workers).toEqual([])
      expect(fake.calls.slice(-3)).toEqual([
        'purge docs {"_id":"Duration","_tag":"Millis","millis":3600000}',
        "purge all",
        "workers"
      ])
    })
  )

  it.scopedLive("fails as control does", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      yield* client.submit(job)
      for (const error of [
        new JobNotFound({ id: "docs" }),
        new JobConflict({ id: "docs" }),
        new JobStateError({ id: "docs", state: "done", message: "It is done." }),
        new JobsUnavailable({ code: "ECONNREFUSED" }),
        new JobsVersionUnknown({ version: 2, supported: 1 })
      ]) {
        fake.broken = error
        const failed = yield* Effect.flip(client.pause("docs"))
        expect(failed).toEqual(error)
        expect(failed.message).toBe(error.message)
      }
    })
  )

  it.scopedLive("passes on the error that ends a list of failures early", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      yield* client.submit(job)
      fake.failures.set("docs", failures)
      fake.brokenAmid = new JobsUnavailable({ code: "ECONNRESET" })
      expect(yield* Effect.flip(Stream.runDrain(client.failures("docs")))).toEqual(fake.brokenAmid)
      expect(yield* Effect.flip(Stream.runDrain(client.failures("none")))).toEqual(
        new JobNotFound({ id: "none" })
      )
    })
  )

  it.scopedLive("watches a job until it has ended", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      yield* client.submit(job)
      const states: Array<string> = []
      const next: Readonly<Record<string, string>> = { submitted: "running", running: "done" }
      yield* Stream.runForEach(client.watch("docs", { interval: "5 millis" }), ({ state }) =>
        Effect.sync(() => {
          states.push(state)
          if (next[state] !== undefined) fake.change("docs", { state: next[state] as "running" })
        })
      )
      expect(states).toEqual(["submitted", "running", "done"])
    })
  )

  it.scopedLive("emits a state once as long as it does not change", () =>
    Effect.gen(function* () {
      const fake = fakeControl.make()
      const looked = yield* Queue.unbounded<string>()
      const status: typeof fake.control.status = (id) =>
        Effect.zipLeft(fake.control.status(id), Queue.offer(looked, id))
      const client = yield* connected(yield* serve({ ...fake.control, status }))
      yield* client.submit(job)
      const seen: Array<string> = []
      const watching = yield* Effect.fork(
        Stream.runForEach(client.watch("docs", { interval: "1 millis" }), ({ state }) =>
          Effect.sync(() => void seen.push(state))
        )
      )
      yield* Effect.repeatN(Queue.take(looked), 19)
      fake.change("docs", { state: "done" })
      yield* Fiber.join(watching)
      expect(seen).toEqual(["submitted", "done"])
    })
  )

  it.scopedLive("tells that the key was refused", () =>
    Effect.gen(function* () {
      const { url } = yield* started
      const other = yield* connected(url, "another key of the same length")
      const error = yield* Effect.flip(other.list())
      expect(error).toMatchObject({ _tag: "JobServerError", reason: "KeyRefused" })
      expect(error.message).not.toContain("another")
    })
  )

  it.scopedLive("tells that the server can't be reached", () =>
    Effect.gen(function* () {
      const client = yield* connected("http://127.0.0.1:1")
      const error = yield* Effect.flip(client.status("docs"))
      expect(error).toMatchObject({ _tag: "JobServerError", reason: "Unreachable" })
    })
  )

  it.scopedLive("tells that a proxy can't reach the server", () =>
    Effect.gen(function* () {
      const { url } = yield* answering("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n")
      const client = yield* connected(url)
      const error = yield* Effect.flip(client.list())
      expect(error).toMatchObject({ _tag: "JobServerError", reason: "Unreachable" })
    })
  )

  it.scopedLive("reports a refusal of the server before it reads the body", () =>
    Effect.gen(function* () {
      const fake = fakeControl.make()
      const client = yield* connected(yield* serve(fake.control, { maxBodyBytes: 100 }))
      const error = yield* Effect.flip(client.submit({ ...job, revision: "x".repeat(100) }))
      expect(error).toMatchObject({
        _tag: "JobServerError",
        reason: "RequestRefused",
        message: "The body holds more than 100 bytes, which is the limit: send less."
      })
    })
  )

  it.scopedLive("reports that the answer is not that of a server of jobs", () =>
    Effect.gen(function* () {
      for (const answer of [
        "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 6\r\n\r\n<html>",
        "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
        "HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"
      ]) {
        const { url } = yield* answering(answer)
        const client = yield* connected(url)
        const error = yield* Effect.flip(client.list())
        expect([answer, error]).toMatchObject([answer, { _tag: "JobServerError", reason: "UnknownAnswer" }])
      }
    })
  )

  it.scopedLive("does not take a list of failures for whole that was cut", () =>
    Effect.gen(function* () {
      const status = JSON.stringify({
        id: "docs",
        generation: 1,
        job: { id: "docs", corpus: { kind: "files", reference: {} }, targets: ["de"] },
        state: "done",
        submittedAt: "2026-01-02T03:04:05.000Z",
        progress: { texts: 0, outputs: 0 },
        targets: [],
        characters: { least: 0, most: 0 }
      })
      const line = `${JSON.stringify(failures[0])}\n`
      const { url } = yield* rawServer.make((socket, request) => {
        const body = request % 2 === 0 ? status : line
        socket.end(`HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
      })
      const client = yield* connected(url)
      const error = yield* Effect.flip(Stream.runDrain(client.failures("docs")))
      expect(error).toMatchObject({ _tag: "JobServerError", reason: "Unreachable" })
    })
  )

  it.scopedLive("asks no server of an id that no job can have", () =>
    Effect.gen(function* () {
      const { client, fake } = yield* started
      for (const id of ["../workers", "", "a/b", "?", "ä"]) {
        expect(yield* Effect.flip(client.cancel(id))).toEqual(new JobNotFound({ id }))
        expect(yield* Effect.flip(Stream.runDrain(client.failures(id)))).toEqual(new JobNotFound({ id }))
      }
      expect(fake.calls).toEqual([])
    })
  )

  it.scopedLive("is found below a path, and by the settings of the environment", () =>
    Effect.gen(function* () {
      const { fake, url } = yield* started
      fake.jobs.set("docs", fakeControl.statusOf(job))
      const settings = ConfigProvider.fromMap(
        new Map([
          ["EFFECT_TRANSLATE_JOBS_URL", `${url}/`],
          ["EFFECT_TRANSLATE_JOBS_KEY", key]
        ])
      )
      const { jobs } = yield* Effect.flatMap(JobControl, ({ list }) => list()).pipe(
        Effect.provide(Layer.provide(JobClient.layerConfig(), NodeHttpClient.layerUndici)),
        Effect.withConfigProvider(settings)
      )
      expect(jobs.map(({ id }) => id)).toEqual(["docs"])
    })
  )
})
