/** Texts of a source that have become none: blank, null, a number, or nothing but a placeholder. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Csv } from "effect-translate"
import { Formats } from "effect-translate/formats"
import { JobSource, OutputCheck, TranslationJob } from "effect-translate/jobs"
import { someOf } from "../support/long.js"
import { folderWith } from "./fileSources.js"
import { billed, withService } from "./jobs.js"

/** A file with one other text, `Bye`, and what it holds in place of `Hello there`. */
type Write = (value: string) => string

const xml = (entries: string) =>
  `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${entries}</resources>\n`
const xliff = (source: string) =>
  `<xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2"><file original="a" source-language="en" target-language="de" datatype="plaintext"><body>
<trans-unit id="a"><source>${source}</source></trans-unit>
<trans-unit id="b"><source>Bye</source></trans-unit>
</body></file></xliff>\n`

/** Files of each format: with the text, and then with what is no text. */
const formats: ReadonlyArray<
  readonly [file: string, write: Write, text: string, ...none: ReadonlyArray<string>]
> = [
  [
    "a.json",
    (value) => `{\n  "a": ${value},\n  "b": "Bye"\n}\n`,
    '"Hello there"',
    '""',
    "null",
    "5",
    '"{name}"',
    "false",
    '" "',
    "{}"
  ],
  [
    "list.json",
    (value) => `{\n  "a": [${value}, "Bye"]\n}\n`,
    '"Hello there"',
    '""',
    "null",
    "5",
    '"{name}"'
  ],
  [
    "deep.json",
    (value) => `{\n  "a": ${value},\n  "b": "Bye"\n}\n`,
    '{ "x": "Hello there" }',
    '{ "x": "" }',
    "null",
    "5"
  ],
  [
    "a.arb",
    (value) => `{\n  "@@locale": "en",\n  "a": ${value},\n  "b": "Bye"\n}\n`,
    '"Hello there"',
    '""',
    '"{name}"'
  ],
  [
    "i18next.json",
    (value) => `{\n  "a": ${value},\n  "b_one": "Bye",\n  "b_other": "Byes"\n}\n`,
    '"Hello there"',
    '""',
    "null",
    '"{{name}}"'
  ],
  [
    "formatjs.json",
    (value) => `{\n  "a": { "defaultMessage": ${value} },\n  "b": { "defaultMessage": "Bye" }\n}\n`,
    '"Hello there"',
    '""',
    '"{name}"'
  ],
  [
    "chrome/messages.json",
    (value) => `{\n  "a": { "message": ${value} },\n  "b": { "message": "Bye" }\n}\n`,
    '"Hello there"',
    '""',
    '"$1"'
  ],
  [
    "a.yaml",
    (value) => `# of the shop\na: ${value}\nb: Bye\n`,
    "Hello there",
    '""',
    "",
    "null",
    "5",
    "true",
    "[]"
  ],
  ["flow.yaml", (value) => `m: { a: ${value}, b: Bye }\n`, "Hello there", '""', "null", "5"],
  ["deep.yaml", (value) => `a:${value}\nb: Bye\n`, "\n  x: Hello there", " null", " 5", "\n  x: ''"],
  ["rails/en.yml", (value) => `en:\n  a: ${value}\n  b: Bye\n`, "Hello there", '""', "null", '"%{name}"'],
  ["a.properties", (value) => `# of the shop\na=${value}\nb=Bye\n`, "Hello there", "", "{0}"],
  ["a.strings", (value) => `/* of the shop */\n"a" = "${value}";\n"b" = "Bye";\n`, "Hello there", "", "%@"],
  [
    "values/strings.xml",
    (value) => xml(`  <string name="a">${value}</string>\n  <string name="b">Bye</string>\n`),
    "Hello there",
    "",
    "%1$s",
    "@string/b"
  ],
  ["a.xlf", xliff, "Hello there", "", "{0}", '<x id="1"/>']
]

/** One file of each parser: the other formats merge by it. */
const parsed = new Set(["a.json", "a.yaml", "a.properties", "a.strings", "values/strings.xml", "a.xlf"])

const folderOf = (name: string, text: string) =>
  Effect.tap(folderWith({}), (folder) =>
    Effect.sync(() => {
      mkdirSync(dirname(`${folder}/${name}`), { recursive: true })
      writeFileSync(`${folder}/${name}`, text)
    })
  )

const translated = (folder: string, name: string) => {
  const file: JobSource.FileOptions = {
    path: `${folder}/${name}`,
    format: Formats.detect,
    output: name === "rails/en.yml" ? `${folder}/rails/{lang}.yml` : `${folder}/{lang}/${name}`,
    stateFolder: `${folder}/.state`
  }
  const output = name === "rails/en.yml" ? `${folder}/rails/de.yml` : `${folder}/de/${name}`
  return {
    output,
    translate: Effect.map(
      TranslationJob.run({ sources: [JobSource.file(file)], targets: ["de"] }),
      ({ end, outputs }) => ({
        end,
        stale: outputs[0]!.stale.map(({ translation }) => translation),
        error: outputs[0]!.error
      })
    ),
    problems: OutputCheck.run({ files: [file], targets: ["de"] }).pipe(
      Stream.runCollect,
      Effect.map((problems) => Chunk.toReadonlyArray(problems).map(({ kind }) => kind))
    )
  }
}

describe("a source that has become no text", () => {
  for (const [name, write, text, ...none] of formats) {
    // The first format shows all that may stand in place of a text: the others share its merge.
    for (const value of name === "a.json" ? none : someOf(none)) {
      it.effect(`is written to the output: ${value === "" ? "nothing" : value.trim()} of ${name}`, () =>
        Effect.gen(function* () {
          const folder = yield* folderOf(name, write(text))
          const { output, problems, translate } = translated(folder, name)
          expect((yield* translate).error).toBeUndefined()
          expect(yield* problems).toEqual([])
          const paid = yield* billed
          writeFileSync(`${folder}/${name}`, write(value))
          expect(yield* problems).toEqual(["stale"])
          expect((yield* translate).stale).toEqual([])
          expect(readFileSync(output, "utf8")).not.toContain("éll")
          expect(readFileSync(output, "utf8")).toContain("[de] Býé")
          expect(yield* problems).toEqual([])
          const before = readFileSync(output, "utf8")
          yield* translate
          expect([readFileSync(output, "utf8"), yield* billed]).toEqual([before, paid])

          writeFileSync(`${folder}/${name}`, write(text))
          yield* translate
          expect(readFileSync(output, "utf8")).toContain("Héll")
        }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
      )
    }
    for (const value of someOf(none, parsed.has(name) ? 1 : 0)) {
      it.effect(
        `leaves a person's translation, which is told as stale each time: ${value === "" ? "nothing" : value.trim()} of ${name}`,
        () =>
          Effect.gen(function* () {
            const folder = yield* folderOf(name, write(text))
            const { output, problems, translate } = translated(folder, name)
            yield* translate
            writeFileSync(output, readFileSync(output, "utf8").replace(/\[de\] H[^<"}\n,]*/, "Hallo Welt"))
            yield* translate
            writeFileSync(`${folder}/${name}`, write(value))
            for (const _ of [1, 2]) {
              expect((yield* translate).stale).toEqual(["Hallo Welt"])
              expect(readFileSync(output, "utf8")).toContain("Hallo Welt")
              expect(yield* problems).toEqual(["stale"])
            }
          }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
      )
    }
  }
})

describe("a text that is nothing but a placeholder", () => {
  for (const [name, write, , ...none] of formats) {
    const value = none.find(
      (value) => /[{%$]/.test(value) && !value.startsWith("{ ") && value !== "{}" && !value.startsWith("[")
    )
    if (value === undefined) continue
    it.effect(`is complete when it equals the source: ${value} of ${name}`, () =>
      Effect.gen(function* () {
        const folder = yield* folderOf(name, write(value))
        const { problems, translate } = translated(folder, name)
        for (const _ of [1, 2]) {
          expect((yield* translate).end.state).toBe("complete")
          expect(yield* problems).toEqual([])
        }
      }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
    )
  }

  it.effect("is written into a column of its own", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("a.csv", "en,de\nBye,\n%s,\n")
      const file: JobSource.FileOptions = {
        path: `${folder}/a.csv`,
        format: Csv.make({ columns: ["en"], outputColumn: "de" }),
        output: `${folder}/{lang}.csv`,
        stateFolder: `${folder}/.state`
      }
      const options = { targets: ["de"] as const, options: { placeholders: {} } }
      yield* TranslationJob.run({ sources: [JobSource.file(file)], ...options })
      expect(readFileSync(`${folder}/de.csv`, "utf8")).toBe("en,de\nBye,[de] Býé\n%s,%s\n")
      expect(
        Chunk.toReadonlyArray(yield* Stream.runCollect(OutputCheck.run({ files: [file], ...options })))
      ).toEqual([])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})

describe("a text of an output that no record tells of", () => {
  it.effect.each([
    ["a.json", '{ "a": { "x": "Hello there" } }', '{ "a": "Hallo du" }'],
    ["a.json", '{ "a": "Hello there" }', '{ "a": ["Hallo du"], "z": "Mehr" }'],
    ["a.yaml", "a:\n  x: Hello there\n", "a: Hallo du\n"]
  ] as const)("is not lost where the source has another shape: %s %s", ([name, source, output]) =>
    Effect.gen(function* () {
      const folder = yield* folderOf(name, source)
      const { output: path, translate } = translated(folder, name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, output)
      expect((yield* translate).error).toMatchObject({
        tag: "FormatError",
        message: expect.stringContaining("the machine has not written it: it would be lost")
      })
      expect([readFileSync(path, "utf8"), yield* billed]).toEqual([output, 0])
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})

describe("a person's text for which the output has no place any more", () => {
  it.effect("is told, with the text", () =>
    Effect.gen(function* () {
      const folder = yield* folderOf("a.json", '{ "a": "Hello there", "b": "Bye" }')
      const { output, translate } = translated(folder, "a.json")
      yield* translate
      writeFileSync(output, '{ "a": "Hallo Welt", "b": "[de] Býé" }')
      yield* translate
      writeFileSync(`${folder}/a.json`, '{ "a": { "x": "Hello" }, "b": "Bye" }')
      expect((yield* translate).stale).toEqual(["Hallo Welt"])
      expect(readFileSync(output, "utf8")).toContain("[de] Héll")
    }).pipe(Effect.scoped, Effect.provide(NodeContext.layer), withService())
  )
})
