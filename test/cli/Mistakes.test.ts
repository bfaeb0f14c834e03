/** Natural mistakes on a command line, and what is answered. */
import { mkdirSync, writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as commandLine from "../../src/cli/commandLine/parse.js"
import type { Described } from "../../src/cli/failure.js"
import { findFiles } from "../../src/cli/findFiles.js"
import { tree } from "../../src/cli/program.js"
import * as readConfigFile from "../../src/cli/settings/readConfigFile.js"
import * as checksOption from "../../src/cli/translate/checksOption.js"
import * as glossaryOption from "../../src/cli/translate/glossaryOption.js"
import { type SharedPlan, targetsOf } from "../../src/cli/translate/translateOptions.js"
import * as OutputPath from "../../src/format/OutputPath.js"
import { folderOf } from "./process.js"

const said = <A, R>(self: Effect.Effect<A, Described, R>) =>
  Effect.map(Effect.flip(self), ({ message }) => message)

describe("a hint for", () => {
  it.effect("a language with an underscore, a language among the files, and no language", () =>
    Effect.gen(function* () {
      expect(yield* said(targetsOf(["pt_BR"]))).toBe('"pt_BR" is no language code: write "pt-BR".')
      expect(yield* said(targetsOf([], ["locales/en.json", "de,fr"]))).toBe(
        "Into which languages? Name them with --to, such as --to de,fr."
      )
      expect(yield* said(targetsOf([], ["locales/en.json"]))).toContain("such as --to de,fr,ja.")
    })
  )

  it.effect("the name of a file that is not there", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "README.md": "" })
      mkdirSync(`${folder}/locales`)
      writeFileSync(`${folder}/locales/en.json`, "")
      const find = (name: string) =>
        said(findFiles([`${folder}/${name}`], { endings: [], nothingIn: String }))
      const right = `Did you mean "${folder}/locales/en.json"?`
      expect(yield* find("locales\\en.json")).toContain(right)
      expect(yield* find("locales/enn.json")).toContain(right)
      expect(yield* find("src")).not.toContain("Did you mean")
    }).pipe(Effect.scoped)
  )

  it.effect("a check and a policy that are misspelt", () =>
    Effect.gen(function* () {
      const check = (given: string) => said(checksOption.make({ checks: [given] }))
      expect(yield* check("maxlength=off")).toContain(
        'no check has the name "maxlength". Did you mean "maxLength"?'
      )
      expect(yield* check("length:off")).toContain('Did you mean "length"? Write a name and a policy')
      expect(yield* check("nothing=off")).toContain("There are all, empty, ")
      expect(yield* check("length=of")).toContain("give a policy: flag, retry, fail or off")
    })
  )

  it("an option without its value, of which there are a few", () => {
    expect(commandLine.read(tree, ["translate", "a.md", "--formality"])).toMatchObject({
      message: expect.stringContaining("--formality needs a value: default, more, less, ")
    })
  })

  it("a pattern of outputs that looks like a folder", () => {
    const problem = (out: string) => OutputPath.problemOf({ out })
    expect(problem("i18n/{lang}")).toBe(
      "i18n/{lang} would be a file without an ending for each language: write i18n/{lang}/ for a folder, or i18n/{lang}.{ext}."
    )
    expect(["i18n/{lang}/", "i18n/{lang}.json", "{lang}/{name}"].map(problem)).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })

  it.effect("settings of other names, and one that is to be a list", () =>
    Effect.gen(function* () {
      const read = (settings: object) =>
        Effect.gen(function* () {
          const folder = yield* folderOf({ "c.json": JSON.stringify(settings) })
          return yield* said(readConfigFile.read(`${folder}/c.json`, "c.json"))
        }).pipe(Effect.scoped)
      expect(yield* read({ translate: { exclude: ["a"] } })).toContain(
        'To leave files out, write such as "!docs/old/**" into "files".'
      )
      expect(yield* read({ translate: { quux: 1 } })).toContain("is no setting. There are files, ")
      expect(yield* read({ translate: { files: "a.json" } })).toContain(
        '"translate.files" must be a list of texts, such as ["a", "b"].'
      )
    }).pipe(Effect.provide(NodeContext.layer))
  )

  it.effect("files of terms that are not there, or are none", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf({ "terms.de.csv": "cart,Wagen\n", "terms.csv": "", "g.json": "{}" })
      const ask = (name: string) =>
        said(
          glossaryOption.make({
            from: "en",
            glossary: `${folder}/${name}`,
            languages: ["de", "pl"]
          } as unknown as SharedPlan)
        )
      expect(yield* ask("term.{lang}.csv")).toBe(
        `There is no file ${folder}/term.de.csv and no ${folder}/term.pl.csv: check the name. Did you mean "${folder}/terms.{lang}.csv"?`
      )
      expect(yield* ask("term.csv")).toContain(`Did you mean "${folder}/terms.csv"?`)
      expect(yield* ask("g.json")).toContain("g.json is no file of terms: write them as CSV")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer))
  )
})
