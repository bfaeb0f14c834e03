/** Addresses on a command line: which objects patterns name, and where their outputs go. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Storage } from "effect-translate/storage"
import * as remoteFiles from "../../src/cli/translate/remoteFiles.js"
import * as OutputPath from "../../src/format/OutputPath.js"

const keys = [
  "in/a.csv",
  "in/a.de.csv",
  "in/b c+d.csv",
  "in/deep/er/a.csv",
  "in/deep/a.jsonl",
  "in/note.docx",
  "inner/a.csv"
]

/** A store of these objects, which nobody can open. */
const layer = Storage.layer({
  s3: {
    ...Storage.make({}),
    list: (prefix) =>
      Stream.fromIterable(keys.map((key) => ({ address: `s3://corpora/${key}`, size: 1 }))).pipe(
        Stream.filter(({ address }) => address.startsWith(prefix))
      )
  }
})

const found = (...files: ReadonlyArray<string>) =>
  Effect.map(remoteFiles.findAll(files, [".csv", ".jsonl"]), ({ found }) =>
    found.map(({ folder, path }) => [path.replace("s3://corpora/", ""), folder])
  ).pipe(Effect.provide(layer))

describe("addresses on a command line", () => {
  it.effect("name the objects of a pattern, with the folders below its beginning", () =>
    Effect.gen(function* () {
      expect(yield* found("s3://corpora/in/*.csv")).toEqual([
        ["in/a.csv", ""],
        ["in/a.de.csv", ""],
        ["in/b c+d.csv", ""]
      ])
      expect(yield* found("s3://corpora/in/**/*.csv", "!s3://corpora/in/?.de.csv")).toEqual([
        ["in/a.csv", ""],
        ["in/b c+d.csv", ""],
        ["in/deep/er/a.csv", "deep/er"]
      ])
      expect(yield* found("s3://corpora/in/d*/**")).toEqual([
        ["in/deep/er/a.csv", "deep/er"],
        ["in/deep/a.jsonl", "deep"]
      ])
    })
  )

  it.effect("name the files of known formats in a folder", () =>
    Effect.map(found("s3://corpora/in/"), (all) =>
      expect(all.map(([path]) => path)).toEqual([
        "in/a.csv",
        "in/a.de.csv",
        "in/b c+d.csv",
        "in/deep/er/a.csv",
        "in/deep/a.jsonl"
      ])
    )
  )

  it.effect("that match nothing are a mistake of the command line", () =>
    Effect.map(Effect.flip(found("s3://corpora/none/*.csv")), (error) =>
      expect(error).toMatchObject({ _tag: "Usage", message: "No object matches s3://corpora/none/*.csv." })
    )
  )

  it.effect(
    "that a folder holds of an unknown ending, and those that are excluded, are left out by name",
    () =>
      Effect.gen(function* () {
        const leftOut = (...files: ReadonlyArray<string>) =>
          Effect.map(remoteFiles.findAll(files, [".csv", ".jsonl"]), ({ found, leftOut }) => [
            found.length,
            ...leftOut.map(({ path, reason }) => `${path.replace("s3://corpora/", "")} ${reason}`)
          ]).pipe(Effect.provide(layer))
        expect(yield* leftOut("s3://corpora/in/", "!s3://corpora/in/deep/")).toEqual([
          3,
          "in/note.docx unknownEnding",
          "in/deep/er/a.csv excluded",
          "in/deep/a.jsonl excluded"
        ])
        expect(yield* leftOut("s3://corpora/in/*.csv")).toEqual([3])
        const address = "https://host.test/a.csv?sig=1"
        expect(yield* leftOut(address, `!${address}`)).toEqual([0, "https://host.test/a.csv excluded"])
      })
  )

  it.effect("are shown without their signature, which is kept for reading them", () =>
    Effect.map(remoteFiles.findAll(["https://me:word@host.test/a.csv?sig=1#x"], []), ({ found: [file] }) =>
      expect(file).toMatchObject({
        path: "https://host.test/a.csv",
        address: "https://me:word@host.test/a.csv?sig=1#x"
      })
    )
  )
})

describe("--sources", () => {
  it("is refused if an entry has no scheme or no host, by its place alone", () => {
    const good = ["http://127.0.0.1:8090", "https://host.test/exports/", "s3://corpora/in/"]
    expect(remoteFiles.sourcesProblem(good)).toBeUndefined()
    for (const wrong of ["127.0.0.1:8090", "me:word@host.test", "http://", "s3://", "exports/"]) {
      const problem = remoteFiles.sourcesProblem([...good, wrong])
      expect(problem).toContain("--sources: entry 4 is no address with a host.")
      expect(problem).not.toContain("word@")
    }
  })
})

describe("outputs of addresses", () => {
  const outputOf = (path: string, out?: string, folder = "") =>
    OutputPath.outputOf({ from: "en", out, isFolder: () => false })({ path, folder })("de")

  it("are beside their objects, and local ones of sources that are read by https:", () => {
    expect(outputOf("s3://corpora/in/a.csv")).toBe("s3://corpora/in/a.de.csv")
    expect(outputOf("s3://corpora/a.csv.gz")).toBe("s3://corpora/a.de.csv.gz")
    expect(outputOf("s3://corpora/locales/en.json")).toBe("s3://corpora/locales/de.json")
    expect(outputOf("https://host.test/x/some%20data.csv")).toBe("some data.de.csv")
  })

  it("follow --out: an object, a folder of a bucket, or a pattern", () => {
    expect(outputOf("s3://corpora/in/a.csv", "s3://other/out/{name}.{lang}.csv")).toBe(
      "s3://other/out/a.de.csv"
    )
    expect(outputOf("in/a.csv", "s3://other/{dir}/{name}.{lang}.{ext}", "in")).toBe("s3://other/in/a.de.csv")
    expect(outputOf("s3://corpora/in/x/a.csv", "s3://other/{dir}/{lang}.csv", "")).toBe("s3://other/de.csv")
    expect(outputOf("s3://corpora/in/x/a.csv", "s3://other/out/", "x")).toBe("s3://other/out/x/a.de.csv")
    expect(outputOf("s3://corpora/in/a.csv", "s3://other/b.csv")).toBe("s3://other/b.csv")
    expect(outputOf("s3://corpora/in/a.csv", "out/")).toBe("out/a.de.csv")
    expect(outputOf("s3://corpora/in/x/a.csv", "s3://other/{lang}/", "x")).toBe("s3://other/de/x/a.de.csv")
    expect(outputOf("s3://corpora/in/x/a.csv", "s3://other/{dir}/{lang}/", "x")).toBe(
      "s3://other/x/de/a.de.csv"
    )
    expect(outputOf("in/items.parquet", "out/{lang}/")).toBe("out/de/items.translated.parquet")
    expect(outputOf("https://host.test/a.csv", "s3://other/{name}.{lang}.{ext}")).toBe("s3://other/a.de.csv")
  })
})
