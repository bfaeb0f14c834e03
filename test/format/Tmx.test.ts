import { describe, expect, it } from "@effect/vitest"
import { DOMParser } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import * as Tmx from "../../src/format/Tmx.js"
import { runs } from "../support/long.js"
import { partsOf, rewrite, rewriteBytes, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"
import { bytes, collect, concat, text, untilError } from "./support.js"

/** The target language decides what is translated; what says the source language is the file. */
const languages = { sourceLang: undefined }

const file = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE tmx SYSTEM "tmx14.dtd">
<tmx version="1.4">
  <header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en" srclang="en-US" datatype="html"/>
  <body>
    <!-- first -->
    <tu tuid="hello" creationdate="20260131T235958Z">
      <note>A greeting</note>
      <prop type="domain">chat</prop>
      <tuv xml:lang="EN-US">
        <note>at the top</note>
        <seg>Hello <bpt i="1" x="1">&lt;b&gt;</bpt>world<ept i="1">&lt;/b&gt;</ept>, <ph x="2">{0}</ph> &amp; <hi>you</hi></seg>
      </tuv>
    </tu>
    <tu>
      <tuv xml:lang="en-US"><seg>Yes</seg></tuv>
      <tuv xml:lang="de-DE"><seg>Ja &#233;</seg></tuv>
      <tuv xml:lang="fr"><seg>Oui</seg></tuv>
    </tu>
    <tu tuid="hello"><tuv lang='en-us'><seg>Again</seg></tuv><tuv xml:lang="de"><seg/></tuv></tu>
    <tu tuid="5"><tuv xml:lang="fr"><seg>Non</seg></tuv></tu>
    <tu><tuv xml:lang="en-US"><seg>—</seg></tuv></tu>
  </body>
</tmx>
`

/** Units as another parser reads them: texts by language. */
const variantsOf = (written: string) => {
  const document = new DOMParser({ onError: () => undefined }).parseFromString(written, "text/xml")
  return Array.from(document.getElementsByTagName("tu"), (unit) =>
    Array.from(unit.getElementsByTagName("tuv"), (variant) => [
      variant.getAttribute("xml:lang") || variant.getAttribute("lang"),
      variant.getElementsByTagName("seg")[0]?.textContent
    ])
  )
}

describe("Tmx.format", () => {
  it.effect("has a unit for each text in the source language, with the translation in the target's", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(Tmx.format, file, languages)).toStrictEqual([
        {
          key: "hello",
          text: "Hello <g1>world</g1>, <x2/> &amp; <g3>you</g3>",
          line: 7,
          state: "missing"
        },
        { key: "2", text: "Yes", line: 15, state: "translated", translation: "Ja é" },
        { key: "hello#2", text: "Again", line: 20, state: "missing" }
      ])
    })
  )

  it.effect("tells the translator the notes", () =>
    Effect.gen(function* () {
      const parts = yield* partsOf(Tmx.format, file, languages)
      expect(parts.flatMap(({ context, units }) => units.map(() => context))).toStrictEqual([
        "A greeting\nat the top",
        undefined,
        undefined
      ])
    })
  )

  it.effect("gives the same bytes for units that stay", () =>
    Effect.gen(function* () {
      for (const same of [file, `\uFEFF${file}`, file.replaceAll("\n", "\r\n")]) {
        expect(yield* untouched(Tmx.format, same, languages)).toBe(same)
        expect(
          yield* rewrite(Tmx.format, same, ({ state, translation }) =>
            state === "translated" ? translation : undefined
          )
        ).toBe(same)
      }
    })
  )

  it.effect("adds a text in the target language behind the others, laid out as the source", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(
        Tmx.format,
        file,
        ({ key }) => (key === "hello" ? "<x2/>, <g1>Welt</g1> &lt;<g3>du</g3>" : undefined),
        languages
      )
      expect(written).toBe(
        file.replace(
          "</seg>\n      </tuv>\n",
          `</seg>\n      </tuv>\n      <tuv xml:lang="de">\n        <seg><ph x="2">{0}</ph>, <bpt i="1" x="1">&lt;b&gt;</bpt>Welt<ept i="1">&lt;/b&gt;</ept> &lt;<hi>du</hi></seg>\n      </tuv>\n`
        )
      )
    })
  )

  it.effect("replaces a text that is there, or empty", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(
        Tmx.format,
        file,
        ({ key }) => (key === "2" ? "Doch é" : key === "hello#2" ? "Nochmal" : undefined),
        languages
      )
      expect(written).toBe(file.replace("Ja &#233;", "Doch é").replace("<seg/>", "<seg>Nochmal</seg>"))
    })
  )

  it.effect("finds languages in any case, and a more special one if there is no exact one", () =>
    Effect.gen(function* () {
      const unit = (codes: ReadonlyArray<string>) =>
        `<tmx version="1.4"><header srclang="en"/><body><tu>${codes
          .map((code) => `<tuv xml:lang="${code}"><seg>${code} text</seg></tuv>`)
          .join("")}</tu></body></tmx>`
      const found = (codes: ReadonlyArray<string>, targetLang: string) =>
        Effect.map(unitsOf(Tmx.format, unit(codes), { ...languages, targetLang }), ([first]) => [
          first?.text,
          first?.translation
        ])
      expect(yield* found(["EN-gb", "DE"], "de")).toStrictEqual(["EN-gb text", "DE text"])
      expect(yield* found(["en-GB", "en", "pt-BR", "pt"], "pt")).toStrictEqual(["en text", "pt text"])
      expect(yield* found(["en", "pt_br"], "pt-BR")).toStrictEqual(["en text", "pt_br text"])
      expect(yield* found(["en", "pt"], "pt-BR")).toStrictEqual(["en text", undefined])
      expect(yield* found(["en", "den"], "de")).toStrictEqual(["en text", undefined])
    })
  )

  it.effect("asks for the source language if the file has all", () =>
    Effect.gen(function* () {
      const all = file.replace('srclang="en-US"', 'srclang="*all*"')
      const error = yield* Effect.flip(unitsOf(Tmx.format, all, languages))
      expect(error).toMatchObject({
        _tag: "FormatError",
        line: 7,
        message: expect.stringContaining("sourceLang")
      })
      expect(yield* textsOf(Tmx.format, all, { sourceLang: "fr" })).toStrictEqual({ "2": "Oui", "5": "Non" })
    })
  )

  it.effect(
    "takes codes that are not nested as single ones, and those of a translation as its source's",
    () =>
      Effect.gen(function* () {
        const unit = (source: string, target: string) =>
          `<tmx version="1.4"><header srclang="en"/><body><tu><tuv xml:lang="en"><seg>${source}</seg></tuv><tuv xml:lang="de"><seg>${target}</seg></tuv></tu></body></tmx>`
        const crossed = `a<bpt i="1">1</bpt>b<bpt i="2">2</bpt>c<ept i="1">1</ept>d<ept i="2">2</ept>`
        const [one] = yield* unitsOf(Tmx.format, unit(crossed, "x"), languages)
        expect(one?.text).toBe("a<x1/>b<g2>c<x3/>d</g2>")
        const [two] = yield* unitsOf(
          Tmx.format,
          unit('<ph x="1">p</ph> a <ph x="2">q</ph>', '<ph x="2">q</ph> b <ph x="1">p</ph>'),
          languages
        )
        expect(two).toMatchObject({ text: "<x1/> a <x2/>", translation: "<x2/> b <x1/>" })
      })
  )

  it.effect("has texts in the target language after a translation, for another parser", () =>
    Effect.gen(function* () {
      const pseudo = ({ text }: { readonly text: string }) => `[${text}]`
      const written = yield* rewrite(Tmx.format, file, pseudo, languages)
      const expected = variantsOf(file)
      expected[0]!.push(["de", `[${expected[0]![0]![1]}]`])
      expected[1]![1]![1] = "[Yes]"
      expected[2]![1]![1] = "[Again]"
      expect(variantsOf(written)).toStrictEqual(expected)
    })
  )

  it.effect("refuses a file that is no TMX", () =>
    Effect.gen(function* () {
      for (const bad of ["<tmx><body/></tmx>", "<x/>", file.slice(0, 900), "", "<tmx>".repeat(10_000)]) {
        expect(yield* Effect.flip(unitsOf(Tmx.format, bad, languages))).toMatchObject({ format: "tmx" })
      }
    })
  )

  it.effect("does not write a translation that has lost a code", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(rewrite(Tmx.format, file, () => "Hallo", languages))
      expect(error).toMatchObject({ key: "hello", message: expect.stringContaining("lost 5 of 5") })
    })
  )

  it.effect.prop(
    "holds the translations, and the rest of the file as it was",
    [fc.fullUnicodeString({ maxLength: 20 }), fc.constantFrom("en", "de"), fc.integer({ min: 50, max: 99 })],
    ([random, sourceLang, chunkSize]) =>
      Effect.gen(function* () {
        const translation = `1${random.replace(/[\u0000-\u001f\ufffe\uffff<>&]/g, "")}1`
        const source = `<tmx version="1.4"><header srclang="${sourceLang}"/><body>\r\n<tu>\r\n <tuv xml:lang="${sourceLang}"><seg>a</seg></tuv>\r\n</tu></body></tmx>`
        expect(yield* untouched(Tmx.format, source, { ...languages, chunkSize })).toBe(source)
        const written = yield* rewriteBytes(Tmx.format, source, () => translation, {
          ...languages,
          targetLang: "fr"
        })
        const [unit] = yield* unitsOf(Tmx.format, written, { ...languages, targetLang: "fr" })
        expect(unit).toMatchObject({ text: "a", translation, state: "translated" })
        expect(yield* writtenAnew(Tmx.format, written, { ...languages, targetLang: "en-GB" })).toContain("a")
      }),
    { fastCheck: { numRuns: runs(30) } }
  )
})

const entries = (input: string | Uint8Array, sizes?: ReadonlyArray<number>) =>
  collect(bytes(input, sizes).pipe(Tmx.decode()))

describe("Tmx.decode", () => {
  it.effect("reads units with two or more languages, without codes", () =>
    Effect.gen(function* () {
      const expected = [
        { texts: { "en-US": "Yes", "de-DE": "Ja é", fr: "Oui" }, sourceLang: "en-US" },
        { id: "hello", texts: { "en-us": "Again", de: "" }, sourceLang: "en-US" }
      ]
      expect(yield* entries(file)).toStrictEqual(expected)
      const both = file.replace("</seg>\n      </tuv>\n", "</seg></tuv><tuv xml:lang='de'><seg>x</seg></tuv>")
      for (const size of [1, 7, 64, 100_000]) {
        expect(yield* entries(both, [size])).toStrictEqual([
          {
            id: "hello",
            texts: { "EN-US": "Hello world,  & you", de: "x" },
            sourceLang: "en-US",
            properties: { domain: "chat" },
            note: "A greeting\nat the top",
            created: new Date("2026-01-31T23:59:58Z")
          },
          ...expected
        ])
      }
    })
  )

  it.effect("reads UTF-16 and byte order marks, wherever the chunks end", () =>
    Effect.gen(function* () {
      const utf16 = Uint8Array.from(Buffer.from(`\uFEFF${file.replace("UTF-8", "UTF-16")}`, "utf16le"))
      const expected = yield* entries(file)
      for (const size of [1, 2, 3, 1000]) expect(yield* entries(utf16, [size])).toStrictEqual(expected)
      expect(yield* entries(utf16.slice().map((_, index) => utf16[index ^ 1]!))).toStrictEqual(expected)
      expect(yield* entries(`\uFEFF${file}`, [1])).toStrictEqual(expected)
    })
  )

  it.effect("keeps languages with names of objects", () =>
    Effect.gen(function* () {
      const [entry] = yield* entries(
        "<tmx><body><tu><tuv xml:lang='__proto__'><seg>a</seg></tuv><tuv xml:lang='constructor'><seg>b</seg></tuv></tu></body></tmx>"
      )
      expect(Object.entries(entry!.texts)).toStrictEqual([
        ["__proto__", "a"],
        ["constructor", "b"]
      ])
    })
  )

  it.effect("fails at a fault, after the entries before it", () =>
    Effect.gen(function* () {
      const at = file.indexOf('<tu tuid="5"')
      for (const [bad, message] of [
        [`${file.slice(0, at)}<tu></tmx>`, "line 21"],
        [file.slice(0, at), "cut"],
        [`${file.slice(0, at)}<tu>&lol;</tu>`, "well-formed"]
      ] as const) {
        const { error, values } = yield* untilError(bytes(bad, [50]).pipe(Tmx.decode({ file: "m.tmx" })))
        expect(values).toHaveLength(2)
        expect(error).toMatchObject({
          _tag: "FormatError",
          file: "m.tmx",
          message: expect.stringContaining(message)
        })
      }
    })
  )

  it.effect("refuses other XML, other encodings, cut characters and deep nesting", () =>
    Effect.gen(function* () {
      const cut = new Uint8Array([...new TextEncoder().encode("<tmx>"), 0xc3])
      const odd = new Uint8Array([0xff, 0xfe, 60, 0, 116])
      for (const [bad, message] of [
        ["<html></html>", "not TMX"],
        ["", "cut"],
        ["x", "before the only root element"],
        ["<?xml version='1.0' encoding='windows-1252'?><tmx/>", "UTF-8"],
        [cut, "UTF-8"],
        [odd, "UTF-8"],
        ["<tmx>".repeat(10_000), "500"]
      ] as const) {
        const { error } = yield* untilError(bytes(bad).pipe(Tmx.decode()))
        expect(error).toMatchObject({ format: "tmx", message: expect.stringContaining(message) })
      }
    })
  )
})

describe("Tmx.encode", () => {
  const entry: Tmx.Entry = {
    id: "a",
    texts: { en: '1 < 2 & "3"\r\n', de: "eins" },
    note: "n",
    created: new Date("2026-01-31T23:59:58.900Z")
  }

  it.effect("writes TMX 1.4", () =>
    Effect.gen(function* () {
      const stream = Stream.make(
        entry,
        { texts: { fr: "un", de: "eins" } },
        { texts: { de: "eins", fr: "un" }, sourceLang: "de", properties: { domain: "a < b" } }
      )
      expect(
        yield* text(
          stream.pipe(
            Stream.rechunk(1),
            Tmx.encode({ sourceLang: "en", creationTool: "t", creationToolVersion: "1" })
          )
        )
      ).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
  <header creationtool="t" creationtoolversion="1" srclang="en" segtype="sentence" o-tmf="unknown" adminlang="en" datatype="plaintext"/>
  <body>
    <tu tuid="a" creationdate="20260131T235958Z">
      <note>n</note>
      <tuv xml:lang="en"><seg>1 &lt; 2 &amp; "3"&#13;
</seg></tuv>
      <tuv xml:lang="de"><seg>eins</seg></tuv>
    </tu>
    <tu srclang="*all*">
      <tuv xml:lang="fr"><seg>un</seg></tuv>
      <tuv xml:lang="de"><seg>eins</seg></tuv>
    </tu>
    <tu srclang="de">
      <prop type="domain">a &lt; b</prop>
      <tuv xml:lang="de"><seg>eins</seg></tuv>
      <tuv xml:lang="fr"><seg>un</seg></tuv>
    </tu>
  </body>
</tmx>
`)
      expect(yield* entries(yield* text(Stream.empty.pipe(Tmx.encode({ sourceLang: "en" }))))).toStrictEqual(
        []
      )
    })
  )

  it.effect("names the entry that it cannot write, after those before it", () =>
    Effect.gen(function* () {
      for (const bad of [
        { texts: { en: "secret" } },
        { texts: { en: "secret\u0000", de: "b" } },
        { texts: { en: "secret\ud800", de: "b" } },
        { texts: { en: "secret", de: "b" }, created: new Date(Number.NaN) }
      ]) {
        const stream = Stream.make(entry, bad, entry).pipe(Tmx.encode({ sourceLang: "en" }))
        const { error, values } = yield* untilError(stream)
        expect(new TextDecoder().decode(concat(values))).toMatch(/<\/tu>\n$/)
        expect(error).toMatchObject({ _tag: "FormatError", key: "2" })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  const string = fc
    .fullUnicodeString({ maxLength: 12 })
    .map((value) => value.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ""))
  const anyEntry = fc
    .record({
      id: fc.option(string, { nil: undefined }),
      texts: fc.dictionary(fc.constantFrom("en", "de", "pt-BR", "__proto__", "x"), string, { minKeys: 2 }),
      sourceLang: fc.constantFrom("de", "pt-BR", undefined),
      properties: fc.dictionary(string, string, { minKeys: 1 }),
      created: fc.option(fc.integer({ min: 0, max: 4e9 }), { nil: undefined })
    })
    .map(({ sourceLang, ...entry }) => ({
      ...entry,
      // A language without a text is no source, and that of the header is the default.
      sourceLang: [sourceLang, "en"].find(
        (language) => language !== undefined && Object.hasOwn(entry.texts, language)
      )
    }))
    .map(({ created, id, properties, sourceLang, texts }) => ({
      ...(id === undefined ? {} : { id }),
      texts: Object.fromEntries(Object.entries(texts)),
      ...(sourceLang === undefined ? {} : { sourceLang }),
      properties,
      ...(created === undefined ? {} : { created: new Date(created * 1000) })
    }))

  it.effect.prop(
    "writes a file that is read back",
    [
      fc.array(anyEntry, { maxLength: 5 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 4 })
    ],
    ([input, sizes]) =>
      Effect.gen(function* () {
        const pieces = yield* collect(Stream.fromIterable(input).pipe(Tmx.encode({ sourceLang: "en" })))
        expect(yield* entries(concat(pieces), sizes)).toStrictEqual(input)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
