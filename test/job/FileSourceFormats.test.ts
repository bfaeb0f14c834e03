/** A file source in each format: the second run sends nothing and leaves the output alone; an edit is sent by itself; edits of outputs stay. */
import { writeFileSync } from "node:fs"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import { Formats } from "effect-translate/formats"
import { folderWith, run, sourceIn, textIn } from "./fileSources.js"
import { marking } from "./support.js"

/** Files with the texts `First thing` and `Other thing`. */
const files: Readonly<Record<string, string>> = {
  "strings.xml":
    '<?xml version="1.0" encoding="utf-8"?>\n<resources>\n    <string name="a">First thing</string>\n    <string name="b">Other thing</string>\n</resources>\n',
  "a.strings": '/* A */\n"a" = "First thing";\n"b" = "Other thing";\n',
  "app_en.arb": '{\n  "@@locale": "en",\n  "a": "First thing",\n  "b": "Other thing"\n}\n',
  "messages.json": '{\n  "a": { "message": "First thing" },\n  "b": { "message": "Other thing" }\n}\n',
  "formatjs.json": '{"a":{"defaultMessage":"First thing"},"b":{"defaultMessage":"Other thing"}}\n',
  "a.html": "<!doctype html>\n<html><body><p>First thing</p>\n<p>Other thing</p></body></html>\n",
  "i18next.json": '{"a":"First thing","b_one":"Other thing","b_other":"Other thing"}\n',
  "plain.json": '{"a":"First thing","b":["Other thing"]}\n',
  "a.md": "# First thing\n\nOther thing\n",
  "a.po":
    'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\nmsgid "First thing"\nmsgstr ""\n\nmsgid "Other thing"\nmsgstr ""\n',
  "a.properties": "a=First thing\nb=Other thing\n",
  "a.srt":
    "1\n00:00:00,000 --> 00:00:00,900\nFirst thing.\n\n2\n00:00:01,000 --> 00:00:01,900\nOther thing.\n",
  "a.vtt": "WEBVTT\n\n00:00.000 --> 00:00.900\nFirst thing.\n\n00:01.000 --> 00:01.900\nOther thing.\n",
  "a.xcstrings":
    '{\n  "sourceLanguage" : "en",\n  "strings" : {\n    "First thing" : {\n\n    },\n    "Other thing" : {\n\n    }\n  },\n  "version" : "1.0"\n}',
  "a.xlf":
    '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="f" source-language="en" target-language="de" datatype="plaintext"><body><trans-unit id="a"><source>First thing</source></trans-unit><trans-unit id="b"><source>Other thing</source></trans-unit></body></file></xliff>\n',
  "en.yml": "en:\n  a: First thing\n  b: Other thing\n",
  "a.yaml": "a: First thing\nb: Other thing\n",
  "a.txt": "First thing\n\nOther thing\n",
  "a.jsonl": '{"t":"First thing"}\n{"t":"Other thing"}\n',
  "a.csv": "id,t\n1,First thing\n2,Other thing\n"
}

const formats = Formats.make({ columns: ["t"] })
const selecting = Formats.make({ columns: ["t"], select: ["t"] })

describe("a file source", () => {
  for (const [name, text] of Object.entries(files)) {
    it.effect(`pays for nothing twice: ${name}`, () => {
      const { provide, sent } = marking(undefined, (text) => text.replace("thing", "Ding"))
      return Effect.gen(function* () {
        const folder = yield* folderWith({ [name]: text })
        let decoded = 0
        const source = sourceIn(folder, name, {
          format: (file) =>
            Either.map(Formats.detect(file, name === "a.jsonl" ? selecting : formats), (format) => ({
              ...format,
              decode: (options) => {
                decoded++
                return format.decode(options)
              }
            }))
        })
        const first = yield* run(source)
        expect(first.states).toEqual(["written"])
        expect(textIn(folder, `de/${name}`)).toContain("First Ding")
        const [paid, reads] = [sent().length, decoded]
        expect((yield* run(source)).states).toEqual(["unchanged"])
        expect([sent().length, decoded]).toEqual([paid, reads])
        // Without a store, what streams is translated anew.
        if (/\.(csv|jsonl|txt)$/.test(name)) return
        const edited = text.replaceAll("Other thing", "Third thing")
        writeFileSync(`${folder}/${name}`, edited)
        expect((yield* run(source)).states).toEqual(["written"])
        expect(new Set(sent().slice(paid))).toEqual(
          new Set([/srt|vtt/.test(name) ? "Third thing." : "Third thing"])
        )
        const before = textIn(folder, `de/${name}`)
        expect(before).toContain("Third Ding")
        writeFileSync(`${folder}/de/${name}`, before.replaceAll("Third Ding", "Von Hand"))
        writeFileSync(`${folder}/${name}`, edited.replaceAll("First thing", "Fourth thing"))
        yield* run(source)
        const after = textIn(folder, `de/${name}`)
        expect(after).toContain("Von Hand")
        expect(after).toContain("Fourth Ding")
      }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
    })
  }

  it.effect("puts several languages into a file that holds all of them, which is its own output", () => {
    const { provide, sent } = marking()
    return Effect.gen(function* () {
      const name = "a.xcstrings"
      const folder = yield* folderWith({ [name]: files[name]! })
      const source = sourceIn(folder, name, { format: Formats.detect, output: () => `${folder}/${name}` })
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["written", "written"])
      for (const lang of ["de", "fr"]) expect(textIn(folder, name)).toContain(`${lang}: First thing`)
      const before = textIn(folder, name)
      expect((yield* run(source, ["de", "fr"])).states).toEqual(["unchanged", "unchanged"])
      expect([textIn(folder, name), sent().length]).toEqual([before, 4])
    }).pipe(provide, Effect.scoped, Effect.provide(NodeContext.layer))
  })
})
