/** Sources and translations among the files that a command finds. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as sourcesAmong from "../../src/cli/discovery/sourcesAmong.js"
import { findFiles } from "../../src/cli/findFiles.js"
import * as OutputPath from "../../src/format/OutputPath.js"

interface Case {
  readonly files: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly from?: string
  readonly to?: ReadonlyArray<string>
  /** Outputs that were made here, with their languages. */
  readonly made?: Readonly<Record<string, string>>
}

/** The sources, and each other file with its reason. */
const sorted = ({ ask = [""], files, from, made = {}, to = ["fr"] }: Case) =>
  Effect.gen(function* () {
    const folder = mkdtempSync(`${tmpdir()}/sources-`)
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    for (const file of files) {
      mkdirSync(join(folder, file, ".."), { recursive: true })
      writeFileSync(join(folder, file), "")
    }
    const asked = ask.map((file) => file.replace(/^(!?)/, `$1${folder}/`))
    const findings = yield* findFiles(asked, {
      endings: [".md", ".json", ".csv", ".arb", ".xml", ".xcstrings"],
      nothingIn: (folder) => folder
    })
    const { found, leftOut } = yield* sourcesAmong.make(findings, {
      files: asked,
      from,
      targets: to,
      outputOf: OutputPath.outputOf({ out: undefined, from, isFolder: () => false }),
      records: Object.entries(made).map(([path, targetLang]) => ({ path: join(folder, path), targetLang }))
    })
    return [
      found.map(({ path }) => relative(folder, path)),
      leftOut.map(({ path, reason }) => `${relative(folder, path)} ${reason}`)
    ] as const
  }).pipe(Effect.scoped)

describe("a file of a folder is", () => {
  it.effect("left out if its name ends in a language and it has neither source nor record", () =>
    Effect.gen(function* () {
      const files = ["guide.md", "impressum.de.md", "report.it.csv", "faq.no.md", "items.id.csv"]
      const leftOut = [
        "faq.no.md language",
        "impressum.de.md language",
        "items.id.csv language",
        "report.it.csv language"
      ]
      expect(yield* sorted({ files, from: "en" })).toEqual([["guide.md"], leftOut])
      expect(yield* sorted({ files, from: "en", to: ["de", "it"] })).toEqual([["guide.md"], leftOut])
      expect(yield* sorted({ files, from: "en", ask: ["*.md"] })).toEqual([
        ["guide.md"],
        leftOut.filter((line) => line.includes(".md"))
      ])
      expect(yield* sorted({ files: ["en.json", "de/x.md", "pt.json"], from: "en" })).toEqual([
        ["de/x.md", "en.json"],
        ["pt.json translation"]
      ])
    })
  )

  it.effect("a source if it is named itself", () =>
    Effect.gen(function* () {
      const files = ["guide.md", "impressum.de.md"]
      expect(yield* sorted({ files, from: "en", ask: ["", "impressum.de.md"] })).toEqual([files, []])
      expect(yield* sorted({ files, from: "en", to: ["de"], ask: ["impressum.de.md"] })).toEqual([
        ["impressum.de.md"],
        []
      ])
    })
  )

  it.effect("an output if its source is there, also where that was not asked for", () =>
    Effect.gen(function* () {
      const files = ["guide.md", "guide.de.md", "app_en.arb", "app_de.arb", "values/s.xml", "values-de/s.xml"]
      const outputs = ["app_de.arb translation", "guide.de.md translation", "values-de/s.xml translation"]
      expect(yield* sorted({ files, from: "en" })).toEqual([
        ["app_en.arb", "guide.md", "values/s.xml"],
        outputs
      ])
      const { message } = yield* Effect.flip(sorted({ files, from: "en", ask: ["*.de.md"] }))
      expect(message).toMatch(/holds translations only: name their source\.$/)
      expect(yield* sorted({ files, from: "en", ask: ["", "!guide.md"] })).toEqual([
        ["app_en.arb", "values/s.xml"],
        ["guide.md excluded", ...outputs]
      ])
    })
  )

  it.effect(
    "an output if a record names it, and is told of if its source has gone, also if it is named",
    () =>
      Effect.gen(function* () {
        const made = { "guide.de.md": "de", "out/x.md": "de", "Text.xcstrings": "fr" }
        const files = ["intro.md", ...Object.keys(made)]
        expect(yield* sorted({ files, from: "en", made })).toEqual([
          ["Text.xcstrings", "intro.md"],
          ["guide.de.md orphan", "out/x.md orphan"]
        ])
        const ask = ["guide.de.md", "intro.md"]
        expect(yield* sorted({ files, from: "en", made, ask })).toEqual([
          ["intro.md"],
          ["guide.de.md orphan"]
        ])
        expect(yield* sorted({ files, from: "de", made, ask: ["guide.de.md"] })).toEqual([
          ["guide.de.md"],
          []
        ])
        const { message } = yield* Effect.flip(sorted({ files, made, ask: ["guide.de.md"] }))
        expect(message).toContain(
          "is a source: name one, or say its language with --from. 1 left out: 1 translation made here, whose"
        )
      })
  )

  it.effect("an output of this run where a shell has named sources and outputs", () =>
    Effect.gen(function* () {
      const files = ["guide.md", "guide.fr.md"]
      expect(yield* sorted({ files, from: "en", ask: files })).toEqual([["guide.md"], ["guide.fr.md output"]])
    })
  )

  it.effect(
    "a source by the language in its name, without --from, where no name beside it does without",
    () =>
      Effect.gen(function* () {
        expect(yield* sorted({ files: ["guide.en.md", "guide.fr.md"] })).toEqual([
          ["guide.en.md"],
          ["guide.fr.md translation"]
        ])
        expect(yield* sorted({ files: ["guide.md", "guide.de.md", "faq.no.md"] })).toEqual([
          ["guide.md"],
          ["faq.no.md language", "guide.de.md translation"]
        ])
      })
  )
})
