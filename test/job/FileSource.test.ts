/** Files as sources of a job: what is published, what is left alone, and what is refused before anything is sent. */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import * as FileSystem from "@effect/platform/FileSystem"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Csv, Translator } from "effect-translate"
import { Formats, I18next, Json } from "effect-translate/formats"
import { JobSource } from "effect-translate/jobs"
import { badRequest, unauthorized } from "../stream/support.js"
import { bilingual, keyed, unmerged } from "../support/keyedFormat.js"
import { filesIn, folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { marking } from "./support.js"

const csv = Csv.make({ columns: ["title"] })

const refusing = (text: string) => marking((texts) => (texts.includes(text) ? badRequest : undefined))

describe("an output that can't be looked at", () => {
  it.effect("is refused, and not taken for one that is missing: nothing is sent", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": `{"title":"Mug"}` })
      const source = sourceIn(folder, "a.json", { format: Json.format })
      yield* run(source)
      const fs = yield* FileSystem.FileSystem
      const blind = FileSystem.FileSystem.of({
        ...fs,
        stat: (path) => (path === `${folder}/de/a.json` ? fs.stat(`${folder}/a.json/a`) : fs.stat(path))
      })
      const error = yield* Effect.flip(Effect.provideService(run(source), FileSystem.FileSystem, blind))
      expect(error).toMatchObject({ _tag: "OutputUnusable", output: `${folder}/de/a.json` })
      expect(sent()).toEqual(["Mug"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a name that no file can have", () => {
  for (const where of ["path", "output", "stateFolder"] as const) {
    it.effect(`is refused as ${where}`, () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith({ "a.json": `{"title":"Mug"}` })
        const options = {
          path: `${folder}/a.json`,
          output: () => `${folder}/de.json`,
          stateFolder: `${folder}/.state`
        }
        const odd = where === "output" ? () => `${folder}/a\u0000` : `${folder}/a\u0000`
        const error = yield* Effect.flip(
          run(JobSource.file({ ...options, [where]: odd, name: "a", format: Json.format }))
        )
        expect(error).toMatchObject({ reason: "its name holds a control character" })
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }
})

describe("a state folder that is elsewhere", () => {
  it.effect("knows outputs by their paths from stateRoot, and by those of no other folder", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "id,title\n1,Mug\n" })
      const kept = { stateFolder: `${folder}/far/away/state`, stateRoot: folder }
      yield* run(sourceIn(folder, "a.csv", { format: csv, ...kept }), ["de"])
      expect(textIn(folder, "far/away/state/records/de/de/a.csv.jsonl")).toContain('{"output":')
      const outputs = yield* JobSource.outputsIn(kept.stateFolder, folder)
      expect(outputs).toMatchObject([{ path: `${folder}/de/a.csv`, targetLang: "de" }])
      const before = sent().length
      const { states } = yield* run(sourceIn(folder, "a.csv", { format: csv, ...kept }), ["de"])
      expect([states, sent().length]).toEqual([["unchanged"], before])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a file that streams", () => {
  it.effect("is written for each language, in folders that are made", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "id,title\n1,Mug\n2,Cup\n" })
      const { states, written } = yield* run(sourceIn(folder, "a.csv", { format: csv }), ["de", "pt-BR"])
      expect(states).toEqual(["written", "written"])
      expect(written[1]).toMatchObject({ output: `${folder}/pt-BR/a.csv`, stale: [] })
      expect(textIn(folder, "de/a.csv")).toBe("id,title\n1,de: Mug\n2,de: Cup\n")
      expect(textIn(folder, "pt-BR/a.csv")).toBe("id,title\n1,pt-BR: Mug\n2,pt-BR: Cup\n")
      expect(filesIn(folder)).toEqual(["a.csv", "de/a.csv", "pt-BR/a.csv"])
      expect(sent()).toHaveLength(4)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("is found by the folder of the records, whatever its name is", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const names = ["a%b.csv", "a%25b.csv", "x:y.csv", "b.json.csv"]
      const folder = yield* folderWith(Object.fromEntries(names.map((name) => [name, "title\nMug\n"])))
      for (const name of names)
        yield* run(sourceIn(folder, name, { format: csv, output: () => `${folder}/de.${name}` }))
      const stateFolder = `${folder}/below/.state`
      yield* run(sourceIn(folder, "x:y.csv", { format: csv, stateFolder }))
      const remembered = yield* JobSource.outputsIn(`${folder}/.state`)
      expect(remembered.map(({ path }) => path).sort()).toEqual(
        names.map((name) => `${folder}/de.${name}`).sort()
      )
      expect(yield* JobSource.outputsIn(stateFolder)).toMatchObject([
        { path: `${folder}/de/x:y.csv`, targetLang: "de" }
      ])
      expect(yield* JobSource.outputsIn(`${folder}/none`)).toEqual([])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("leaves an output with the same bytes and its times alone", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\nMug\n" })
      const source = sourceIn(folder, "a.csv", { format: csv })
      yield* run(source)
      utimesSync(`${folder}/de/a.csv`, 1, 1)
      const state = statSync(`${folder}/.state/records/de/de/a.csv.jsonl`)
      const { states } = yield* run(source)
      expect(states).toEqual(["unchanged"])
      expect(statSync(`${folder}/de/a.csv`).mtimeMs).toBe(1000)
      expect(statSync(`${folder}/.state/records/de/de/a.csv.jsonl`).mtimeMs).toBe(state.mtimeMs)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect(
    "is not written over an output that was altered, or that was never written here, if no store knows its translations",
    () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith({ "a.csv": "title\nMug\n", "b.csv": "title\nCup\n" })
        const source = sourceIn(folder, "a.csv", { format: csv })
        yield* run(source)
        appendFileSync(`${folder}/de/a.csv`, "Von Hand\n")
        writeFileSync(`${folder}/de/b.csv`, "title\nVon Hand\n")
        const altered = yield* run(source)
        const foreign = yield* run(sourceIn(folder, "b.csv", { format: csv }))
        expect([...altered.results, ...foreign.results]).toMatchObject([
          { left: { _tag: "OutputAltered", output: `${folder}/de/a.csv`, meanwhile: false, why: "places" } },
          { left: { _tag: "OutputAltered", output: `${folder}/de/b.csv`, meanwhile: false, why: "store" } }
        ])
        expect(sent()).toEqual(["Mug"])
        expect(textIn(folder, "de/b.csv")).toContain("Von Hand")
        const { states } = yield* run(sourceIn(folder, "a.csv", { format: csv, existing: "overwrite" }))
        expect([states, textIn(folder, "de/a.csv")]).toEqual([["written"], "title\nde: Mug\n"])
        expect((yield* run(source)).states).toEqual(["unchanged"])
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    }
  )

  it.effect("leaves the source's text where a unit failed, and says which", () => {
    const { provide } = refusing("Cup")
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "id,title\n1,Mug\n2,Cup\n" })
      const { seen, states } = yield* run(sourceIn(folder, "a.csv", { format: csv }))
      expect(states).toEqual(["written"])
      expect(textIn(folder, "de/a.csv")).toBe("id,title\n1,de: Mug\n2,Cup\n")
      expect(seen.flatMap(({ failures }) => failures)).toEqual([
        {
          key: "2:title",
          line: 3,
          text: "Cup",
          error: { _tag: "BadRequest", message: expect.any(String) }
        }
      ])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("leaves nothing where a unit failed, if that is asked", () => {
    const { provide } = refusing("Cup")
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "id,title\n1,Mug\n2,Cup\n" })
      yield* run(sourceIn(folder, "a.csv", { format: csv, failed: "empty" }))
      expect(textIn(folder, "de/a.csv")).toBe("id,title\n1,de: Mug\n2,\n")
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("that a limit cuts is withheld, or published if partial outputs are asked for", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\nMug\nCup\nJug\n" })
      const source = sourceIn(folder, "a.csv", { format: csv })
      expect((yield* run(source, ["de"], { limit: 2 })).states).toEqual(["withheld"])
      expect(filesIn(folder)).toEqual(["a.csv"])
      expect((yield* run(source, ["de"], { limit: 2, partial: true })).states).toEqual(["partial"])
      expect(textIn(folder, "de/a.csv")).toBe("title\nde: Mug\nde: Cup\nJug\n")
      expect(sent()).toEqual(["Mug", "Cup", "Mug", "Cup"])
      expect((yield* run(source, ["de"], { limit: 3 })).states).toEqual(["written"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("that an error ends is not published, and leaves no temporary file", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": 'title\nMug\n"Cup\n' })
      const { states } = yield* run(sourceIn(folder, "a.csv", { format: csv }))
      expect(states).toEqual(["FormatError"])
      expect(filesIn(folder)).toEqual(["a.csv"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect(
    "of a job that has ended is published with its translations so far, if partial outputs are asked for",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith({ "a.csv": `title\n${"Mug\nCup\nJug\n".repeat(3)}` })
        let texts = 0
        const observe = (outcomes: ReadonlyArray<JobSource.Observed>) =>
          Effect.suspend(() => {
            for (const outcome of outcomes) texts += outcome.texts.translated
            return texts > 2 ? Effect.fail(new JobSource.JobStopped()) : Effect.void
          })
        const source = sourceIn(folder, "a.csv", { format: csv })
        expect((yield* run(source, ["de"], { observe })).states).toEqual(["JobStopped"])
        expect(filesIn(folder)).toEqual(["a.csv"])
        texts = 0
        expect((yield* run(source, ["de"], { observe, partial: true })).states).toEqual(["partial"])
        const lines = textIn(folder, "de/a.csv").split("\n")
        expect(lines).toHaveLength(11)
        expect(lines.slice(0, 3)).toEqual(["title", "de: Mug", "de: Cup"])
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    }
  )

  it.effect("that changes while it is read ends without an output", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": "title\nMug\n" })
      const fs = yield* FileSystem.FileSystem
      let opened = 0
      const changing = FileSystem.FileSystem.of({
        ...fs,
        open: (path, options) =>
          Effect.tap(fs.open(path, options), () =>
            Effect.sync(() => {
              // First the beginning is read, which shows the format.
              if (path.endsWith("/a.csv") && ++opened === 2) appendFileSync(path, "Cup\n")
            })
          )
      })
      const error = yield* run(sourceIn(folder, "a.csv", { format: csv })).pipe(
        Effect.provideService(FileSystem.FileSystem, changing),
        Effect.flip
      )
      expect(error).toMatchObject({ _tag: "SourceChanged", path: `${folder}/a.csv` })
      expect(filesIn(folder)).toEqual(["a.csv"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("a file that is read as a whole", () => {
  it.effect("keeps a person's edits of the output, and reports those that are stale", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\nb = B\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      yield* run(source)
      writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\nb = de: B\n")
      writeFileSync(`${folder}/a.keyed`, "a = A2\nb = B\nc = C\n")
      const { states, written } = yield* run(source)
      expect([states, written[0]!.stale]).toEqual([
        ["written"],
        [{ key: "a", text: "A2", translation: "Von Hand" }]
      ])
      expect(textIn(folder, "de/a.keyed")).toBe("a = Von Hand\nb = de: B\nc = de: C\n")
      expect(sent()).toEqual(["A", "B", "C"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("costs nothing and leaves its output alone the second time", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"A","b":"B"}' })
      const source = sourceIn(folder, "a.json", { format: Json.make() })
      yield* run(source, ["de", "fr"])
      for (const lang of ["de", "fr"]) utimesSync(`${folder}/${lang}/a.json`, 1, 1)
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["unchanged", "unchanged"])
      expect(["de", "fr"].map((lang) => statSync(`${folder}/${lang}/a.json`).mtimeMs)).toEqual([1000, 1000])
      expect(sent()).toHaveLength(4)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("is written anew if that is asked", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\n" })
      yield* run(sourceIn(folder, "a.keyed", { format: keyed }))
      writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\n")
      const { states } = yield* run(sourceIn(folder, "a.keyed", { format: keyed, existing: "overwrite" }))
      expect([states, textIn(folder, "de/a.keyed")]).toEqual([["written"], "a = de: A\n"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  for (const format of [keyed, unmerged]) {
    for (const [failed, left] of [
      ["previous", "de: A"],
      ["source", "A2"],
      ["empty", ""]
    ] as const) {
      const name = format.merge === undefined ? "without merge" : "with merge"
      it.effect(`leaves ${failed} where a unit failed, and translates it the next time (${name})`, () => {
        const working = marking()
        return Effect.gen(function* () {
          const folder = yield* folderWith({ "a.keyed": "a = A\n" })
          const source = sourceIn(folder, "a.keyed", { format, failed })
          yield* working.provide(run(source))
          writeFileSync(`${folder}/a.keyed`, "a = A2\n")
          const { states } = yield* refusing("A2").provide(run(source))
          expect(states).toEqual([failed === "previous" ? "unchanged" : "written"])
          expect(textIn(folder, "de/a.keyed")).toBe(`a = ${left}\n`)
          yield* working.provide(run(source))
          expect(textIn(folder, "de/a.keyed")).toBe("a = de: A2\n")
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
      })
    }
  }

  it.effect("that a limit cuts keeps the translations of the output behind it", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\nb = B\n" })
      const source = sourceIn(folder, "a.keyed", { format: unmerged })
      yield* run(source)
      writeFileSync(`${folder}/a.keyed`, "a = A2\nb = B2\n")
      expect((yield* run(source, ["de"], { limit: 1 })).states).toEqual(["withheld"])
      expect(textIn(folder, "de/a.keyed")).toBe("a = de: A\nb = de: B\n")
      expect((yield* run(source, ["de"], { limit: 1, partial: true })).states).toEqual(["partial"])
      expect(textIn(folder, "de/a.keyed")).toBe("a = de: A2\nb = de: B\n")
      expect((yield* run(source)).states).toEqual(["written"])
      expect(textIn(folder, "de/a.keyed")).toBe("a = de: A2\nb = de: B2\n")
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect(
    "is published with its translations so far when a job has ended, if partial outputs are asked for",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const lines = Array.from({ length: 300 }, (_, index) => `k${index} = T${index}\n`)
        const folder = yield* folderWith({ "a.keyed": lines.join("") })
        const observe = () => Effect.fail(new JobSource.JobStopped())
        const source = sourceIn(folder, "a.keyed", { format: keyed })
        expect((yield* run(source, ["de"], { observe })).states).toEqual(["JobStopped"])
        expect(filesIn(folder)).toEqual(["a.keyed"])
        expect((yield* run(source, ["de"], { observe, partial: true })).states).toEqual(["partial"])
        const translated = textIn(folder, "de/a.keyed")
        expect(translated.startsWith("k0 = de: T0\n")).toBe(true)
        expect(translated.endsWith("k299 = T299\n")).toBe(true)
        expect((yield* run(source)).states).toEqual(["written"])
        expect(textIn(folder, "de/a.keyed")).toBe(lines.join("").replaceAll("= ", "= de: "))
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    }
  )

  it.effect("and holds both languages may be its own output", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.both": "a = A\nb = B | Von Hand\n" })
      const source = sourceIn(folder, "a.both", { format: bilingual, output: () => `${folder}/a.both` })
      expect((yield* run(source)).states).toEqual(["written"])
      expect(textIn(folder, "a.both")).toBe("a = A | de: A\nb = B | Von Hand\n")
      expect((yield* run(source)).states).toEqual(["unchanged"])
      expect(sent()).toEqual(["A"])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("is not written over an edit that was made while it was translated", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      yield* run(source)
      writeFileSync(`${folder}/a.keyed`, "a = A2\n")
      const observe = () => Effect.sync(() => writeFileSync(`${folder}/de/a.keyed`, "a = Von Hand\n"))
      const { results, states } = yield* run(source, ["de"], { observe })
      expect([states, results[0]]).toMatchObject([["OutputAltered"], { left: { meanwhile: true } }])
      expect(textIn(folder, "de/a.keyed")).toBe("a = Von Hand\n")
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect(
    "knows whose each translation is after a process that ended between the state and the output",
    () => {
      const { provide } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith({ "a.keyed": "a = A\n" })
        const source = sourceIn(folder, "a.keyed", { format: keyed })
        const state = `${folder}/.state/records/de/de/a.keyed.jsonl`
        const next = `${folder}/.state/cache/de/de/a.keyed.jsonl.next`
        yield* run(source)
        const [before, output] = [readFileSync(state), readFileSync(`${folder}/de/a.keyed`)]
        writeFileSync(`${folder}/a.keyed`, "a = A2\n")
        yield* run(source)
        const after = readFileSync(state)
        // The output has its name, the state has not.
        writeFileSync(next, after)
        writeFileSync(state, before)
        writeFileSync(`${folder}/a.keyed`, "a = A3\n")
        expect((yield* run(source)).written[0]).toMatchObject({ state: "written", stale: [] })
        expect([textIn(folder, "de/a.keyed"), existsSync(next)]).toEqual(["a = de: A3\n", false])
        // Neither has.
        writeFileSync(next, after)
        writeFileSync(state, before)
        writeFileSync(`${folder}/de/a.keyed`, output)
        expect((yield* run(source)).written[0]).toMatchObject({ state: "written", stale: [] })
        expect(textIn(folder, "de/a.keyed")).toBe("a = de: A3\n")
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    }
  )
})

describe("an error before anything is translated", () => {
  for (const [name, format] of [
    ["a.csv", csv],
    ["a.keyed", keyed]
  ] as const) {
    it.effect(`publishes nothing, not even a partial output: ${name}`, () => {
      const { provide } = marking(() => unauthorized)
      return Effect.gen(function* () {
        const folder = yield* folderWith({ "a.csv": "title\nMug\n", "a.keyed": "a = A\n" })
        const { states } = yield* run(sourceIn(folder, name, { format }), ["de"], { partial: true })
        expect(states).toEqual(["Unauthorized"])
        expect(filesIn(folder)).toEqual(["a.csv", "a.keyed"])
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }
})

describe("before anything is sent", () => {
  const refused = (
    name: string,
    files: Readonly<Record<string, string>>,
    make: (folder: string) => JobSource.FileOptions,
    expected: object,
    prepare: (folder: string) => void = () => undefined
  ) =>
    it.effect(name, () => {
      const { provide, sent } = marking()
      return Effect.gen(function* () {
        const folder = yield* folderWith(files)
        prepare(folder)
        const source = JobSource.file({ stateFolder: `${folder}/.state`, ...make(folder) })
        const error = yield* Effect.flip(source.check!([{ lang: "de" }, { lang: "fr" }]))
        expect(error).toMatchObject(expected)
        expect(yield* Effect.flip(run(source, ["de", "fr"]))).toEqual(error)
        expect(sent()).toEqual([])
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  const one = { "a.csv": "title\nMug\n" }

  refused(
    "a source that is not there is refused",
    {},
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: `${folder}/{lang}.csv` }),
    { _tag: "SourceUnreadable", message: expect.stringContaining("check its name") }
  )
  refused(
    "an output of two languages is refused",
    one,
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: () => `${folder}/b.csv` }),
    { _tag: "OutputTaken", targets: ["de", "fr"], message: expect.stringContaining("{lang}") }
  )
  refused(
    "an output that is the source is refused",
    { "fr.csv": "title\nMug\n" },
    (folder) => ({ path: `${folder}/fr.csv`, format: csv, output: `${folder}/{lang}.csv` }),
    { _tag: "OutputIsSource", targetLang: "fr" }
  )
  refused(
    "an output that is the source by a link is refused",
    one,
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: `${folder}/{lang}.csv` }),
    { _tag: "OutputIsSource", targetLang: "fr" },
    (folder) => symlinkSync(`${folder}/a.csv`, `${folder}/fr.csv`)
  )
  refused(
    "an output in a folder that can't be made is refused",
    one,
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: `${folder}/a.csv/{lang}.csv` }),
    { _tag: "OutputUnusable", message: expect.stringContaining("folder") }
  )
  refused(
    "an output that is a folder is refused",
    one,
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: `${folder}/{lang}` }),
    { _tag: "OutputUnusable", reason: "it is a folder" },
    (folder) => mkdirSync(`${folder}/de`)
  )
  refused(
    "an output that is a device is refused",
    one,
    (folder) => ({
      path: `${folder}/a.csv`,
      format: csv,
      output: (lang) => (lang === "de" ? "/dev/null" : `${folder}/b.csv`),
      existing: "overwrite"
    }),
    { _tag: "OutputUnusable", reason: "it is no regular file" }
  )
  refused(
    "a source that is no file is refused",
    {},
    (folder) => ({ path: folder, format: csv, output: `${folder}/{lang}.csv` }),
    { _tag: "SourceUnreadable", reason: "it is no regular file" }
  )
  refused(
    "a state that is damaged is refused",
    one,
    (folder) => ({ path: `${folder}/a.csv`, format: csv, output: `${folder}/{lang}.csv` }),
    { _tag: "StateUnusable", message: expect.stringContaining("restore") },
    (folder) => {
      mkdirSync(`${folder}/.state/records/de`, { recursive: true })
      writeFileSync(`${folder}/.state/records/de/de.csv.jsonl`, "{")
    }
  )
  refused(
    "a format that is not known is refused",
    { "a.xyz": "?" },
    (folder) => ({ path: `${folder}/a.xyz`, format: Formats.detect, output: `${folder}/{lang}.xyz` }),
    { _tag: "UnknownFormat" }
  )
})

describe("an output", () => {
  it.effect("behind a link is written, and the link stays; its mode stays, too", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\n", "real.keyed": "a = \n" })
      chmodSync(`${folder}/real.keyed`, 0o600)
      symlinkSync(`${folder}/real.keyed`, `${folder}/de.keyed`)
      yield* run(sourceIn(folder, "a.keyed", { format: keyed, output: `${folder}/{lang}.keyed` }))
      expect(textIn(folder, "real.keyed")).toBe("a = de: A\n")
      expect(statSync(`${folder}/real.keyed`).mode & 0o777).toBe(0o600)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })

  it.effect("has the format that the file shows", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "en.json": '{"n_one":"one","n_other":"{{count}} files"}' })
      const source = sourceIn(folder, "en.json", {
        format: Formats.detect,
        output: `${folder}/{lang}.json`
      })
      yield* run(source)
      expect(JSON.parse(textIn(folder, "de.json"))).toEqual({
        n_one: "de: one",
        n_other: "de: {{count}} files"
      })
      expect(I18next.format.name).toBe("i18next")
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})

describe("an interruption", () => {
  for (const [name, format] of [
    ["a.csv", csv],
    ["a.keyed", keyed]
  ] as const) {
    it.effect(`leaves no temporary file of ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderWith({ "a.csv": "title\nMug\n", "a.keyed": "a = A\n" })
        const sent = yield* Deferred.make<void>()
        const translate = () => Effect.zipRight(Deferred.succeed(sent, undefined), Effect.never)
        const fiber = yield* run(sourceIn(folder, name, { format })).pipe(
          Effect.provideService(Translator.Translator, { translate }),
          Effect.fork
        )
        yield* Deferred.await(sent)
        yield* Fiber.interrupt(fiber)
        expect(filesIn(folder)).toEqual(["a.csv", "a.keyed"])
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
    )
  }
})

describe("a forecast", () => {
  it.effect("counts texts that would be sent, and leaves no trace", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const folder = yield* folderWith({ "a.keyed": "a = A\nb = B\n", "a.csv": "title\nMug\n" })
      const source = sourceIn(folder, "a.keyed", { format: keyed })
      const into = (targetLang: string) => ({ options: { targetLang, sourceLang: "en" } })
      const none = yield* sourceIn(folder, "a.csv", { format: csv }).forecast({ targets: [into("de")] })
      expect(none).toMatchObject([{ in: 1, translated: 1, characters: 3 }])
      expect(filesIn(folder)).toEqual(["a.csv", "a.keyed"])
      expect(existsSync(`${folder}/de`)).toBe(false)
      yield* run(source, ["de"])
      writeFileSync(`${folder}/a.keyed`, "a = A\nb = B2\n")
      const before = sent().length
      const forecasts = yield* source.forecast({ targets: [into("de"), into("fr")] })
      expect(forecasts).toMatchObject([
        { targetLang: "de", translated: 1, skipped: 1, characters: 2 },
        { targetLang: "fr", translated: 2, skipped: 0, characters: 3 }
      ])
      expect(yield* source.forecast({ targets: [into("fr")], limit: 1 })).toMatchObject([
        { translated: 1, characters: 1 }
      ])
      expect(sent()).toHaveLength(before)
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})
