/** The arguments of `job` and `worker`, and what is told of jobs. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SubmitInput, WorkerInput } from "../../src/cli/declarations/jobs.js"
import { judge } from "../../src/cli/durableJob/jobResult.js"
import * as database from "../../src/cli/durableJob/jobsDatabase.js"
import * as words from "../../src/cli/durableJob/jobText.js"
import * as plan from "../../src/cli/durableJob/submitOptions.js"
import * as failure from "../../src/cli/failure.js"
import * as Output from "../../src/cli/output.js"
import * as Settings from "../../src/cli/settings/settings.js"
import * as events from "../../src/cli/worker/workerEvents.js"
import * as options from "../../src/cli/worker/workerOptions.js"
import { DatabaseUnavailable, StorageLost } from "../../src/workflow/ClusterError.js"
import type * as CorpusJob from "../../src/workflow/CorpusJob.js"
import {
  JobConflict,
  JobNotFound,
  JobServerError,
  JobsUnavailable
} from "../../src/workflow/JobControlError.js"
import { folderOf } from "./process.js"

const common = {
  json: false,
  quiet: true,
  verbose: false,
  config: undefined,
  profile: undefined,
  proxy: undefined,
  stateFolder: undefined
}

/** Handlers' services, with settings that are these. */
const services = (settings: Partial<Settings.Service> = {}) =>
  Layer.mergeAll(
    NodeContext.layer,
    Layer.succeed(Output.Output, Output.make(common)),
    Layer.succeed(Settings.Settings, {
      file: undefined,
      provider: ConfigProvider.fromMap(new Map()),
      translate: {},
      jobs: undefined,
      worker: {},
      stateFolder: "kept",
      root: process.cwd(),
      origins: [],
      ...settings
    })
  )

/** The complaint of a command that is wrong. */
const complaint = <A, R>(effect: Effect.Effect<A, failure.Described, R>) =>
  Effect.map(Effect.flip(Effect.sandbox(effect)), (cause) => failure.ofCause(cause))

const submission: SubmitInput = {
  ...common,
  files: [],
  targets: ["de", "fr"],
  from: undefined,
  out: undefined,
  sources: [],
  format: undefined,
  columns: [],
  outputColumn: undefined,
  encoding: undefined,
  maxFileBytes: undefined,
  plurals: undefined,
  onBadLine: undefined,
  parameters: [],
  checks: [],
  fields: [],
  glossary: undefined,
  style: undefined,
  translationMemory: undefined,
  translationMemoryThreshold: undefined,
  formality: undefined,
  model: undefined,
  context: undefined,
  budget: undefined,
  price: undefined,
  existing: undefined,
  removed: undefined,
  failed: undefined,
  mark: undefined,
  protect: [],
  html: undefined,
  asText: false,
  strictSyntax: false,
  id: undefined,
  table: undefined,
  keys: [],
  output: undefined,
  where: undefined,
  revision: undefined,
  budgetName: undefined,
  retryFailed: false,
  batch: undefined,
  jobs: undefined
}

const file: database.Place = { kind: "file", name: "jobs.db", file: "jobs.db" }

const worker: WorkerInput = {
  ...common,
  jobs: undefined,
  store: undefined,
  folders: [],
  sources: [],
  tables: [],
  keep: undefined,
  keepTranslations: undefined,
  address: undefined,
  listen: undefined,
  http: undefined,
  concurrency: undefined,
  drain: undefined,
  supervised: false
}

const status: CorpusJob.Status = {
  id: "docs",
  generation: 1,
  job: { id: "docs", corpus: { kind: "files", reference: {} }, targets: ["de", "fr"] },
  state: "running",
  submittedAt: DateTime.unsafeMake("2026-11-23T10:00:00Z"),
  progress: { texts: 500, totalTexts: 1000, outputs: 0, totalOutputs: 4 },
  targets: [
    { targetLang: "de", translated: 400, cached: 100, skipped: 0, failed: 2 },
    { targetLang: "fr", translated: 500, cached: 0, skipped: 0, failed: 1 }
  ],
  characters: { least: 12_000, most: 12_500 }
}

describe("--jobs", () => {
  it.effect("is a file, a database or the address of a worker, and no name holds a possible password", () =>
    Effect.gen(function* () {
      expect(yield* database.placeOf("a/jobs.db")).toEqual({
        kind: "file",
        name: "a/jobs.db",
        file: "a/jobs.db"
      })
      const postgres = yield* database.placeOf("postgres://user:s3cret@host/d")
      expect(postgres).toMatchObject({ kind: "postgres", name: "PostgreSQL" })
      expect(JSON.stringify(postgres)).not.toContain("s3cret")
      expect(yield* database.placeOf("http://host:8090/")).toEqual({
        kind: "http",
        name: "host:8090",
        url: "http://host:8090"
      })
      for (const wrong of ["", "mysql://host/d", "http://user:s3cret@host", "http://"]) {
        const { code, message } = yield* complaint(database.placeOf(wrong))
        expect(code, wrong).toBe(2)
        expect(message).toMatch(/^--jobs /)
        expect(message).not.toContain("s3cret")
      }
    })
  )

  it.scoped("is that of the settings unless it is given, and no folder", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf()
      const found = Effect.provide(database.find(undefined), services({ jobs: "settings.db" }))
      expect(yield* found).toMatchObject({ file: "settings.db" })
      expect(yield* Effect.provide(database.find(undefined), services())).toMatchObject({
        file: "kept/jobs.db"
      })
      const wrong = yield* complaint(Effect.provide(database.find(folder), services()))
      expect(wrong).toMatchObject({ code: 2, message: expect.stringContaining("is a folder") })
    })
  )
})

describe("job submit", () => {
  it.scoped("makes the same job of the same command, and another one of other files", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "en.json": '{"a":"A"}' })
      const input = {
        ...submission,
        files: [`${folder}/en.json`],
        from: "en",
        formality: "more" as const,
        translationMemoryThreshold: 90
      }
      const make = (input: SubmitInput) =>
        plan.make(input, file, []).pipe(
          Effect.map(({ job }) => job),
          Effect.provide(services())
        )
      const job = yield* make(input)
      expect(job).toMatchObject({
        id: expect.stringMatching(/^en-[0-9a-f]{8}$/),
        corpus: { kind: "files" },
        targets: ["de", "fr"],
        options: { sourceLang: "en", formality: "more", translationMemoryThreshold: 90 },
        revision: expect.any(String)
      })
      expect(JSON.stringify(job.corpus)).toContain(`${folder}/{lang}.json`)
      expect(yield* make(input)).toEqual(job)
      expect((yield* make({ ...input, targets: ["de"] })).id).not.toBe(job.id)
      const own = { lang: "fr", options: { formality: "less" } }
      const targets = ["de", "zh-Hant=zh-TW", JSON.stringify(own)]
      expect((yield* make({ ...input, targets })).targets).toEqual([
        "de",
        { lang: "zh-Hant", name: "zh-TW" },
        own
      ])
      expect(yield* make({ ...input, id: "mine", budget: 5, price: 20, batch: 10 })).toMatchObject({
        id: "mine",
        budget: 5,
        pricePerMillion: 20,
        batchTexts: 10
      })
    })
  )

  it.scoped("reports mistakes by the names of flags", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.txt": "A", "terms.csv": "Hello,Servus,en,de\n" })
      const files = [`${folder}/a.txt`]
      const cases: ReadonlyArray<readonly [Partial<SubmitInput>, RegExp]> = [
        [{}, /^Nothing to translate:/],
        [{ files: ["-"], targets: ["de"], format: "csv" }, /^Standard input can't be a job/],
        [{ files, id: "a b" }, /^--id: must be 1 to 100 letters/],
        [{ files, targets: ["German"] }, /"German" is no language code: write "de"/],
        [{ files, targets: ["de=../x"] }, /^--to de=\.\.\/x: give a code and its name in paths/],
        [{ files, targets: ['{"lang":"de","name":"a/b"}'] }, /name must be a name in paths/],
        [{ files, where: "true" }, /^--where and --output are for --table/],
        [
          { files, from: "en", glossary: `${folder}/terms.csv` },
          /has no terms for fr: submit a job of its own/
        ]
      ]
      for (const [input, message] of cases) {
        const told = yield* complaint(
          Effect.provide(plan.make({ ...submission, ...input }, file, []), services())
        )
        expect(told).toMatchObject({ code: 2, message: expect.stringMatching(message) })
      }
    })
  )

  it.scoped("ends with 2 and the names there are if a field or a column is in no file", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "a.json": '{"a":"Mug","b":"Cup"}', "b.csv": "t,u\nMug,Cup\n" })
      const input = { ...submission, to: ["de"], files: [`${folder}/a.json`, `${folder}/b.csv`] }
      const make = (fields: ReadonlyArray<string>, columns: ReadonlyArray<string>) =>
        plan.make({ ...input, fields, columns }, file, []).pipe(Effect.provide(services()))
      expect(yield* complaint(make(["a", "bb"], ["t"]))).toMatchObject({
        code: 2,
        message: expect.stringContaining("--field has bb, which no source has, but a, b")
      })
      expect(yield* complaint(make(["a"], ["t", "v"]))).toMatchObject({
        code: 2,
        message: expect.stringContaining('--column has v, which no source has, but "t", "u"')
      })
      expect(yield* make(["a", "b"], ["t", "u"])).toMatchObject({ leftOut: [] })
    })
  )
})

it.scoped("job submit has the syntax that texts hold, in the job and in its name", () =>
  Effect.gen(function* () {
    const folder = yield* folderOf({ "a.json": '{"a":"Mug"}' })
    const input = { ...submission, files: [`${folder}/a.json`] }
    const jobOf = (more: Partial<SubmitInput>) =>
      Effect.map(Effect.provide(plan.make({ ...input, ...more }, file, []), services()), ({ job }) => job)
    const job = yield* jobOf({ protect: ["laravel", "/ACME/"], html: "off", asText: true })
    expect(job.syntax).toEqual({ protect: ["laravel", /ACME/], html: false, notUnderstood: "ignore" })
    expect(job.id).not.toBe((yield* jobOf({ protect: ["laravel", "/Acme/"], html: "off", asText: true })).id)
  })
)

describe("worker", () => {
  const make = (input: Partial<WorkerInput>, settings: Partial<Settings.Service> = {}) =>
    Effect.provide(options.make({ ...worker, ...input }), services(settings))

  it.effect("keeps translations in the database of the jobs, or beside the file of the jobs", () =>
    Effect.gen(function* () {
      expect(yield* make({})).toMatchObject({ place: { kind: "file" }, store: undefined, drain: 12 })
      const jobs = "postgres://user:s3cret@host/d"
      expect(yield* make({ jobs })).toMatchObject({ place: { kind: "postgres" }, store: undefined })
      const worker = { address: "10.0.0.5:7400", drain: 5 }
      expect(yield* make({ jobs, drain: 7 }, { worker })).toMatchObject({ ...worker, drain: 7 })
    })
  )

  it.effect("refuses jobs that would pay twice, or can't work", () =>
    Effect.gen(function* () {
      const jobs = "postgres://user:s3cret@host/d"
      const cases: ReadonlyArray<readonly [Partial<WorkerInput>, RegExp]> = [
        [{ jobs, store: "store.db" }, /^The jobs are in PostgreSQL and the store is a file/],
        [{ store: "none" }, /^--store none loses/],
        [{ jobs: "http://host:1" }, /^A worker needs the database of the jobs itself/],
        [{ address: "10.0.0.5:7400" }, /^--address and --listen are for several workers/],
        [{ http: "8090" }, /^--http 8090 can't be read/]
      ]
      for (const [input, message] of cases) {
        const told = yield* complaint(make(input))
        expect(told).toMatchObject({ code: 2, message: expect.stringMatching(message) })
        expect(told.message).not.toContain("s3cret")
      }
      const fromSettings = yield* complaint(make({ jobs }, { translate: { store: "store.db" } }))
      expect(fromSettings.message).toMatch(/the store is a file/)
    })
  )

  it("prints the state of jobs, in words and as JSON", () => {
    const job = { id: "docs", generation: 2 }
    const until = DateTime.unsafeMake("2026-12-01T00:00:00Z")
    const waits = { _tag: "JobWaits", ...job, reason: "outage", until } as const
    expect(events.lineOf(waits)).toMatch(/^docs \(generation 2\): waiting until .*, as the service is down$/)
    expect(events.objectOf(waits)).toEqual({
      type: "jobWaits",
      ...job,
      reason: "outage",
      until: "2026-12-01T00:00:00.000Z"
    })
    const ended = { _tag: "JobEnded", id: "docs", generation: 1, state: "done" } as const
    expect(events.lineOf(ended)).toBe("docs: done")
  })
})

describe("a job in words", () => {
  it("has its state, its progress and its billed characters in one line", () => {
    expect(words.lineOf(status)).toBe(
      "docs: running, 45 %, 500 of 1,000 texts, 0 of 4 outputs, 12,000 to 12,500 characters billed, 3 texts failed"
    )
    const waiting = {
      ...status,
      state: "waiting" as const,
      waiting: { reason: "quota" as const, until: DateTime.unsafeMake("2026-12-01T00:00:00Z") }
    }
    expect(words.lineOf(waiting)).toMatch(/^docs: waiting until 20\d\d-\S+ \S+: the quota is used up, /)
    expect(words.ofStatus(status)).toContain("files into de, fr")
  })

  it("names the language of a target that has a name in paths", () => {
    const job = { ...status.job, targets: ["de", { lang: "fr", name: "fr-FR" }] as const }
    expect(words.ofStatus({ ...status, job })).toContain("files into de, fr\n")
  })

  it("says how long it took, also if that is less than a second", () => {
    const told = (millis: number) => {
      const startedAt = status.submittedAt
      return words.ofStatus({ ...status, startedAt, endedAt: DateTime.add(startedAt, { millis }) })
    }
    expect(told(61_000)).toMatch(/, ended \S+ \S+ after 1m 1s$/m)
    expect(told(499)).toMatch(/, ended \S+ \S+ after less than 1s$/m)
  })

  it.effect("ends a command as the job has ended", () =>
    Effect.gen(function* () {
      const codeOf = (ended: Partial<CorpusJob.Status>) =>
        Effect.map(Effect.exit(judge({ ...status, targets: [], ...ended })), (exit) =>
          exit._tag === "Success" ? 0 : failure.ofCause(exit.cause).code
        )
      expect(yield* codeOf({ state: "done" })).toBe(0)
      expect(yield* codeOf({ state: "done", targets: status.targets })).toBe(1)
      expect(yield* codeOf({ state: "failed" })).toBe(1)
      const failed = (tag: string) => codeOf({ state: "failed", error: { tag, message: "No." } })
      expect(yield* failed("BudgetExceeded")).toBe(3)
      expect(yield* failed("Unauthorized")).toBe(4)
      expect(yield* failed("InvalidReference")).toBe(2)
      expect(yield* codeOf({ state: "cancelled" })).toBe(130)
    })
  )
})

describe("the exit code", () => {
  it("reports mistakes in the jobs", () => {
    const refused = (reason: JobServerError["reason"]) => new JobServerError({ reason, message: "No." })
    const cases = [
      [new JobNotFound({ id: "a" }), 2],
      [new JobConflict({ id: "a" }), 2],
      [new JobsUnavailable({ code: "ECONNREFUSED" }), 5],
      [refused("Unreachable"), 5],
      [refused("KeyRefused"), 4],
      [refused("UnknownAnswer"), 2],
      [new DatabaseUnavailable({ code: "ECONNREFUSED" }), 75],
      [new DatabaseUnavailable({ code: "28P01" }), 2],
      [new StorageLost({ code: "ECONNREFUSED" }), 75]
    ] as const
    for (const [error, code] of cases) expect(failure.ofCause(Cause.fail(error)).code, error._tag).toBe(code)
  })
})
