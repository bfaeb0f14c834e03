/** Files as the corpus of a durable job: what its phases write and bill, and what it refuses. */
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Formats } from "effect-translate/formats"
import { JobSource, TranslationJob } from "effect-translate/jobs"
import { FileCorpus } from "effect-translate/workflow"
import { parquetWriteBuffer } from "hyparquet-writer"
import { folderWith, run, textIn } from "../job/fileSources.js"
import { billed, withService } from "../job/jobs.js"
import { marking } from "../job/support.js"
import { asked } from "../support/parquet.js"
import * as phases from "./phases.js"

const rows = (count: number) =>
  Array.from({ length: count }, (_, row) => `${row};"Mug ""${row % 60}""";"Two\nlines, ${row}"\r\n`).join("")

const files = {
  "a.csv": `\uFEFFid;title;body\r\n${rows(100)}`,
  "b.jsonl": Array.from({ length: 70 }, (_, row) => `{"title":"Cup ${row}"}\n`).join(""),
  "c.json": '{ "title": "Jug" }\n',
  "d.txt": "One line\n"
}

const options = (folder: string) => ({
  files: Object.keys(files).map((name) => ({
    path: `${folder}/${name}`,
    output: `${folder}/{lang}/${name}`,
    name
  })) as never as FileCorpus.Options["files"],
  columns: ["title", "body"],
  select: ["title"],
  stateFolder: `${folder}/.state`
})

const open = (given: FileCorpus.Options) =>
  Effect.flatMap(FileCorpus.reference(given), ({ reference }) =>
    FileCorpus.kind.open(JSON.parse(JSON.stringify(reference)))
  )

const outputsIn = (folder: string, targets: ReadonlyArray<string>) =>
  targets.flatMap((lang) => Object.keys(files).map((name) => textIn(folder, `${lang}/${name}`)))

const slicesOf = (folder: string, name: string) =>
  Effect.gen(function* () {
    const { sources } = yield* open(options(folder))
    const source = sources.find((source) => source.source.name === name)!
    const slices = yield* Stream.runCollect(source.slices!(() => 50))
    return { ...source, slices: Chunk.toReadonlyArray(slices), slice: source.slice! }
  })

const targets = ["de", "fr"]

describe("a corpus of files", () => {
  it.effect("is written and billed as by a TranslationJob, and its slices leave nothing to bill", () =>
    Effect.gen(function* () {
      const whole = yield* folderWith(files)
      const formats = Formats.make(options(whole))
      const undisturbed = yield* Effect.gen(function* () {
        yield* TranslationJob.run({
          targets,
          sources: options(whole).files.map(({ name, output, path }) =>
            JobSource.file({
              name,
              path,
              output: output as "{lang}",
              format: (file) => Formats.detect(file, formats),
              stateFolder: `${whole}/.state`
            })
          )
        })
        return yield* billed
      }).pipe(withService())
      const cut = yield* folderWith(files)
      const { all, filled, looked, planned, slices } = yield* open(options(cut)).pipe(
        Effect.flatMap((corpus) => phases.run(corpus, targets, 50)),
        withService()
      )
      expect(outputsIn(cut, targets)).toEqual(outputsIn(whole, targets))
      expect(all).toBe(undisturbed)
      // All but the file whose format knows no records.
      expect(all - filled).toBe(targets.length * "Jug".length)
      expect([slices, planned, looked]).toEqual([4 + 2 + 1, 271, 271])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("is known by names, which are the paths as they were given", () =>
    Effect.gen(function* () {
      const { kind, reference } = yield* FileCorpus.reference({
        files: [{ path: "a.csv", output: "{lang}/a.csv" }]
      })
      expect(kind).toBe("files")
      expect(reference).toEqual({
        stateFolder: `${process.cwd()}/.effect-translate`,
        files: [{ path: `${process.cwd()}/a.csv`, output: `${process.cwd()}/{lang}/a.csv`, name: "a.csv" }]
      })
      const ofShared = yield* FileCorpus.reference(
        { files: [{ path: "a.csv", output: "b" }] },
        { name: "shared" }
      )
      expect(ofShared.kind).toBe("shared")
      const { sources } = yield* FileCorpus.kind.open(reference)
      expect(sources.map(({ source }) => source.name)).toEqual(["a.csv"])
    }).pipe(marking().provide, Effect.provide(NodeContext.layer))
  )

  it.effect("is refused if files or new columns would share a name, or there is no such format", () =>
    Effect.gen(function* () {
      const refused = (given: FileCorpus.Options) =>
        Effect.map(Effect.flip(FileCorpus.reference(given)), ({ _tag, message }) => `${_tag}: ${message}`)
      const file = { path: "a.csv", output: "{lang}.csv" }
      expect(yield* refused({ files: [file, { ...file, path: "b.csv" }] })).toMatch(
        /^InvalidReference: .*two files have the output "\{lang\}.csv"/s
      )
      expect(yield* refused({ files: [file, { ...file, output: "{lang}" }] })).toContain(
        'two files have the name "a.csv"'
      )
      const columns = ["title", "text"]
      expect(yield* refused({ files: [file], columns, outputColumn: "{column}" })).toContain("lacks {lang}")
      expect(yield* refused({ files: [file], columns, outputColumn: "{lang}" })).toContain("lacks {column}")
      expect(yield* refused({ files: [file], format: "xls" })).toContain('There is no format "xls"')
      const misspelt = yield* Effect.flip(FileCorpus.kind.check({ files: [file], colums: ["title"] }))
      expect(misspelt.message).toBe(
        "The corpus of the job can't be used: colums is not known here: check its spelling"
      )
      expect(yield* Effect.flip(FileCorpus.kind.open({ files: [] }))).toMatchObject({
        _tag: "InvalidReference",
        kind: "files"
      })
    }).pipe(marking().provide, Effect.provide(NodeContext.layer))
  )
})

describe("folders that are allowed", () => {
  const kind = FileCorpus.makeKind({ name: "shared", folders: ["/srv/texts", "/srv/out/"] })
  const opened = (path: string, output: string, stateFolder?: string) =>
    Effect.map(
      Effect.either(kind.open({ files: [{ path, output }], stateFolder })),
      (result) => result._tag === "Right" || result.left.message
    )

  it.effect("hold all paths of a job, however these are written", () =>
    Effect.gen(function* () {
      expect(yield* opened("/srv/texts/a.csv", "/srv/out/{lang}/a.csv", "/srv/out/.state")).toBe(true)
      for (const outside of [
        "/srv/other/a.csv",
        "/srv/texts",
        "/srv/texts2/a.csv",
        "/srv/texts/../x",
        "/srv/texts\\a.csv",
        "srv/texts/a"
      ]) {
        expect(yield* opened(outside, "/srv/out/{lang}", "/srv/out/.state")).toContain(
          JSON.stringify(outside)
        )
        expect(yield* opened("/srv/texts/a.csv", outside, "/srv/out/.state")).toContain("may not use")
      }
      expect(yield* opened("/srv/texts/a.csv", "/srv/out/{lang}", "/home/.state")).toBe(
        'The corpus of the job can\'t be used: the workers may not use "/home/.state", which is in none of their folders (/srv/texts, /srv/out/), for what they know of outputs: submit the job from one, or name a stateFolder there.'
      )
      expect(yield* opened("/srv/texts/a.csv", "/srv/out/{lang}")).toBe(true)
    }).pipe(marking().provide, Effect.provide(NodeContext.layer))
  )

  it.effect("are not left by a link, of a source, an output or a folder", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const outside = yield* folderWith({ "secret.csv": "id;title\n1;Secret\n", "de.csv": "theirs" })
      const real = yield* folderWith({ "a.csv": `id;title\n${"1;Mug\n".repeat(200)}` })
      const parent = yield* folderWith({})
      // The folder itself may be a link: its operator has made it.
      const folder = `${parent}/texts`
      symlinkSync(real, folder)
      symlinkSync(`${outside}/secret.csv`, `${real}/secret.csv`)
      symlinkSync(outside, `${real}/out`)
      mkdirSync(`${real}/own`)
      symlinkSync(`${outside}/de.csv`, `${real}/own/de.csv`)
      symlinkSync(`${real}/own`, `${real}/inner`)
      const before = readdirSync(outside).map((name) => [name, textIn(outside, name)])
      const kind = FileCorpus.makeKind({ folders: [folder] })
      const opened = (path: string, output: string) =>
        Effect.map(
          kind.open({
            files: [{ path: `${folder}/${path}`, output: `${folder}/${output}` }],
            columns: ["title"]
          }),
          ({ sources }) => sources[0]!
        )
      const refused = { reason: expect.stringContaining("a link leads out of the folders") }

      const secret = yield* opened("secret.csv", "{lang}.csv")
      expect(yield* Effect.flip(run(secret.source))).toMatchObject({ _tag: "SourceUnreadable", ...refused })
      expect(yield* Effect.flip(Stream.runDrain(secret.slices!(() => 50)))).toMatchObject(refused)
      expect(yield* Effect.flip(run(secret.slice!({ format: "csv", start: 0, end: 20 })))).toMatchObject(
        refused
      )
      expect(sent()).toEqual([])
      for (const output of ["out/{lang}.csv", "out/new/{lang}.csv", "own/{lang}.csv"]) {
        const { source } = yield* opened("a.csv", output)
        const states = yield* Effect.match(run(source), {
          onFailure: ({ _tag }) => [_tag as string],
          onSuccess: ({ states }) => states
        })
        expect([output, states]).toEqual([output, ["OutputUnusable"]])
      }
      expect(sent()).toEqual([])
      // What is remembered of an output is written by its name.
      const kept = yield* opened("a.csv", "kept/{lang}.csv")
      mkdirSync(`${real}/.effect-translate/de/kept`, { recursive: true })
      symlinkSync(`${outside}/new.json`, `${real}/.effect-translate/de/kept/de.csv.json.next`)
      yield* Effect.exit(run(kept.source))
      expect(readdirSync(outside).map((name) => [name, textIn(outside, name)])).toEqual(before)

      const { source } = yield* opened("a.csv", "inner/fr-{lang}.csv")
      expect((yield* run(source)).states).toEqual(["written"])
      expect(textIn(real, "own/fr-de.csv")).toContain("de: Mug")
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a slice", () => {
  it.effect(
    "of a file that was changed so that it can't be decoded translates the readable part, and fails nothing",
    () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith(files)
        const { slice, slices } = yield* slicesOf(folder, "a.csv")
        writeFileSync(`${folder}/a.csv`, `id;title;body\r\n${"x".repeat(2000)}"${rows(20)}`)
        for (const { reference } of slices) {
          const { states } = yield* run(slice(reference))
          expect(["written", "partial"]).toContain(states[0])
        }
        expect(sent().length).toBeLessThan(40)
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    }
  )

  it.effect("of a Parquet file is a range of row groups, and leaves nothing to bill", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      const title = Array.from({ length: 50 }, (_, row) => `Mug ${row}`)
      const columnData = [{ name: "title", type: "STRING", data: title }] as const
      const rows = parquetWriteBuffer({ columnData: [...columnData], rowGroupSize: 20 })
      writeFileSync(`${folder}/a.parquet`, new Uint8Array(rows))
      const given = {
        files: [{ path: `${folder}/a.parquet`, output: `${folder}/out.parquet` }] as const,
        columns: ["title"],
        stateFolder: `${folder}/.state`
      }
      const corpus = yield* open(given)
      const slices = Chunk.toReadonlyArray(yield* Stream.runCollect(corpus.sources[0]!.slices!(() => 30)))
      expect(slices.map(({ reference, texts }) => [reference, texts])).toEqual([
        [{ format: "parquet", firstGroup: 0, endGroup: 1 }, 20],
        [{ format: "parquet", firstGroup: 1, endGroup: 3 }, 30]
      ])
      const { all, filled } = yield* phases.run(corpus, targets, 30).pipe(withService())
      expect(all).toBe(filled)
      const output = readFileSync(`${folder}/out.parquet`)
      const right =
        "select count(*)::integer as rows from {file} where title_de = '[de] ' || replace(title, 'u', 'û') and title_fr = '[fr] ' || replace(title, 'u', 'û')"
      expect(yield* asked(output, right)).toEqual([{ rows: 50 }])
      writeFileSync(`${folder}/a.parquet`, "no Parquet")
      const { states } = yield* run(corpus.sources[0]!.slice!(slices[1]!.reference))
      expect(states).toEqual(["partial"])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("fails if its file is not there, as the shared path may be missing on this machine", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(files)
      const { slice, slices } = yield* slicesOf(folder, "a.csv")
      const elsewhere = yield* folderWith({})
      const moved = (yield* open(options(elsewhere))).sources[0]!.slice!(slices[0]!.reference)
      const [error, same] = yield* Effect.all([Effect.flip(run(moved)), run(slice(slices[0]!.reference))])
      expect(error).toMatchObject({ _tag: "SourceUnreadable", path: `${elsewhere}/a.csv` })
      expect(same.states).toEqual(["written"])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("that another version has written is nothing to translate", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith(files)
      const { slice } = yield* slicesOf(folder, "a.csv")
      yield* run(slice({ from: 1 }))
      yield* run(slice({ start: 0, end: 100, format: "unknown" }))
      expect(sent()).toEqual([])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect(
    "has a mebibyte at most, where texts are long, and no record that is longer than a text may be",
    () =>
      Effect.gen(function* () {
        const line = `${"word ".repeat(20_000)}\n`
        const long = `${"x".repeat(17 * 1024 * 1024)}\n`
        const folder = yield* folderWith({ ...files, "d.txt": line.repeat(12) + long + line.repeat(11) })
        const { slices } = yield* slicesOf(folder, "d.txt")
        expect(slices.map(({ texts }) => texts)).toEqual([10, 2, 10, 1])
      }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("ends where a quote is misplaced, and the source says why", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith(files)
      appendFileSync(`${folder}/a.csv`, `1;"a"b;c\r\n${rows(100)}`)
      const { slices, source } = yield* slicesOf(folder, "a.csv")
      // The last has the rest of the file, of which nothing can be read.
      expect(slices).toHaveLength(5)
      expect((yield* run(source)).states).toEqual(["FormatError"])
    }).pipe(marking().provide, Effect.scoped, Effect.provide(NodeContext.layer))
  )
})

describe("a revision", () => {
  it.effect("is another one once a file or an option is, but not if a small file was copied", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ ...files, "d.txt": "large ".repeat(20_000) })
      const given = options(folder)
      const first = yield* FileCorpus.revision(given)
      utimesSync(`${folder}/a.csv`, 1, 1)
      expect(yield* FileCorpus.revision(given)).toBe(first)
      const others = [yield* FileCorpus.revision({ ...given, columns: ["title"] })]
      writeFileSync(`${folder}/c.json`, '{ "title": "Can" }\n')
      others.push(yield* FileCorpus.revision(given))
      utimesSync(`${folder}/d.txt`, 1, 1)
      others.push(yield* FileCorpus.revision(given))
      expect(new Set([first, ...others]).size).toBe(4)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )

  it.effect("fails if a file is missing", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        FileCorpus.revision({ files: [{ path: "/no/such.csv", output: "{lang}" }] })
      )
      expect(error).toMatchObject({ _tag: "SourceUnreadable", path: "/no/such.csv" })
    }).pipe(marking().provide, Effect.provide(NodeContext.layer))
  )
})
