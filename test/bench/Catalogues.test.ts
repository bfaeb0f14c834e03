import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "@effect/vitest"
import { mo } from "gettext-parser"
import { readJson, readMo, readPo, readTemplates } from "../../bench/checks/catalogues.js"
import { languageOf } from "../../bench/checks/languages.js"

const folder = mkdtempSync(join(tmpdir(), "effect-translate-catalogues-"))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

describe("languageOf", () => {
  it.each([
    ["de", "de"],
    ["de_DE", "de"],
    ["de_CH", undefined],
    ["zh_CN", "zh-Hans"],
    ["zh_TW", "zh-Hant"],
    ["zh_Hant", "zh-Hant"],
    ["zh_HK", undefined],
    ["pt", "pt-PT"],
    ["pt-BR", "pt-BR"],
    ["no", "nb"],
    ["iw", "he"],
    ["eo", undefined],
    ["README", undefined]
  ])("of the locale %s is %s", (locale, language) => {
    expect(languageOf(locale)).toBe(language)
  })
})

describe("catalogues", () => {
  it("a machine object file has no header, and the last form of a plural", () => {
    const translations = {
      "": {
        "": { msgid: "", msgstr: ["Content-Type: text/plain; charset=UTF-8"] },
        Save: { msgid: "Save", msgstr: ["Sichern"] },
        "%d file": { msgid: "%d file", msgid_plural: "%d files", msgstr: ["%d Datei", "%d Dateien"] }
      }
    }
    const path = file("a.mo", mo.compile({ charset: "utf-8", headers: {}, translations }))
    expect(readMo(path)).toEqual(
      expect.arrayContaining([
        { source: "Save", translation: "Sichern" },
        { source: "%d files", translation: "%d Dateien" }
      ])
    )
    expect(readMo(path)).toHaveLength(2)
  })

  it("a catalogue in the text form has no fuzzy and no missing translations", async () => {
    const header = 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
    const path = file(
      "a.po",
      `${header}\nmsgid "Save"\nmsgstr "Sichern"\n\n#, fuzzy\nmsgid "Open"\nmsgstr "Auf"\n\nmsgid "Close"\nmsgstr ""\n`
    )
    expect(await readPo(path, "de")).toEqual([{ source: "Save", translation: "Sichern" }])
  })

  it("questions of a package have titles and paragraphs, where a language has as many", () => {
    const path = file(
      "templates",
      "Template: a/b\nType: string\nDescription: Name:\n One line\n and more.\n .\n Two.\nDescription-de.UTF-8: Name der Stadt:\n Eine Zeile\n und mehr.\n .\n Zwei.\nDescription-fr.UTF-8: Nom :\n Une ligne.\n\nTemplate: a/c\nDescription: Other\nDescription-de.UTF-8: Anderes\n"
    )
    expect(readTemplates(path)).toEqual([
      [
        "de",
        [
          { source: "Name:", translation: "Name der Stadt:" },
          { source: "One line and more.", translation: "Eine Zeile und mehr." },
          { source: "Two.", translation: "Zwei." }
        ]
      ],
      ["de", [{ source: "Other", translation: "Anderes" }]]
    ])
  })

  it("files of JSON are joined by their keys, without equal texts and forms for one", () => {
    const english = file(
      "en.json",
      JSON.stringify({ a: { b: "Save", c: "OK" }, n: { one: "1 file", other: "# files" } })
    )
    const german = file(
      "de.json",
      JSON.stringify({ a: { b: "Sichern", c: "OK", d: "Neu" }, n: { one: "1 Datei", other: "# Dateien" } })
    )
    expect(readJson(english, german)).toEqual([
      { source: "Save", translation: "Sichern" },
      { source: "# files", translation: "# Dateien" }
    ])
  })
})
