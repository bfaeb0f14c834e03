import { describe, expect, it } from "@effect/vitest"
import { DOMParser } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as AndroidStrings from "../../src/format/AndroidStrings.js"
import * as Csv from "../../src/format/Csv.js"
import type * as Format from "../../src/format/Format.js"
import * as FormatLaws from "../../src/format/FormatLaws.js"
import * as Html from "../../src/format/Html.js"
import * as Po from "../../src/format/Po.js"
import * as Tmx from "../../src/format/Tmx.js"
import * as Xliff from "../../src/format/Xliff.js"
import * as Xml from "../../src/format/Xml.js"
import { partsOf, rewriteBytes, textsOf, unitsOf } from "./formats.js"

const declaration = (name: string) => `<?xml version="1.0" encoding="${name}"?>\n`

const documents: ReadonlyArray<readonly [Format.Format, string]> = [
  [Xml.format, "<page><title>Good morning</title><b><![CDATA[Raw]]></b></page>"],
  [AndroidStrings.format, '<resources><string name="a">Good morning</string></resources>'],
  [
    Xliff.format,
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" target-language="de" datatype="plaintext" original="a"><body><trans-unit id="1"><source>Good morning</source></trans-unit></body></file></xliff>'
  ],
  [
    Tmx.format,
    '<tmx version="1.4"><header creationtool="a" creationtoolversion="1" segtype="sentence" o-tmf="a" adminlang="en" srclang="en" datatype="plaintext"/><body><tu><tuv xml:lang="en"><seg>Good morning</seg></tuv></tu></body></tmx>'
  ]
]

/** The bytes of a text in an encoding of one byte a character, by its other characters. */
const bytesOf = (text: string, others: Readonly<Record<string, number>> = {}): Uint8Array =>
  Uint8Array.from(text, (character) => others[character] ?? character.charCodeAt(0))

const isAscii = (bytes: Uint8Array): boolean => bytes.every((byte) => byte < 0x80)

describe("A file of XML that says US-ASCII", () => {
  for (const [format, body] of documents) {
    it.effect(`is written as such: ${format.name}`, () =>
      Effect.gen(function* () {
        const file = declaration("US-ASCII") + body
        const written = yield* rewriteBytes(format, file, () => "Grüße 😀")
        expect(isAscii(written)).toBe(true)
        const read = new DOMParser().parseFromString(new TextDecoder().decode(written), "text/xml")
        expect(read.documentElement?.textContent).toContain("Grüße 😀")
      })
    )
  }

  it.effect("has marks for a person to look at", () =>
    Effect.gen(function* () {
      const [, body] = documents[2]!
      const parts = yield* partsOf(Xliff.format, declaration("US-ASCII") + body)
      const part = parts.find(({ units }) => units.length === 1)!
      expect(Either.getOrThrow(part.write!(["Grüße"], [true]))).toContain("needs-review-translation")
    })
  )

  it.effect("keeps the laws of formats", () =>
    Effect.forEach(documents, ([format, body]) =>
      Effect.forEach(
        FormatLaws.all.filter(({ appliesTo }) => appliesTo(format)),
        (law) =>
          law.check(format, { document: new TextEncoder().encode(declaration("US-ASCII") + body), cuts: [9] })
      )
    )
  )
})

describe("A file in an encoding of one byte a character", () => {
  const cyrillic = { П: 0xcf, о: 0xee, к: 0xea, а: 0xe0 }

  it.effect("is read and written by its XML declaration", () =>
    Effect.gen(function* () {
      const file = bytesOf(`${declaration("windows-1251")}<a>Пока</a>`, cyrillic)
      expect(Object.values(yield* textsOf(Xml.format, file))).toEqual(["Пока"])
      const written = yield* rewriteBytes(Xml.format, file, ({ text }) => `${text} ä`)
      expect(written).toEqual(bytesOf(`${declaration("windows-1251")}<a>Пока &#228;</a>`, cyrillic))
    })
  )

  it.effect("is read and written by the header of PO", () =>
    Effect.gen(function* () {
      const fileOf = (translation: string) =>
        `msgid ""\nmsgstr "Content-Type: text/plain; charset=CP1251\\n"\n\nmsgid "Bye"\nmsgstr "${translation}"\n`
      const file = bytesOf(fileOf("Пока"), cyrillic)
      const [unit] = yield* unitsOf(Po.format, file, { targetLang: "ru" })
      expect(unit?.translation).toBe("Пока")
      const written = yield* rewriteBytes(Po.format, file, () => "а", { targetLang: "ru" })
      expect(written).toEqual(bytesOf(fileOf("а"), cyrillic))
      const refused = yield* Effect.flip(rewriteBytes(Po.format, file, () => "字", { targetLang: "ru" }))
      expect(refused.message).toContain("characters that windows-1251 has not")
    })
  )
})

describe("A page that names an encoding", () => {
  const page = (charset: string) =>
    `<html><head><meta charset="${charset}"></head><p title="A">Tea</p></html>`

  it.effect("has references for characters that it lacks", () =>
    Effect.gen(function* () {
      const written = yield* rewriteBytes(Html.format, page("iso-8859-1"), () => "Ärger 字")
      expect(written).toEqual(
        bytesOf(page("iso-8859-1").replace(">Tea<", ">Ärger &#23383;<").replace('"A"', '"Ärger &#23383;"'))
      )
      expect(isAscii(yield* rewriteBytes(Html.format, page("shift_jis"), () => "字"))).toBe(true)
    })
  )

  it.effect("is read in it, as browsers do, or in UTF-8 where its bytes are that", () =>
    Effect.gen(function* () {
      const dash = bytesOf(page("latin1").replace("Tea", "Tea – Ä"), { "–": 0x96 })
      expect(yield* textsOf(Html.format, dash)).toMatchObject({ "p[1]": "Tea – Ä" })
      const [part] = yield* partsOf(Html.format, page("iso-8859-1").replace("Tea", "Grüße"))
      expect(part?.encoding).toBeUndefined()
    })
  )
})

describe("CSV", () => {
  const format = Csv.make({ columns: ["t"] })
  const text = '\uFEFFid;t\r\n1;Grüße\r\n2;"a;b"\r\n'
  const utf16 = (littleEndian: boolean) => {
    const bytes = new Uint8Array(text.length * 2)
    const view = new DataView(bytes.buffer)
    for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), littleEndian)
    return bytes
  }

  it.effect("in UTF-16 stays that, however it arrives", () =>
    Effect.gen(function* () {
      for (const file of [utf16(true), utf16(false)]) {
        for (const chunkSize of [1, 3, 1000]) {
          const units = Object.values(
            Object.fromEntries((yield* unitsOf(format, file, {})).map(({ key, text }) => [key, text]))
          )
          expect(units).toEqual(["Grüße", "a;b"])
          const written = yield* rewriteBytes(format, file, () => undefined, { chunkSize })
          expect(written).toEqual(file)
        }
      }
      expect(yield* rewriteBytes(format, utf16(true), ({ text }) => text)).toEqual(utf16(true))
    })
  )

  it.effect("keeps the laws of formats in UTF-16", () =>
    Effect.forEach(
      FormatLaws.all.filter(({ appliesTo }) => appliesTo(format)),
      (law) => law.check(format, { document: utf16(true), cuts: [1, 2, 7, 20] })
    )
  )

  it.effect("in another encoding is read in the one that is named", () =>
    Effect.gen(function* () {
      const file = bytesOf("id,t\n1,Grüße\n")
      const latin1 = Csv.make({ columns: ["t"], encoding: "latin1" })
      expect(yield* textsOf(latin1, file)).toEqual({ "1:t": "Grüße" })
      expect(yield* rewriteBytes(latin1, file, ({ text }) => `${text}!`)).toEqual(bytesOf("id,t\n1,Grüße!\n"))
      const error = yield* Effect.flip(unitsOf(format, file))
      expect(error.message).toContain("not UTF-8")
    })
  )

  it.effect("of a spreadsheet has the delimiter that its first line names", () =>
    Effect.gen(function* () {
      const file = "sep=;\r\nid;t\r\n1;a,b\r\n"
      for (const chunkSize of [1, 2, 100]) {
        const parts = yield* partsOf(format, file, { chunkSize })
        expect(parts.map(({ raw }) => raw).join("")).toBe(file)
        expect(parts.flatMap(({ units }) => units)).toMatchObject([{ key: "1:t", text: "a,b", line: 3 }])
      }
      expect(format.records?.ends("sep=;\nid;t\n1;a\n")).toBeUndefined()
    })
  )
})
