/** Objects of a bucket as the corpus of a durable job: slices of one version, and addresses that are allowed. */
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import { Storage } from "effect-translate/storage"
import { type Corpus, FileCorpus } from "effect-translate/workflow"
import { marking } from "../job/support.js"
import * as bucket from "../support/bucket.js"
import { fromDuckDb } from "../support/parquet.js"
import { bench, done, products, targets, withEmulator } from "./jobs.js"

/** A bucket with these files, and a worker that may use it. */
const world = (files: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const objects = yield* bucket.withObjects(files)
    const { folder, worker } = yield* bench({
      files: {},
      // What it needs, and how it fails, the worker knows.
      kinds: [FileCorpus.makeKind({ sources: ["s3://corpora/"] }) as unknown as Corpus.Kind]
    })
    const jobOver = (key: string) =>
      Effect.gen(function* () {
        const files = yield* FileCorpus.pinned({
          files: [{ path: `s3://corpora/${key}`, output: `s3://corpora/{lang}/${key}` }],
          columns: ["title"],
          stateFolder: `${folder}/.state`
        })
        return {
          id: "objects",
          corpus: yield* FileCorpus.reference(files),
          revision: yield* FileCorpus.revision(files),
          targets,
          batchTexts: 50
        }
      })
    const storage = Storage.layer({ s3: objects.storage })
    return { ...objects, jobOver, storage, worker: Layer.provide(worker, storage) }
  })

describe("an object", () => {
  it.scopedLive(
    "is translated slice by slice, by ranges of the version that it had when the job was submitted",
    () =>
      Effect.gen(function* () {
        const { asked, jobOver, storage, textOf, worker } = yield* world({ "a.csv": products(300) })
        const job = yield* Effect.provide(jobOver("a.csv"), storage)
        const before = asked.length
        const status = yield* Effect.provide(done(job), worker)
        expect(status).toMatchObject({ state: "done" })
        const [, first] = (yield* textOf("de/a.csv")).split("\n")
        expect(first).toMatch(/^0,"?\[de\]/)
        const ranges = asked
          .slice(before)
          .flatMap(({ ifMatch, range, url }) =>
            range !== undefined && url === "/corpora/a.csv" ? [{ ifMatch, range }] : []
          )
        expect(new Set(ranges.map(({ range }) => range)).size).toBeGreaterThan(5)
      }).pipe(Effect.provide(NodeHttpClient.layerUndici), withEmulator())
  )

  it.scopedLive("ends the job as changed if another version takes its place", () =>
    Effect.gen(function* () {
      const { jobOver, keys, putText, storage, worker } = yield* world({ "a.csv": products(300) })
      const job = yield* Effect.provide(jobOver("a.csv"), storage)
      yield* putText("a.csv", products(200))
      const status = yield* Effect.provide(done(job), worker)
      expect(status).toMatchObject({ state: "failed", error: { tag: "SourceChanged" } })
      expect(yield* keys).toEqual(["a.csv"])
    }).pipe(Effect.provide(NodeHttpClient.layerUndici), withEmulator())
  )
})

describe("an object of Parquet", () => {
  it.scopedLive("is of the version that it had when the job was submitted, or ends the job as changed", () =>
    Effect.gen(function* () {
      const { jobOver, keys, put, storage, worker } = yield* world({})
      const write = (text: string) =>
        Effect.flatMap(fromDuckDb(`select '${text} ' || i as title from range(200) t(i)`), (bytes) =>
          put("a.parquet", Stream.make(bytes))
        )
      yield* write("Mug")
      const job = yield* Effect.provide(jobOver("a.parquet"), storage)
      yield* write("Cup")
      const status = yield* Effect.provide(done(job), worker)
      expect(status).toMatchObject({ state: "failed", error: { tag: "SourceChanged" } })
      expect(yield* keys).toEqual(["a.parquet"])
    }).pipe(Effect.provide(NodeHttpClient.layerUndici), withEmulator())
  )
})

describe("addresses that are allowed", () => {
  const refusal = (kind: FileCorpus.KindOptions, path: string, output = "/out/{lang}.csv") =>
    Effect.map(Effect.either(FileCorpus.makeKind(kind).open({ files: [{ path, output }] })), (result) =>
      result._tag === "Right" ? undefined : result.left.message
    ).pipe(marking().provide, Effect.provide(NodeContext.layer))

  const sources = ["s3://corpora/in/", "https://host.test/exports"]

  it.effect("are those that begin with a source, name by name", () =>
    Effect.gen(function* () {
      for (const path of [
        "s3://corpora/in/a.csv",
        "https://host.test/exports/a.csv",
        "https://HOST.test:443/exports/a.csv"
      ]) {
        expect(yield* refusal({ sources }, path)).toBeUndefined()
      }
      for (const path of [
        "s3://corpora/inner/a.csv",
        "s3://corpora/in/../a.csv",
        "s3://other/in/a.csv",
        "http://host.test/exports/a.csv",
        "https://host.test/exports/../a.csv",
        "https://host.test/exports/%2e%2e/a.csv",
        "https://host.test/exports/..%2fa.csv",
        "https://host.test/exports-2/a.csv",
        "https://host.test.evil.test/exports/a.csv",
        "https://host.test:8443/exports/a.csv"
      ]) {
        expect(yield* refusal({ sources }, path)).toContain("the workers may not use")
      }
    })
  )

  it.effect("are none without sources, also as outputs", () =>
    Effect.gen(function* () {
      expect(yield* refusal({}, "s3://corpora/a.csv")).toContain("--sources")
      expect(yield* refusal({ sources }, "/a.csv", "s3://corpora/out/{lang}.csv")).toContain(
        "the workers may not use"
      )
    })
  )

  it.effect("hold no user and no signature, which would be stored", () =>
    Effect.gen(function* () {
      for (const path of [
        "https://host.test/exports/a.csv?sig=sesame",
        "https://me:sesame@host.test/exports/a.csv"
      ]) {
        const message = yield* refusal({ sources }, path)
        expect(message).toContain("https://host.test/exports/a.csv has a user or a query")
        expect(message).not.toContain("sesame")
      }
    })
  )
})
