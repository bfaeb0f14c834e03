/** Files with syntax: which is protected, what becomes of texts that are not understood, and that what was paid for stays. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type FailedUnits, TranslateStream, TranslationStore } from "effect-translate"
import { Formats } from "effect-translate/formats"
import { JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { folderWith } from "./fileSources.js"
import { billed, rowsOf, table, withService } from "./jobs.js"

const formats = Formats.make({ columns: ["t"], select: undefined })

const fileIn = (folder: string, name: string): JobSource.FileOptions => ({
  path: `${folder}/${name}`,
  output: `${folder}/{lang}/${name}`,
  stateFolder: `${folder}/.state`,
  stateRoot: folder,
  format: (file) => Formats.detect(file, formats)
})

const translate = (folder: string, name: string, syntax?: TranslateStream.SyntaxOptions) =>
  Effect.gen(function* () {
    const failed: Array<FailedUnits.FailedUnit> = []
    const report = yield* TranslationJob.run({
      sources: [JobSource.file(fileIn(folder, name))],
      targets: ["de"],
      options: { sourceLang: "en", syntax },
      onFailed: (unit) => Effect.sync(() => void failed.push(unit))
    })
    return {
      report,
      failed,
      keys: failed.map(({ key, reason }) => [key, reason]),
      output: readFileSync(`${folder}/de/${name}`, "utf8")
    }
  })

/** Translates these texts as they were before there was a table of syntax. */
const paidBefore = (texts: ReadonlyArray<string>, placeholders?: TranslateStream.Placeholders) =>
  Effect.gen(function* () {
    const store = yield* TranslationStore.TranslationStore
    yield* Stream.fromIterable(texts).pipe(
      TranslateStream.translate({ targetLang: "de", sourceLang: "en", store, placeholders }),
      Stream.runDrain
    )
    return yield* billed
  })

describe("a catalogue with syntax", () => {
  it.effect("keeps its placeholders through a service that changes letters anywhere", () =>
    Effect.gen(function* () {
      const texts = {
        a: "The %count% files of %user%",
        b: "Eine 20%ige Lösung",
        c: "Back to @.lower:nav.home, me{'@'}x.org $t(key)",
        d: "{% if a %}b{% endif %} __name__ $name$"
      }
      const folder = yield* folderWith({ "a.json": JSON.stringify(texts) })
      expect(JSON.parse((yield* translate(folder, "a.json")).output)).toStrictEqual({
        a: "[de] Thé %count% fîlés öf %user%",
        b: "[de] Éîñé 20%îgé Lösûñg",
        c: "[de] Båçk tö @.lower:nav.home, mé{'@'}x.örg $t(key)",
        d: "[de] {% if a %}b{% endif %} __name__ $name$"
      })
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService({ rough: true }))
  )

  it.effect("fails with its key where nothing reads it, and is not sent", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"Hello :name","b":"Hi"}' })
      const { keys, output } = yield* translate(folder, "a.json")
      expect(keys).toStrictEqual([["a", "NotUnderstood"]])
      expect(JSON.parse(output)).toStrictEqual({ a: "Hello :name", b: "[de] Hî" })
      expect(yield* billed).toBe(2)
      expect((yield* translate(folder, "a.json")).keys).toStrictEqual([["a", "NotUnderstood"]])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is that of its framework by its path", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({})
      mkdirSync(`${folder}/lang`)
      writeFileSync(`${folder}/lang/en.json`, '{"a":"Hello :name"}')
      const { output } = yield* translate(folder, "lang/en.json")
      expect(JSON.parse(output)).toStrictEqual({ a: "[de] Héllö :name" })
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService({ rough: true }))
  )

  it.effect("is sent once its key was accepted, and no other", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"Hello :name","b":"Hi :name"}' })
      yield* translate(folder, "a.json")
      const accepted = yield* OutputCheck.accept({
        files: [fileIn(folder, "a.json")],
        targets: ["de"],
        keys: ["a"]
      })
      expect(accepted).toMatchObject([{ keys: [], findings: [{ key: "a", check: "syntax" }] }])
      const { keys, output } = yield* translate(folder, "a.json")
      expect(keys).toStrictEqual([["b", "NotUnderstood"]])
      expect(JSON.parse(output).a).toBe("[de] Héllö :ñåmé")
      writeFileSync(`${folder}/a.json`, '{"a":"Bye :name","b":"b"}')
      expect((yield* translate(folder, "a.json")).keys).toStrictEqual([["a", "NotUnderstood"]])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is sent once it was accepted in the list of failed texts", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"Hello :name","b":"b"}' })
      const { failed } = yield* translate(folder, "a.json")
      const units = failed.map((unit) => ({ ...unit, source: "a.json", accepted: true }))
      yield* OutputCheck.acceptUnits({ stateFolder: `${folder}/.state`, stateRoot: folder, units })
      expect((yield* translate(folder, "a.json")).keys).toStrictEqual([])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("is sent as text, if that is asked for", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.json": '{"a":"Hello :name"}' })
      const { keys } = yield* translate(folder, "a.json", { notUnderstood: "ignore" })
      expect(keys).toStrictEqual([])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})

describe("rows with syntax", () => {
  const csv = 'id,t\n1,Hello {name}\n2,You have %s mails\n3,"@bob :x $x$ [1] Home | Shop"\n'

  it.effect("keep it, apart from possible prose, in files of any format", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({
        "a.csv": csv,
        "a.yml": "a: Hello {name}\nb: %count% b\n".replace(": %", ": x %"),
        "a.txt": "Hi {name}\nHo\n"
      })
      expect((yield* translate(folder, "a.csv")).output).toBe(
        'id,t\n1,[de] Héllö {name}\n2,[de] Ýöû håvé %s måîls\n3,"[de] @böb :x $x$ [1] Hömé | Shöp"\n'
      )
      expect((yield* translate(folder, "a.yml")).output).toBe(
        'a: "[de] Héllö {name}"\nb: "[de] x %count% b"\n'
      )
      expect((yield* translate(folder, "a.txt")).output).toBe("[de] Hî {name}\n[de] Hö\n")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService({ rough: true }))
  )

  it.effect("keep it in tables", () =>
    Effect.gen(function* () {
      const { source, translations } = table(rowsOf("Hi {name}", "Hi"))
      yield* TranslationJob.run({ sources: [source], targets: ["de"] })
      expect(translations("de")).toStrictEqual(["[de] Hî {name}", "[de] Hî"])
    }).pipe(withService({ rough: true }))
  )

  it.effect("are flagged where nothing reads it, and fail only if that is asked for", () =>
    Effect.gen(function* () {
      const folder = yield* folderWith({ "a.csv": 'id,t\n1,"{n, plural, one {a} other {b}} c"\n' })
      const { keys, report } = yield* translate(folder, "a.csv")
      expect([keys, report.targets[0]!.flagged]).toStrictEqual([[], 1])
      const strict = yield* translate(folder, "a.csv", { notUnderstood: "fail" })
      // The store has its translation.
      expect(strict.keys).toStrictEqual([])
      writeFileSync(`${folder}/a.csv`, 'id,t\n1,"{n, plural, one {a} other {b}} d"\n')
      expect((yield* translate(folder, "a.csv", { notUnderstood: "fail" })).keys).toStrictEqual([
        ["1:t", "NotUnderstood"]
      ])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})

describe("translations of before", () => {
  const texts = ["Hello {name}", "You have %s mails", "The %count% files", "plain", "Hi :name", "20%ige a"]

  it.effect("of rows are taken from the store, and bill nothing", () =>
    Effect.gen(function* () {
      const before = yield* paidBefore(texts)
      const folder = yield* folderWith({
        "a.csv": `t\n${texts.join("\n")}\n`,
        "a.txt": `${texts.join("\n")}\n`
      })
      yield* translate(folder, "a.csv")
      yield* translate(folder, "a.txt", { protect: ["laravel"] })
      expect(yield* billed).toBe(before)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )

  it.effect("of catalogues are taken from the store, and bill nothing", () =>
    Effect.gen(function* () {
      const before = yield* paidBefore(texts, { kinds: ["braces", "printf", "tags"] })
      const folder = yield* folderWith({
        "a.json": JSON.stringify(texts)
      })
      expect((yield* translate(folder, "a.json")).keys).toStrictEqual([])
      yield* translate(folder, "a.json", { protect: ["laravel"] })
      expect(yield* billed).toBe(before)
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
