/** Parquet files as sources of a job: which outputs there are, what is left alone, and what no output is written of. */
import { appendFileSync, cpSync, existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Translator } from "effect-translate"
import { Check } from "effect-translate/checks"
import { Parquet } from "effect-translate/formats"
import { JobSource, OutputCheck } from "effect-translate/jobs"
import { badRequest, unauthorized } from "../stream/support.js"
import { asked, fromDuckDb } from "../support/parquet.js"
import { filesIn, folderWith, run } from "./fileSources.js"
import { marking } from "./support.js"

const format = Parquet.make({ columns: ["title"] })

const titles = (...titles: ReadonlyArray<string>) =>
  `select unnest([${titles.map((title) => `'${title}'`).join(", ")}]) as title, 1 as id`

/** A folder with a file that DuckDB has written, and the file as a source. */
const sourceOf = (query: string, options: Partial<JobSource.FileOptions> = {}) =>
  Effect.gen(function* () {
    const folder = yield* folderWith({})
    writeFileSync(`${folder}/a.parquet`, yield* fromDuckDb(query, ", row_group_size 2048"))
    const given = (more: Partial<JobSource.FileOptions> = {}) =>
      JobSource.file({
        path: `${folder}/a.parquet`,
        output: () => `${folder}/out.parquet`,
        stateFolder: `${folder}/.state`,
        format,
        ...options,
        ...more
      })
    return { folder, given, source: given() }
  })

const rowsIn = (folder: string, path = "out.parquet") =>
  asked(readFileSync(`${folder}/${path}`), "select * exclude (id) from {file}")

const inFolder = Effect.provide(NodeContext.layer)

describe("a Parquet file", () => {
  it.scoped("becomes one output with a column for each language, and is paid for once", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const { folder, source } = yield* sourceOf(titles("Mug", "Cup"))
      const { states, written } = yield* run(source, ["de", "pt-BR"])
      expect(states).toEqual(["written", "written"])
      expect(written[1]).toEqual({ output: `${folder}/out.parquet`, state: "written", stale: [] })
      expect(yield* rowsIn(folder)).toEqual([
        { title: "Mug", title_de: "de: Mug", title_pt_BR: "pt-BR: Mug" },
        { title: "Cup", title_de: "de: Cup", title_pt_BR: "pt-BR: Cup" }
      ])
      expect(sent()).toHaveLength(4)
      const again = yield* run(source, ["de", "pt-BR"])
      expect(again.states).toEqual(["unchanged", "unchanged"])
      expect(again.seen.map(({ texts }) => texts.cached)).toEqual([2, 2])
      expect(sent()).toHaveLength(4)
      expect(filesIn(folder)).toEqual(["a.parquet", "out.parquet"])
      expect(yield* JobSource.outputsIn(`${folder}/.state`)).toMatchObject([
        { path: `${folder}/out.parquet` }
      ])
    }).pipe(provide, inFolder)
  })

  it.scoped("has doubtful texts in each language told, in a clone too, until a person accepts it", () => {
    const source = "Please confirm your address."
    const refusal = "Als KI-Sprachmodell kann ich diese Anfrage leider nicht bearbeiten."
    const { provide, sent } = marking(undefined, (text, targetLang) =>
      targetLang === "de" && text === source ? refusal : `${targetLang}: ${text}`
    )
    return Effect.gen(function* () {
      const { folder, given } = yield* sourceOf(titles(source, "Cup"))
      const verify = { checks: [Check.modelReply] }
      const flagged = (state = ".state") =>
        Effect.map(
          run(given({ stateFolder: `${folder}/${state}`, stateRoot: folder }), ["de", "fr"], {
            options: { verify }
          }),
          ({ seen }) => seen.flatMap(({ flagged = [] }) => flagged.map(({ translation }) => translation))
        )
      expect(yield* flagged()).toEqual([refusal])
      expect(yield* flagged()).toEqual([refusal])
      cpSync(`${folder}/.state/records`, `${folder}/.clone/records`, { recursive: true })
      expect(yield* flagged(".clone")).toEqual([refusal])
      const accepted = yield* OutputCheck.accept({
        files: [
          {
            path: `${folder}/a.parquet`,
            output: () => `${folder}/out.parquet`,
            stateFolder: `${folder}/.clone`,
            stateRoot: folder,
            format
          }
        ],
        targets: ["de", "fr"],
        ...verify
      })
      expect(accepted).toMatchObject([
        { targetLang: "de", findings: [{ check: "modelReply" }] },
        { targetLang: "fr", findings: [] }
      ])
      expect(yield* flagged(".clone")).toEqual([])
      expect(sent()).toHaveLength(4)
    }).pipe(provide, inFolder)
  })

  it.scoped("is written anew for other languages, though its output is one", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, source } = yield* sourceOf(titles("Mug"))
      yield* run(source, ["de"])
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["written", "written"])
      expect(yield* rowsIn(folder)).toEqual([{ title: "Mug", title_de: "de: Mug", title_fr: "fr: Mug" }])
    }).pipe(provide, inFolder)
  })

  it.scoped("becomes an output for each language where their names differ", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, given } = yield* sourceOf(titles("Mug"))
      const source = given({ output: `${folder}/{lang}.parquet` })
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["written", "written"])
      expect(yield* rowsIn(folder, "de.parquet")).toEqual([{ title: "Mug", title_de: "de: Mug" }])
      expect(yield* rowsIn(folder, "fr.parquet")).toEqual([{ title: "Mug", title_fr: "fr: Mug" }])
    }).pipe(provide, inFolder)
  })

  it.scoped("names its new columns by a pattern", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, given } = yield* sourceOf("select 'Mug' as title, 'Red' as text, 1 as id")
      const ofPattern = (outputColumn: string) =>
        given({ format: Parquet.make({ columns: ["title", "text"], outputColumn }) })
      const source = ofPattern("{lang}: {column}")
      expect((yield* run(source, ["pt-BR"])).states).toEqual(["written"])
      expect(yield* rowsIn(folder)).toEqual([
        { title: "Mug", text: "Red", "pt_BR: title": "pt-BR: Mug", "pt_BR: text": "pt-BR: Red" }
      ])
      expect((yield* run(source, ["pt-BR"])).states).toEqual(["unchanged"])
      const refused = (pattern: string) =>
        Effect.map(Effect.flip(ofPattern(pattern).check!([{ lang: "de" }, { lang: "fr" }])), String)
      expect(yield* refused("new")).toContain("the pattern of columns lacks {lang}")
      expect(yield* refused("new_{lang}")).toContain("the pattern of columns lacks {column}")
    }).pipe(provide, inFolder)
  })

  it.scoped("of several row groups keeps its rows in their order, whichever language is faster", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const query =
        "select case when i % 5 = 2 then null else 't' || i end as title, i as id from (select range i from range(2500))"
      const { folder, source } = yield* sourceOf(query)
      const slow = (yield* Translator.Translator).translate
      const { states } = yield* run(source, ["de", "fr"], { options: { maxTexts: 50 } }).pipe(
        Effect.updateService(Translator.Translator, (translator) => ({
          ...translator,
          translate: (texts, options) =>
            options.targetLang === "fr"
              ? Effect.zipRight(Effect.yieldNow(), slow(texts, options))
              : slow(texts, options)
        }))
      )
      expect(states).toEqual(["written", "written"])
      const wrong =
        "select count(*)::integer as wrong from {file} where title is distinct from (case when id % 5 = 2 then null else 't' || id end) or title_de is distinct from 'de: ' || title or title_fr is distinct from 'fr: ' || title"
      expect(yield* asked(readFileSync(`${folder}/out.parquet`), wrong)).toEqual([{ wrong: 0 }])
    }).pipe(provide, inFolder)
  })

  it.scoped("leaves the source's text where a unit has failed, and says which", () => {
    const { provide } = marking((texts) => (texts.includes("Cup") ? badRequest : undefined))
    return Effect.gen(function* () {
      const { folder, given, source } = yield* sourceOf(titles("Mug", "Cup"))
      const { seen, states } = yield* run(source)
      expect(states).toEqual(["written"])
      expect(yield* rowsIn(folder)).toEqual([
        { title: "Mug", title_de: "de: Mug" },
        { title: "Cup", title_de: "Cup" }
      ])
      expect(seen.flatMap(({ failures }) => failures)).toMatchObject([
        { key: "2:title", line: 2, text: "Cup" }
      ])
      yield* run(given({ failed: "empty" }))
      expect(yield* rowsIn(folder)).toMatchObject([{ title_de: "de: Mug" }, { title_de: "" }])
    }).pipe(provide, inFolder)
  })

  it.scoped("is withheld behind the limit of a pilot, unless partial outputs are asked for", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const { folder, source } = yield* sourceOf(titles("Mug", "Cup", "Jug"))
      expect((yield* run(source, ["de", "fr"], { limit: 1 })).states).toEqual(["withheld", "withheld"])
      expect(filesIn(folder)).toEqual(["a.parquet"])
      expect(sent()).toEqual(["Mug", "Mug"])
      expect((yield* run(source, ["de"], { limit: 1, partial: true })).states).toEqual(["partial"])
      expect(yield* rowsIn(folder)).toMatchObject([
        { title_de: "de: Mug" },
        { title_de: "Cup" },
        { title_de: "Jug" }
      ])
    }).pipe(provide, inFolder)
  })

  it.scoped("is withheld from the others where one language ends with an error", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, source } = yield* sourceOf(titles("Mug", "Cup"))
      const { states } = yield* run(source, ["de", "fr"]).pipe(
        Effect.updateService(Translator.Translator, (translator) => ({
          ...translator,
          translate: (texts, options) =>
            options.targetLang === "fr" ? Effect.fail(unauthorized) : translator.translate(texts, options)
        }))
      )
      expect(states).toEqual(["withheld", "Unauthorized"])
      expect(filesIn(folder)).toEqual(["a.parquet"])
    }).pipe(provide, inFolder)
  })

  it.scoped("is halted with the texts that were read, publishes nothing, and goes on", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const query = "select 't' || i as title, i as id from (select range i from range(600))"
      const { folder, source } = yield* sourceOf(query)
      const halted = yield* Deferred.make<never, JobSource.JobStopped>()
      const { states } = yield* run(source, ["de", "fr"], {
        halted,
        observe: () => (sent().length > 20 ? Deferred.fail(halted, new JobSource.JobStopped()) : Effect.void)
      })
      expect(states).toEqual(["JobStopped", "JobStopped"])
      expect(sent().length).toBeLessThan(1200)
      expect(filesIn(folder)).toEqual(["a.parquet"])
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["written", "written"])
    }).pipe(provide, inFolder)
  })

  it.scoped("is not written over an output that was altered, if no store knows its translations", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, given, source } = yield* sourceOf(titles("Mug"))
      yield* run(source)
      writeFileSync(`${folder}/out.parquet`, yield* fromDuckDb("select 'Mug' as title, 'Becher' as title_de"))
      const { results } = yield* run(source)
      expect(results).toMatchObject([
        { left: { _tag: "OutputAltered", output: `${folder}/out.parquet`, why: "store" } }
      ])
      appendFileSync(`${folder}/out.parquet`, "x")
      expect((yield* run(source)).results).toMatchObject([
        { left: { _tag: "FormatError", file: `${folder}/out.parquet` } }
      ])
      expect((yield* run(given({ existing: "overwrite" }))).states).toEqual(["written"])
    }).pipe(provide, inFolder)
  })

  it.scoped("that is written while it is read gives no output", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, source } = yield* sourceOf(titles("Mug", "Cup"))
      const touch = Effect.sync(() => utimesSync(`${folder}/a.parquet`, 1, 1))
      const error = yield* Effect.flip(run(source, ["de"], { observe: () => touch }))
      expect(error).toMatchObject({ _tag: "SourceChanged", path: `${folder}/a.parquet` })
      expect(existsSync(`${folder}/out.parquet`)).toBe(false)
    }).pipe(provide, inFolder)
  })

  it.scoped("is forecast in each language, and estimated from its beginning if it is long", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const query = "select repeat('t', 1000) || i as title, i as id from (select range i from range(5000))"
      const { source } = yield* sourceOf(query)
      const targets = ["de", "fr"].map((targetLang) => ({ options: { targetLang } }))
      const forecasts = yield* source.forecast({ targets, limit: 10 })
      expect(forecasts.map(({ targetLang, translated }) => [targetLang, translated])).toEqual([
        ["de", 10],
        ["fr", 10]
      ])
      const estimate = yield* source.estimate!({ targets })
      expect(estimate.isExact).toBe(false)
      expect(estimate.forecasts.map((one) => one.in)).toEqual([5000, 5000])
      expect(sent()).toEqual([])
    }).pipe(provide, inFolder)
  })

  it.scoped(
    "is checked against the columns of its output: texts that are missing, left over, flagged or stale",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const { folder, given, source } = yield* sourceOf(titles("Mug of 30", "Cup"))
        const problemsOf = (targets: ReadonlyArray<string>, output = `${folder}/out.parquet`) => {
          const files = [
            { path: `${folder}/a.parquet`, output: () => output, stateFolder: `${folder}/.state`, format }
          ]
          return Effect.map(
            Stream.runCollect(
              OutputCheck.run({ files, targets, options: { sourceLang: "en" }, checks: [Check.numbers] })
            ),
            (problems) =>
              Array.from(problems, ({ error, finding, key, kind, outputLine, targetLang }) =>
                [kind, targetLang, key, outputLine, finding?.check ?? error?.message].filter(
                  (one) => one !== undefined
                )
              )
          )
        }
        const missing = (targetLang: string) => [
          ["missing", targetLang, "1:title"],
          ["missing", targetLang, "2:title"]
        ]
        expect(yield* problemsOf(["de", "fr"])).toEqual([...missing("de"), ...missing("fr")])
        yield* run(source, ["de"])
        expect(yield* problemsOf(["de"])).toEqual([])
        // The next run writes it anew, with both.
        expect(yield* problemsOf(["de", "fr"])).toEqual([
          ["otherOptions", "de"],
          ["otherOptions", "fr"],
          [
            "missing",
            "fr",
            expect.stringContaining(
              `${folder}/out.parquet: it has no column "title_fr", but "title", "title_de"`
            )
          ]
        ])
        yield* run(source, ["de", "fr"])
        expect(yield* problemsOf(["de", "fr"])).toEqual([])
        const altered = `${folder}/altered.parquet`
        writeFileSync(
          altered,
          yield* fromDuckDb(
            "select unnest(['Mug of 30', 'Cup']) title, unnest(['Becher von 40', null]) title_de"
          )
        )
        expect(yield* problemsOf(["de"], altered)).toEqual([
          ["unknown", "de"],
          ["flagged", "de", "1:title", 1, "numbers"],
          ["missing", "de", "2:title", 2]
        ])
        writeFileSync(`${folder}/a.parquet`, yield* fromDuckDb(titles("Mug of 30", "Plate")))
        expect(yield* problemsOf(["de", "fr"])).toEqual([
          ["stale", "de"],
          ["stale", "fr"]
        ])
        yield* run(given({ output: () => altered, existing: "overwrite" }), ["de"])
        writeFileSync(altered, "no such file")
        expect(yield* problemsOf(["de"], altered)).toEqual([
          ["unreadable", "de", expect.stringContaining(`${altered}: it does not end as a Parquet file does`)]
        ])
        writeFileSync(`${folder}/a.parquet`, "no such file")
        const unreadable = expect.stringContaining("a.parquet: it does not end as a Parquet file does")
        expect(yield* problemsOf(["de", "fr"])).toEqual([
          ["unreadable", "de", unreadable],
          ["unreadable", "fr", unreadable]
        ])
      }).pipe(provide, inFolder)
    }
  )

  it.scoped(
    "is checked with one opening for all of its languages, and a row without a translation is at its place",
    () =>
      Effect.gen(function* () {
        const { folder } = yield* sourceOf(titles("Mug", "Cup", "Pot"))
        const path = `${folder}/a.parquet`
        const query =
          "select unnest(['Mug', 'Cup', 'Pot']) title, unnest(['Becher', null, '']) title_de, unnest([null, '', 'Pot']) title_fr"
        writeFileSync(`${folder}/out.parquet`, yield* fromDuckDb(query))
        let opened = 0
        const found = (targets: ReadonlyArray<string>) =>
          Effect.gen(function* () {
            opened = 0
            const files = [{ path, output: () => `${folder}/out.parquet`, format }]
            const problems = yield* Stream.runCollect(OutputCheck.run({ files, targets }))
            const places = Array.from(problems, ({ kind, outputLine, targetLang }) => [
              kind,
              targetLang,
              outputLine
            ])
            return { places, opened }
          }).pipe(
            Effect.updateService(FileSystem.FileSystem, (fs) => ({
              ...fs,
              open: (file, options) => {
                if (file === path) opened++
                return fs.open(file, options)
              }
            }))
          )
        const { opened: once, places } = yield* found(["de"])
        const de = [
          ["unknown", "de", undefined],
          ["missing", "de", 2],
          ["missing", "de", 3]
        ]
        expect(places).toEqual(de)
        const fr = [
          ["unknown", "fr", undefined],
          ["missing", "fr", 1],
          ["missing", "fr", 2]
        ]
        expect(yield* found(["de", "fr"])).toEqual({ places: [...de, ...fr], opened: once })
      }).pipe(inFolder)
  )

  it.scoped("that can't be translated is refused before anything is sent", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const { folder, given, source } = yield* sourceOf(
        "select 'Mug' as title, 'Becher' as title_de, [1] as id"
      )
      const messageOf = (source: ReturnType<typeof given>) =>
        Effect.map(Effect.flip(source.check!([{ lang: "de" }])), String)
      expect(yield* messageOf(source)).toContain(`it has a column "title_de" already`)
      const of = (column: string) => messageOf(given({ format: Parquet.make({ columns: [column] }) }))
      expect(yield* of("id")).toContain(
        `the column "id" is not of texts, one in a row: choose some of "title", "title_de"`
      )
      expect(yield* of("name")).toContain(`it has no column "name", but "title", "title_de"`)
      writeFileSync(`${folder}/a.parquet`, readFileSync(`${folder}/a.parquet`).subarray(0, -20))
      expect(yield* messageOf(source)).toContain("it does not end as a Parquet file does")
    }).pipe(provide, inFolder)
  })
})
