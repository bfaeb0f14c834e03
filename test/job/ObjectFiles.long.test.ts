/** Objects of a bucket as sources and outputs of jobs. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { Csv, type Translator } from "effect-translate"
import { Compression, Formats, Json, type OutputPath, Parquet, Xliff } from "effect-translate/formats"
import { JobSource, OutputCheck } from "effect-translate/jobs"
import { Storage } from "effect-translate/storage"
import { unauthorized } from "../stream/support.js"
import * as bucket from "../support/bucket.js"
import { fromDuckDb } from "../support/parquet.js"
import { run } from "./fileSources.js"
import { marking } from "./support.js"

const csv = Csv.make({ columns: ["title"] })

/** A bucket with files in it, and a job that reads and writes there. */
const bucketWith = (files: Readonly<Record<string, string>>, disturb?: Parameters<typeof bucket.make>[0]) =>
  Effect.gen(function* () {
    const objects = yield* bucket.withObjects(files, disturb)
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    return {
      ...objects,
      folder,
      source: (
        key: string,
        options: Partial<JobSource.FileOptions> & Pick<JobSource.FileOptions, "format">
      ) =>
        JobSource.file({
          path: `s3://corpora/${key}`,
          output: `s3://corpora/{lang}/${key}`,
          stateFolder: `${folder}/.state`,
          ...options
        }),
      provide: Effect.provide(Storage.layer({ s3: objects.storage }))
    }
  })

const live = (
  name: string,
  test: (
    sent: () => ReadonlyArray<string>
  ) => Effect.Effect<
    unknown,
    unknown,
    Scope.Scope | NodeContext.NodeContext | HttpClient.HttpClient | Translator.Translator
  >
) =>
  it.live(name, () => {
    const { provide, sent } = marking()
    return test(sent).pipe(
      provide,
      Effect.scoped,
      Effect.provide([NodeContext.layer, NodeHttpClient.layerUndici])
    )
  })

const many = Array.from({ length: 400 }, (_, index) => `${index},Mug ${index}`)

describe.concurrent("an object that streams", () => {
  live("is translated into objects of the bucket, in parts", () =>
    Effect.gen(function* () {
      const { provide, source, textOf } = yield* bucketWith({ "a.csv": `id,title\n${many.join("\n")}\n` })
      const { states, written } = yield* provide(run(source("a.csv", { format: csv }), ["de", "fr"]))
      expect(states).toEqual(["written", "written"])
      expect(written[0]).toMatchObject({ output: "s3://corpora/de/a.csv" })
      expect(yield* textOf("fr/a.csv")).toBe(
        `id,title\n${many.map((row) => row.replace(",", ",fr: ")).join("\n")}\n`
      )
    })
  )

  live("is read once more from where its connection was cut", () =>
    Effect.gen(function* () {
      let left = 3
      const { asked, provide, source, textOf } = yield* bucketWith(
        { "a.csv": `id,title\n${many.join("\n")}\n` },
        ({ method, range }) =>
          method === "GET" && range?.endsWith("-0") === false && left-- > 0 ? { cutAfter: 500 } : undefined
      )
      expect((yield* provide(run(source("a.csv", { format: csv })))).states).toEqual(["written"])
      expect((yield* textOf("de/a.csv")).split("\n")).toHaveLength(402)
      expect(asked.some(({ range }) => range?.startsWith("bytes=500-"))).toBe(true)
    })
  )

  live("is decompressed, and its output compressed, by their names", () =>
    Effect.gen(function* () {
      const { bytesOf, provide, put, source } = yield* bucketWith({})
      const text = `id,title\n${many.join("\n")}\n`
      yield* put("a.csv.gz", Stream.orDie(Compression.gzip.compress(Stream.encodeText(Stream.make(text)))))
      const { states } = yield* provide(
        run(
          source("a.csv.gz", { format: (file) => Formats.detect(file, Formats.make({ columns: ["title"] })) })
        )
      )
      expect(states).toEqual(["written"])
      const written = yield* bytesOf("de/a.csv.gz").pipe(
        Compression.gzip.decompress(),
        Stream.decodeText(),
        Stream.mkString
      )
      expect(written.split("\n")[400]).toBe("399,de: Mug 399")
    })
  )

  live("goes into a local file too, and a local file into a bucket", () =>
    Effect.gen(function* () {
      const { folder, provide, source, textOf } = yield* bucketWith({ "a.csv": "id,title\n1,Mug\n" })
      const local = `${folder}/{lang}.csv` as const
      yield* provide(run(source("a.csv", { format: csv, output: local })))
      const back = source("a.csv", {
        format: csv,
        path: `${folder}/de.csv`,
        output: "s3://corpora/back.{lang}.csv"
      })
      yield* provide(run(back, ["fr"]))
      expect(yield* textOf("back.fr.csv")).toBe("id,title\n1,fr: de: Mug\n")
    })
  )

  live("is not translated again, nor its output written or read, while both are as they were", (sent) =>
    Effect.gen(function* () {
      const { asked, provide, putText, source, textOf } = yield* bucketWith({ "a.csv": "id,title\n1,Mug\n" })
      yield* provide(run(source("a.csv", { format: csv })))
      const before = asked.length
      expect((yield* provide(run(source("a.csv", { format: csv })))).states).toEqual(["unchanged"])
      expect(sent()).toEqual(["Mug"])
      expect(new Set(asked.slice(before).map(({ method }) => method))).toEqual(new Set(["HEAD"]))
      yield* putText("a.csv", "id,title\n1,Cup\n")
      expect((yield* provide(run(source("a.csv", { format: csv })))).states).toEqual(["written"])
      expect(yield* textOf("de/a.csv")).toBe("id,title\n1,de: Cup\n")
    })
  )

  live("that is equal to its local source is not translated again", () =>
    Effect.gen(function* () {
      const { asked, folder, provide, source } = yield* bucketWith({})
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(`${folder}/a.csv`, "id,title\n1,\n")
      const blank = source("a.csv", { format: csv, path: `${folder}/a.csv` })
      yield* provide(run(blank))
      const before = asked.length
      expect((yield* provide(run(blank))).states).toEqual(["unchanged"])
      expect(asked.slice(before).map(({ method }) => method)).toEqual(["HEAD"])
    })
  )

  live("leaves an output alone that somebody else has written", (sent) =>
    Effect.gen(function* () {
      const { provide, putText, source, textOf } = yield* bucketWith({ "a.csv": "id,title\n1,Mug\n" })
      yield* putText("de/a.csv", "id,title\n1,Becher\n")
      expect((yield* provide(run(source("a.csv", { format: csv })))).states).toEqual(["OutputAltered"])
      expect(sent()).toEqual([])
      expect(yield* textOf("de/a.csv")).toBe("id,title\n1,Becher\n")
    })
  )

  live("ends as changed if another version takes its place while it is read, and nothing is published", () =>
    Effect.gen(function* () {
      const text = `id,title,note\n1,Mug,${"-".repeat(70_000)}\n`
      // The head of a file ends before it.
      const { keys, provide, source } = yield* bucketWith({ "a.csv": text }, ({ range }) =>
        range?.endsWith(`-${text.length - 1}`) !== true
          ? undefined
          : range.startsWith("bytes=0-")
            ? { cutAfter: 500 }
            : { status: 412, code: "PreconditionFailed" }
      )
      const error = yield* Effect.flip(provide(run(source("a.csv", { format: csv }))))
      expect(error).toMatchObject({ _tag: "SourceChanged", path: "s3://corpora/a.csv" })
      expect(yield* keys).toEqual(["a.csv"])
    })
  )

  live(
    "of Parquet is read in the version that is named, and ends as changed where another one is there",
    (sent) =>
      Effect.gen(function* () {
        const { keys, provide, put, source, storage } = yield* bucketWith({})
        const write = (text: string) =>
          Effect.flatMap(fromDuckDb(`select '${text}' as title`), (bytes) =>
            put("a.parquet", Stream.make(bytes))
          )
        yield* write("Mug")
        const { version } = yield* storage.open("s3://corpora/a.parquet")
        const format = Parquet.make({ columns: ["title"] })
        const translated = (output: OutputPath.Pattern) =>
          provide(run(source("a.parquet", { format, version, output })))
        yield* translated("s3://corpora/before/{lang}.parquet")
        expect(sent()).toEqual(["Mug"])
        yield* write("Cup")
        const error = yield* Effect.flip(translated("s3://corpora/after/{lang}.parquet"))
        expect(error).toMatchObject({ _tag: "SourceChanged", path: "s3://corpora/a.parquet" })
        expect(sent()).toEqual(["Mug"])
        expect((yield* keys).filter((key) => key.startsWith("after/"))).toEqual([])
      })
  )

  live("of Parquet that is small is asked for a few times only", () =>
    Effect.gen(function* () {
      const { asked, provide, put, source } = yield* bucketWith({})
      yield* put("a.parquet", Stream.make(yield* fromDuckDb("select 'Mug' as title")))
      const given = source("a.parquet", {
        format: Parquet.make({ columns: ["title"] }),
        output: "s3://corpora/out.parquet" as OutputPath.Pattern
      })
      const targets = ["de", "fr"]
      const requestsOf = <A, E, R>(step: Effect.Effect<A, E, R>) =>
        Effect.suspend(() => {
          const before = asked.length
          return Effect.map(provide(step), () => asked.slice(before).map(({ method }) => method))
        })
      expect(yield* requestsOf(given.check!(targets.map((lang) => ({ lang }))))).toEqual([
        "HEAD",
        "HEAD",
        "GET",
        "GET"
      ])
      const into = targets.map((targetLang) => ({ options: { targetLang } }))
      expect(yield* requestsOf(given.estimate!({ targets: into }))).toEqual(["HEAD", "GET", "HEAD", "GET"])
      // The store tells by a second request whether the output or the bucket is missing.
      expect(yield* requestsOf(run(given, targets))).toEqual([
        "HEAD",
        "HEAD",
        "GET",
        "GET",
        "HEAD",
        "GET",
        "PUT"
      ])
      expect(yield* requestsOf(run(given, targets))).toEqual(["HEAD", "HEAD"])
    })
  )

  live("of Parquet that can't be read is named without what follows its path", () =>
    Effect.gen(function* () {
      const bytes = new TextEncoder().encode("PAR1 and no footer")
      const read = (start: number, end: number) => Effect.succeed(bytes.subarray(start, end))
      const { source } = yield* bucketWith({})
      const https: Storage.Service = {
        ...Storage.make({}),
        open: () => Effect.succeed({ size: bytes.length, version: '"1"', read, bytes: Stream.make(bytes) })
      }
      const address = "https://host.test/a.parquet?X-Amz-Signature=abc"
      const broken = source("a.parquet", {
        path: address,
        format: Parquet.make({ columns: ["title"] }),
        output: "{lang}.parquet"
      })
      const error = yield* Effect.flip(Effect.provide(run(broken), Storage.layer({ https })))
      expect(error).toMatchObject({ _tag: "FormatError", file: "https://host.test/a.parquet" })
      expect(`${error} ${JSON.stringify(error)}`).not.toContain("abc")
    })
  )

  live("has no output if an error ends the job", () =>
    Effect.gen(function* () {
      const { keys, provide, source } = yield* bucketWith({ "a.csv": `id,title\n${many.join("\n")}\n` })
      const failing = marking((texts) => (texts.includes("Mug 300") ? unauthorized : undefined))
      yield* failing.provide(provide(run(source("a.csv", { format: csv })))).pipe(Effect.either)
      expect((yield* keys).filter((key) => key.startsWith("de/"))).toEqual([])
    })
  )
})

describe("an object that is read as a whole", () => {
  live("is updated in the bucket: what a person has written there stays", (sent) =>
    Effect.gen(function* () {
      const { provide, putText, source, textOf } = yield* bucketWith({ "en.json": `{"a":"Mug","b":"Cup"}` })
      const options = { format: Json.format, output: "s3://corpora/{lang}.json" } as const
      yield* provide(run(source("en.json", options)))
      yield* putText("de.json", `{"a":"Becher","b":"de: Cup"}`)
      yield* putText("en.json", `{"a":"Mug","b":"Cup","c":"Plate"}`)
      expect((yield* provide(run(source("en.json", options)))).states).toEqual(["written"])
      expect(JSON.parse(yield* textOf("de.json"))).toEqual({ a: "Becher", b: "de: Cup", c: "de: Plate" })
      expect(sent()).toEqual(["Mug", "Cup", "Plate"])
    })
  )
})

describe("an object without its source", () => {
  live("is orphaned, if its source was an object or a file", () =>
    Effect.gen(function* () {
      let isGone = false
      const { folder, provide, source } = yield* bucketWith(
        { "a.csv": "title\nMug\n", "b.csv": "title\nCup\n" },
        ({ url }) =>
          isGone && url.startsWith("/corpora/b.csv") ? { status: 404, code: "NoSuchKey" } : undefined
      )
      const fs = yield* FileSystem.FileSystem
      const file = `${folder}/c.csv`
      yield* fs.writeFileString(file, "title\nPot\n")
      for (const one of ["a.csv", "b.csv"]) yield* provide(run(source(one, { format: csv })))
      yield* provide(run(source("c.csv", { format: csv, path: file })))
      isGone = true
      yield* fs.remove(file)
      const problems = yield* provide(
        OutputCheck.run({
          files: [
            {
              path: "s3://corpora/a.csv",
              output: "s3://corpora/{lang}/a.csv",
              format: csv,
              stateFolder: `${folder}/.state`
            }
          ],
          targets: ["de"],
          options: { sourceLang: "en" }
        }).pipe(Stream.runCollect)
      )
      expect(Array.from(problems, ({ kind, output }) => [kind, output])).toEqual([
        ["orphaned", "s3://corpora/de/b.csv"],
        ["orphaned", "s3://corpora/de/c.csv"]
      ])
    })
  )
})

describe("an object that is its own output", () => {
  live("is not read again while it is as it was written", (sent) =>
    Effect.gen(function* () {
      const unit = `<trans-unit id="1"><source>Mug</source></trans-unit>`
      const xliff = `<xliff version="1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body>${unit}</body></file></xliff>`
      const { asked, provide, source, textOf } = yield* bucketWith({ "a.xlf": xliff })
      const own = source("a.xlf", { format: Xliff.format, output: () => "s3://corpora/a.xlf" })
      expect((yield* provide(run(own))).states).toEqual(["written"])
      expect(yield* textOf("a.xlf")).toContain("de: Mug")
      const before = asked.length
      expect((yield* provide(run(own))).states).toEqual(["unchanged"])
      expect(new Set(asked.slice(before).map(({ method }) => method))).toEqual(new Set(["HEAD"]))
      expect(sent()).toEqual(["Mug"])
    })
  )
})

describe("an address", () => {
  live("is refused without a layer, with advice", (sent) =>
    Effect.gen(function* () {
      const { source } = yield* bucketWith({ "a.csv": "id,title\n1,Mug\n" })
      const error = yield* Effect.flip(run(source("a.csv", { format: csv })))
      expect(error).toMatchObject({ _tag: "SourceUnreadable", path: "s3://corpora/a.csv" })
      expect(error.message).toContain(
        "provide NodeStorage.layerConfig() of effect-translate/node to the job, or the layer of S3Storage"
      )
      expect(sent()).toEqual([])
    })
  )

  live("of no bucket, or with an empty name, takes no output", () =>
    Effect.gen(function* () {
      const { provide, source } = yield* bucketWith({ "a.csv": "id,title\n1,Mug\n" })
      for (const output of [
        "s3://corpora//a.{lang}.csv",
        "s3://corpora/../a.{lang}.csv",
        "https://host.test/{lang}.csv"
      ] as const) {
        const error = yield* Effect.flip(provide(run(source("a.csv", { format: csv, output }))))
        expect(error).toMatchObject({ _tag: "OutputUnusable" })
      }
    })
  )

  live("of an output is remembered", () =>
    Effect.gen(function* () {
      const { folder, provide, source } = yield* bucketWith({ "x/ü %:.csv": "id,title\n1,Mug\n" })
      yield* provide(run(source("x/ü %:.csv", { format: csv })))
      expect(yield* JobSource.outputsIn(`${folder}/.state`)).toMatchObject([
        { path: "s3://corpora/de/x/ü %:.csv", targetLang: "de" }
      ])
    })
  )
})
