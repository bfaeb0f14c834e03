/** The wire of a server of jobs. Expectations are written by hand, as other programs see it. */
import * as Http from "node:http"
import { describe, expect, it } from "@effect/vitest"
import { Validator } from "@seriousme/openapi-schema-validator"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { JobsUnavailable } from "../../src/workflow/JobControlError.js"
import * as JobServer from "../../src/workflow/JobServer.js"
import * as fakeControl from "./fakeControl.js"
import { key, serve } from "./jobServer.js"

interface Call {
  readonly method?: string
  readonly key?: string | undefined
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const started = (options: Partial<JobServer.Options> = {}) =>
  Effect.gen(function* () {
    const fake = fakeControl.make()
    const url = yield* serve(fake.control, options)
    const call = (path: string, { body, headers, key: sent = key, method = "GET" }: Call = {}) =>
      Effect.promise(async () => {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: {
            ...(sent === "" ? {} : { authorization: `Bearer ${sent}` }),
            ...(body === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
        })
        const text = await response.text()
        return {
          status: response.status,
          headers: response.headers,
          text,
          json: () => JSON.parse(text)
        }
      })
    return { fake, url, call }
  })

const submission = { corpus: { kind: "files", reference: { folder: "/data" } }, targets: ["de", "fr"] }

const submitted = {
  id: "docs",
  generation: 1,
  job: { id: "docs", ...submission },
  state: "submitted",
  submittedAt: "2026-01-02T03:04:05.000Z",
  progress: { texts: 0, outputs: 0 },
  targets: [
    { targetLang: "de", translated: 0, cached: 0, skipped: 0, failed: 0 },
    { targetLang: "fr", translated: 0, cached: 0, skipped: 0, failed: 0 }
  ],
  characters: { least: 0, most: 0 }
}

const unavailable = (code: string) => ({
  _tag: "JobsUnavailable",
  code,
  message: `The database of the jobs can't be used (${code}): start it, or correct its address, and try again.`
})

describe("a server of jobs", () => {
  it.scopedLive("takes a job, and takes it again", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      const first = yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      expect(first.status).toBe(200)
      expect(first.json()).toEqual(submitted)
      const second = yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      expect(second.json()).toEqual(submitted)
    })
  )

  it.scopedLive("refuses another job of the same id", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      const other = yield* call("/v1/jobs/docs", { method: "PUT", body: { ...submission, targets: ["ja"] } })
      expect(other.status).toBe(409)
      expect(other.json()).toEqual({
        _tag: "JobConflict",
        id: "docs",
        message:
          'The job "docs" has not ended, and says something else: wait for its end, cancel it, or choose another id.'
      })
    })
  )

  it.scopedLive("tells the state of a job and lists all, the newest first", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      yield* call("/v1/jobs/web", { method: "PUT", body: submission })
      expect((yield* call("/v1/jobs/docs")).json()).toEqual(submitted)
      const list = yield* call("/v1/jobs")
      expect(list.json().jobs.map(({ id }: { readonly id: string }) => id)).toEqual(["web", "docs"])
      expect(list.json().jobs[1]).toEqual(submitted)
    })
  )

  it.scopedLive("lists jobs by state, id and failures, page by page", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      for (const id of ["docs-1", "docs-2", "docs-3", "web"]) {
        yield* call(`/v1/jobs/${id}`, { method: "PUT", body: submission })
      }
      fake.change("docs-2", { state: "failed" })
      fake.change("web", { state: "running" })
      const list = (query: string) =>
        Effect.map(call(`/v1/jobs?${query}`), ({ json }) => {
          const { jobs, ...rest } = json()
          return [jobs.map(({ id }: { readonly id: string }) => id), rest]
        })
      const counts = { all: 3, underWay: 2, ended: 1, withFailures: 1 }
      expect(yield* list("prefix=docs-")).toEqual([["docs-3", "docs-2", "docs-1"], { counts }])
      expect(yield* list("prefix=docs-&state=submitted&limit=1")).toEqual([
        ["docs-3"],
        { counts, next: expect.any(String) }
      ])
      const all = { all: 4, underWay: 3, ended: 1, withFailures: 1 }
      expect(yield* list("state=running&state=failed")).toEqual([["web", "docs-2"], { counts: all }])
      expect(yield* list("hasFailures=true")).toEqual([["docs-2"], { counts: all }])
      for (const query of ["state=lost", "limit=0", "limit=1001", "limit=x", "cursor=x", "hasFailures=yes"]) {
        expect([query, (yield* call(`/v1/jobs?${query}`)).status]).toEqual([query, 400])
      }
    })
  )

  it.scopedLive("answers 304 to a list that is known, until it changes", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      const etag = (yield* call("/v1/jobs")).headers.get("etag")!
      const headers = { "if-none-match": etag }
      const same = yield* call("/v1/jobs", { headers })
      expect([same.status, same.text]).toEqual([304, ""])
      fake.change("docs", { state: "running" })
      expect((yield* call("/v1/jobs", { headers })).status).toBe(200)
    })
  )

  it.scopedLive("pauses, resumes, cancels and purges", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      const tell = (what: string) => call(`/v1/jobs/docs/${what}`, { method: "POST" })
      expect((yield* tell("pause")).json().state).toBe("paused")
      expect((yield* tell("resume")).json().state).toBe("running")
      expect((yield* tell("cancel")).json().state).toBe("cancelled")
      const refused = yield* tell("pause")
      expect(refused.status).toBe(409)
      expect(refused.json()).toEqual({
        _tag: "JobStateError",
        id: "docs",
        state: "cancelled",
        message: "The job has ended."
      })
      const purged = yield* call("/v1/jobs/docs", { method: "DELETE" })
      expect([purged.status, purged.json()]).toEqual([200, { generations: 1 }])
      expect(fake.jobs.size).toBe(0)
    })
  )

  it.scopedLive("purges all jobs that have ended long ago, but not without being told how long", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      fake.change("docs", { state: "done" })
      expect((yield* call("/v1/jobs", { method: "DELETE" })).status).toBe(400)
      const purged = yield* call("/v1/jobs?olderThan=3600", { method: "DELETE" })
      expect(purged.json()).toEqual({ generations: 1 })
      expect(fake.calls.at(-1)).toBe('purge all {"_id":"Duration","_tag":"Millis","millis":3600000}')
    })
  )

  it.scopedLive("tells that there is no such job", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      const none = {
        _tag: "JobNotFound",
        id: "none",
        message: 'There is no job "none": list the jobs to see which there are.'
      }
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/failures"],
        ["POST", "/pause"],
        ["POST", "/resume"],
        ["POST", "/cancel"],
        ["DELETE", ""]
      ] as const) {
        const answer = yield* call(`/v1/jobs/none${path}`, { method })
        expect([path, answer.status, answer.json()]).toEqual([path, 404, none])
      }
    })
  )

  it.scopedLive("lists failures as lines, the last of which tells that they are whole", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      yield* call("/v1/jobs/docs", { method: "PUT", body: submission })
      const failures = ["a", "b", "c"].map((key) => ({
        source: "app.json",
        targetLang: "de",
        key,
        tag: "PlaceholderLost",
        message: "1 of 1 is missing."
      }))
      fake.failures.set("docs", failures)
      const lines = ({ text }: { readonly text: string }) =>
        text
          .trimEnd()
          .split("\n")
          .map((line) => JSON.parse(line))
      const all = yield* call("/v1/jobs/docs/failures")
      expect(all.headers.get("content-type")).toBe("application/x-ndjson")
      expect(lines(all)).toEqual([...failures, { _tag: "End", isWhole: true }])
      expect(lines(yield* call("/v1/jobs/docs/failures?limit=3"))).toEqual([
        ...failures,
        { _tag: "End", isWhole: true }
      ])
      expect(lines(yield* call("/v1/jobs/docs/failures?limit=2"))).toEqual([
        ...failures.slice(0, 2),
        { _tag: "End", isWhole: false }
      ])
      fake.brokenAmid = new JobsUnavailable({ code: "ECONNRESET" })
      expect(lines(yield* call("/v1/jobs/docs/failures")).at(-1)).toEqual({
        _tag: "End",
        isWhole: false,
        error: unavailable("ECONNRESET")
      })
    })
  )

  it.scopedLive("lists workers", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      fake.workers.push({
        address: "10.0.0.1:4000",
        version: "0.1.0",
        startedAt: fakeControl.at("2026-01-02T03:04:05Z"),
        seenAt: fakeControl.at("2026-01-02T03:05:05Z"),
        inFlight: 3,
        state: "running"
      })
      expect((yield* call("/v1/workers")).json()).toEqual([
        {
          address: "10.0.0.1:4000",
          version: "0.1.0",
          startedAt: "2026-01-02T03:04:05.000Z",
          seenAt: "2026-01-02T03:05:05.000Z",
          inFlight: 3,
          state: "running"
        }
      ])
    })
  )

  it.scopedLive("tells nothing, and asks nothing, without the right key", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      for (const wrong of ["", "x", `${key}x`, key.slice(1), key.toUpperCase()]) {
        for (const [method, path, body] of [
          ["GET", "/v1/jobs", undefined],
          ["GET", "/v1/workers", undefined],
          ["GET", "/v1/jobs/docs", undefined],
          ["GET", "/v1/jobs/docs/failures", undefined],
          ["PUT", "/v1/jobs/docs", submission],
          ["PUT", "/v1/jobs/docs", "no JSON"],
          ["POST", "/v1/jobs/docs/cancel", undefined],
          ["DELETE", "/v1/jobs?olderThan=0", undefined]
        ] as const) {
          const answer = yield* call(path, { method, key: wrong, body })
          expect([path, answer.status, answer.json().reason]).toEqual([path, 401, "KeyRefused"])
        }
      }
      expect(fake.calls).toEqual([])
    })
  )

  it.scopedLive("takes the key in the header only", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      expect((yield* call(`/v1/jobs?key=${key}`, { key: "" })).status).toBe(401)
      expect((yield* call("/v1/jobs", { key: "", headers: { cookie: `key=${key}` } })).status).toBe(401)
      expect((yield* call("/v1/jobs", { key: "", headers: { authorization: `Basic ${key}` } })).status).toBe(
        401
      )
    })
  )

  it.scopedLive("answers probes without a key: live always, ready if the database is", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      fake.broken = new JobsUnavailable({ code: "ECONNREFUSED" })
      const live = yield* call("/health/live", { key: "" })
      expect([live.status, live.json()]).toEqual([200, { status: "ok" }])
      const down = yield* call("/health/ready", { key: "" })
      expect([down.status, down.json()]).toEqual([503, unavailable("ECONNREFUSED")])
    })
  )

  it.scopedLive("asks the database once for many probes", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      const answers = yield* Effect.all(
        Array.from({ length: 50 }, () => call("/health/ready", { key: "" })),
        { concurrency: 10 }
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
      expect(fake.calls.length).toBeLessThan(5)
    })
  )

  it.scopedLive("answers 503 while the database is down", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      fake.broken = new JobsUnavailable({ code: "SQLITE_BUSY" })
      const answer = yield* call("/v1/jobs")
      expect([answer.status, answer.json()]).toEqual([503, unavailable("SQLITE_BUSY")])
    })
  )

  it.scopedLive("refuses an invalid job, and says where", () =>
    Effect.gen(function* () {
      const { call, fake } = yield* started()
      const put = (body: unknown, id = "docs") => call(`/v1/jobs/${id}`, { method: "PUT", body })
      const noTargets = yield* put({ ...submission, targets: [] })
      expect(noTargets.status).toBe(400)
      expect(noTargets.json()._tag).toBe("HttpApiDecodeError")
      expect(noTargets.text).toContain("targets")
      for (const misspelt of [
        { budgte: 1000 },
        { options: { formalty: "more" } },
        { checks: JSON.parse('{"__proto__":"fail"}') },
        { targets: [{ lang: "de", option: {} }] }
      ]) {
        const unknown = yield* put({ ...submission, ...misspelt })
        expect([unknown.status, unknown.text]).toEqual([400, expect.stringContaining("is unexpected")])
      }
      const noJson = yield* put("{")
      expect([noJson.status, noJson.json()]).toEqual([
        400,
        { _tag: "JobServerError", reason: "RequestRefused", message: "The body is no JSON in UTF-8." }
      ])
      expect((yield* put(submission, "a%2Fb")).status).toBe(400)
      expect((yield* put(submission, "x".repeat(101))).status).toBe(400)
      const form = yield* call("/v1/jobs/docs", {
        method: "PUT",
        body: "a=b",
        headers: { "content-type": "application/x-www-form-urlencoded" }
      })
      expect(form.status).toBe(415)
      expect(fake.calls).toEqual([])
    })
  )

  it.scopedLive("refuses a body that is too large, with and without its size", () =>
    Effect.gen(function* () {
      const { call, fake, url } = yield* started({ maxBodyBytes: 1000 })
      const large = { ...submission, revision: "x".repeat(100_000) }
      const answer = yield* call("/v1/jobs/docs", { method: "PUT", body: large })
      expect([answer.status, answer.json().message]).toEqual([
        413,
        "The body holds more than 1000 bytes, which is the limit: send less."
      ])
      // In chunks, without its length: the answer may be lost as the connection is cut.
      const outcome = yield* Effect.async<number | string>((resume) => {
        const request = Http.request(
          `${url}/v1/jobs/docs`,
          { method: "PUT", headers: { authorization: `Bearer ${key}`, "content-type": "application/json" } },
          (response) => {
            response.resume()
            resume(Effect.succeed(response.statusCode!))
          }
        )
        request.on("error", () => resume(Effect.succeed("cut")))
        request.write(JSON.stringify(large))
        request.write(JSON.stringify(large))
        request.end()
      })
      expect([413, "cut"]).toContain(outcome)
      expect(fake.calls).toEqual([])
      expect((yield* call("/v1/jobs")).status).toBe(200)
    })
  )

  it.scopedLive("knows no other endpoints", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      for (const [method, path] of [
        ["GET", "/v2/jobs"],
        ["POST", "/v1/jobs"],
        ["GET", "/v1/jobs/docs/pause"],
        ["GET", "/../etc/passwd"],
        ["GET", "/%"],
        ["GET", "//"]
      ] as const) {
        const answer = yield* call(path, { method })
        expect([path, answer.status, answer.json()._tag]).toEqual([path, 404, "JobServerError"])
      }
    })
  )

  it.scopedLive("answers a defect with 500, and says nothing of it", () =>
    Effect.gen(function* () {
      const fake = fakeControl.make()
      const url = yield* serve({ ...fake.control, list: () => Effect.die(new Error("a secret")) })
      const response = yield* Effect.promise(() =>
        fetch(`${url}/v1/jobs`, { headers: { authorization: `Bearer ${key}` } })
      )
      expect(response.status).toBe(500)
      expect(yield* Effect.promise(() => response.text())).not.toContain("secret")
    })
  )

  it.scopedLive("lets no browser frame, guess or keep an answer", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      for (const path of ["/", "/v1/jobs", "/openapi.json", "/health/live", "/none"]) {
        const { headers } = yield* call(path)
        expect([path, headers.get("x-content-type-options")]).toEqual([path, "nosniff"])
        expect(headers.get("content-security-policy")).toContain("default-src 'none'")
        expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
        expect(headers.get("cache-control")).toBe("no-store")
        expect(headers.get("access-control-allow-origin")).toBe(null)
      }
    })
  )

  it.scopedLive("describes itself, without a key", () =>
    Effect.gen(function* () {
      const { call } = yield* started()
      const answer = yield* call("/openapi.json", { key: "" })
      const document = answer.json()
      const validity = yield* Effect.promise(() => new Validator().validate(document))
      expect(validity).toEqual({ valid: true })
      expect(Object.keys(document.paths).sort()).toEqual([
        "/health/live",
        "/health/ready",
        "/v1/jobs",
        "/v1/jobs/{id}",
        "/v1/jobs/{id}/cancel",
        "/v1/jobs/{id}/failures",
        "/v1/jobs/{id}/pause",
        "/v1/jobs/{id}/resume",
        "/v1/workers"
      ])
      expect(document.paths["/v1/jobs"].get.security).toEqual([{ key: [] }])
      expect(Object.keys(document.paths["/v1/jobs/{id}"].put.responses).sort()).toEqual(
        expect.arrayContaining(["200", "400", "401", "404", "409", "500", "503"])
      )
    })
  )

  it.scopedLive("refuses a key that could be guessed", () =>
    Effect.gen(function* () {
      const fake = fakeControl.make()
      const error = yield* Effect.flip(serve(fake.control, { key: Redacted.make("fifteen letters") }))
      expect(error).toBeInstanceOf(JobServer.KeyTooShort)
      expect(JobServer.isKeyTooShort(error)).toBe(true)
    })
  )
})

it.scopedLive("a body that is nested deeper than 64 levels is refused", () =>
  Effect.gen(function* () {
    const { call } = yield* started()
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    const whole = yield* call("/v1/jobs/docs", { method: "PUT", body: nested(400_000) })
    expect(whole.status).toBe(400)
    expect(whole.json()).toMatchObject({ message: "The body is nested deeper than 64 levels." })
    const body = `{"corpus":{"kind":"files","reference":${nested(400_000)}},"targets":["de"]}`
    expect((yield* call("/v1/jobs/docs", { method: "PUT", body })).status).toBe(400)
    const allowed = `{"corpus":{"kind":"files","reference":${nested(50)}},"targets":["de"]}`
    expect((yield* call("/v1/jobs/docs", { method: "PUT", body: allowed })).status).toBe(200)
  })
)
