import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { po } from "gettext-parser"
import type * as Format from "../../src/format/Format.js"
import * as FormatLaws from "../../src/format/FormatLaws.js"
import * as Po from "../../src/format/Po.js"
import { runs } from "../support/long.js"
import { merge, partsOf, rewrite, rewriteBytes, textsOf, unitsOf, untouched } from "./formats.js"

const { format } = Po

const header = `msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: de\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
`

const file = `# Licence
${header}
# Keep it short.
#. On a button
#: src/a.c:1
#, c-format
msgid "Open %s"
msgstr ""

#, fuzzy, python-format
#| msgid "Shut"
msgctxt "menu"
msgid "Close"
msgstr "Schliessen"

msgid ""
"One\\n"
"\\"two\\"\\t\\\\\\n"
msgstr ""
"Eins\\n"
"zwei\\n"

msgid "a file"
msgid_plural "%d files"
msgstr[0] "eine Datei"
msgstr[1] ""

#~ msgid "old"
#~ msgstr "alt"
`

const template = `#, fuzzy
msgid ""
msgstr ""
"Project-Id-Version: x\\n"
"Language: \\n"
"Content-Type: text/plain; charset=CHARSET\\n"
"Plural-Forms: nplurals=INTEGER; plural=EXPRESSION;\\n"

#: a.c:2
msgid "a file"
msgid_plural "%d files"
msgstr[0] ""
msgstr[1] ""
`

const entry = (text: string) => `${header}\n${text}`

const bodyOf = (text: string) => text.slice(header.length + 1)

describe("Po", () => {
  it.effect("makes messages units, with their translations in the file", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(format, file)).toStrictEqual([
        { key: "Open %s", text: "Open %s", line: 12, state: "missing", translation: undefined },
        { key: "menu\u0004Close", text: "Close", line: 18, state: "fuzzy", translation: "Schliessen" },
        {
          key: 'One\n"two"\t\\\n',
          text: 'One\n"two"\t\\\n',
          line: 21,
          state: "translated",
          translation: "Eins\nzwei\n"
        },
        { key: "a file[0]", text: "a file", line: 28, state: "translated", translation: "eine Datei" },
        { key: "a file[1]", text: "%d files", line: 28, state: "missing", translation: undefined }
      ])
    })
  )

  it.effect("takes comments for translators as context, and flags for placeholders", () =>
    Effect.gen(function* () {
      const parts = (yield* partsOf(format, file)).filter(({ units }) => units.length > 0)
      expect(parts[0]).toMatchObject({
        context: "On a button\nKeep it short.",
        placeholders: { kinds: ["printf", "c-format", "tags"] }
      })
      expect(parts[2]!.placeholders).toBeUndefined()
      for (const [flag, kinds] of [
        ["python-brace-format", ["braces", "tags"]],
        ["javascript-format", ["braces", "printf", "c-format", "tags"]],
        ["no-c-format", ["braces", "tags"]],
        ["qt-format", ["tags"]]
      ] as const) {
        const [part] = (yield* partsOf(format, entry(`#, ${flag}\nmsgid "%1 {x}"\nmsgstr ""\n`))).slice(-1)
        const first = ["braces", "printf", "c-format", "tags"]
        expect(part!.placeholders?.kinds.filter((kind) => first.includes(kind))).toStrictEqual(kinds)
      }
    })
  )

  it.effect(
    "has one object for the placeholders of the same flags, as units of the same one share requests",
    () =>
      Effect.gen(function* () {
        const of = (flags: string, id: string) =>
          Effect.map(
            partsOf(format, entry(`#, ${flags}\nmsgid "${id}"\nmsgstr ""\n`)),
            (parts) => parts.at(-1)!.placeholders
          )
        const first = yield* of("c-format", "%s")
        expect(first).toBeDefined()
        expect(yield* of("fuzzy, c-format", "Open %d")).toBe(first)
        expect(yield* of("python-format", "%(name)s")).toBe(first)
        expect(yield* of("python-brace-format", "{name}")).not.toBe(first)
      })
  )

  it.effect("takes the most characters of a translation from a flag", () =>
    Effect.gen(function* () {
      const limits = (flag: string) =>
        Effect.map(unitsOf(format, entry(`#, ${flag}\nmsgid "Save"\nmsgstr ""\n`)), (units) =>
          units.map(({ maxCharacters }) => maxCharacters)
        )
      expect(yield* limits("fuzzy, max-length:12")).toEqual([12])
      expect(yield* limits("max-length:none")).toEqual([undefined])
    })
  )

  it.effect("has no placeholders of their own for units without any", () =>
    Effect.gen(function* () {
      const of = (flag: string, id: string) =>
        Effect.map(
          partsOf(format, entry(`#, ${flag}\nmsgid "a"\nmsgid_plural "${id}"\nmsgstr[0] ""\nmsgstr[1] ""\n`)),
          (parts) => parts.at(-1)!.placeholders?.kinds
        )
      expect(yield* of("c-format", "Open")).toBeUndefined()
      // What would be protected by default is not.
      expect(yield* of("c-format", "Open {name}")).toStrictEqual(["printf", "c-format", "tags"])
      // Qt's own.
      expect(yield* of("qt-format", "Open %1")).toStrictEqual(["tags"])
    })
  )

  it.effect("takes a form for 1 and others from msgid if this shows its number", () =>
    Effect.gen(function* () {
      const texts = (id: string, targetLang: string) =>
        Effect.map(unitsOf(format, template.replace("a file", id), { targetLang }), (units) =>
          units.map(({ text }) => text)
        )
      for (const targetLang of ["fr", "pt-BR"]) {
        expect(yield* texts("%d file", targetLang)).toStrictEqual(["%d file", "%d files"])
        expect(yield* texts("a file", targetLang)).toStrictEqual(["%d files", "%d files"])
      }
      expect(yield* texts("%d file", "ru")).toStrictEqual(["%d file", "%d files", "%d files"])
      expect(yield* texts("%d file", "ja")).toStrictEqual(["%d files"])
      expect(yield* texts("a file", "de")).toStrictEqual(["a file", "%d files"])
    })
  )

  it.effect("leaves a file as it is", () =>
    Effect.gen(function* () {
      for (const newline of ["\n", "\r\n"]) {
        const text = `\uFEFF${file.replaceAll("\n", newline)}`
        expect(yield* untouched(format, text, { chunkSize: 3 })).toBe(text)
        expect(
          yield* rewrite(format, text, ({ state, translation }) =>
            state === "fuzzy" ? undefined : translation
          )
        ).toBe(text)
      }
    })
  )

  it.effect("removes the mark fuzzy and the previous text from translated messages", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(format, file, ({ state }) => (state === "fuzzy" ? "Zu" : undefined))
      expect(written).toBe(
        file
          .replace('#, fuzzy, python-format\n#| msgid "Shut"\n', "#, python-format\n")
          .replace("Schliessen", "Zu")
      )
      expect(yield* rewrite(format, entry('#, fuzzy\nmsgid "a"\nmsgstr "b"\n'), () => "c")).toBe(
        entry('msgid "a"\nmsgstr "c"\n')
      )
    })
  )

  it.effect("keeps the mark fuzzy while a form of the message is the old one", () =>
    Effect.gen(function* () {
      const plural = (first: string) =>
        entry(`#, fuzzy\nmsgid "a"\nmsgid_plural "as"\nmsgstr[0] "${first}"\nmsgstr[1] "old"\n`)
      expect(yield* rewrite(format, plural("old"), ({ key }) => (key === "a[0]" ? "new" : undefined))).toBe(
        plural("new")
      )
    })
  )

  it.effect("marks translations as fuzzy if told so", () =>
    Effect.gen(function* () {
      const fuzzy = Po.make({ fuzzy: true })
      const text = entry('#: a.c\n#, c-format\nmsgid "a"\nmsgstr ""\n\n#: b.c\nmsgid "b"\nmsgstr ""\n')
      expect(bodyOf(yield* rewrite(fuzzy, text, () => "x"))).toBe(
        '#: a.c\n#, fuzzy, c-format\nmsgid "a"\nmsgstr "x"\n\n#: b.c\n#, fuzzy\nmsgid "b"\nmsgstr "x"\n'
      )
    })
  )

  it.effect("wraps as msgmerge does", () =>
    Effect.gen(function* () {
      const words = "Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy eirmod tempor"
      const text = entry('msgid "a"\nmsgstr ""\n')
      expect(bodyOf(yield* rewrite(format, text, () => words))).toBe(
        'msgid "a"\nmsgstr ""\n"Lorem ipsum dolor sit amet, consetetur sadipscing elitr, sed diam nonumy "\n"eirmod tempor"\n'
      )
      expect(bodyOf(yield* rewrite(format, text, () => "a\nb"))).toBe('msgid "a"\nmsgstr ""\n"a\\n"\n"b"\n')
      const line = entry('msgid "a\\n"\nmsgstr ""\n')
      expect(bodyOf(yield* rewrite(format, line, () => "b\n"))).toBe('msgid "a\\n"\nmsgstr "b\\n"\n')
    })
  )

  it.effect("begins and ends a translation with line breaks as its text does", () =>
    Effect.gen(function* () {
      const of = (id: string, translation: string) =>
        Effect.map(
          rewrite(format, entry(`msgid "${id}"\nmsgstr ""\n`), () => translation),
          (text) => po.parse(text).translations[""]![id.replaceAll("\\n", "\n")]!.msgstr[0]
        )
      expect(yield* of("a\\n", "b")).toBe("b\n")
      expect(yield* of("\\na", "b\n")).toBe("\nb")
    })
  )

  it.effect("writes the header and the plural forms of the target language", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, template, { targetLang: "ru" })
      expect(units.map(({ key, text }) => [key, text])).toStrictEqual([
        ["a file[0]", "%d files"],
        ["a file[1]", "%d files"],
        ["a file[2]", "%d files"]
      ])
      const written = yield* rewrite(format, template, ({ key }) => `ф ${key}`, { targetLang: "pt-BR" })
      expect(written).toBe(`msgid ""
msgstr ""
"Project-Id-Version: x\\n"
"Language: pt_BR\\n"
"Content-Type: text/plain; charset=UTF-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"

#: a.c:2
msgid "a file"
msgid_plural "%d files"
msgstr[0] "ф a file[0]"
msgstr[1] "ф a file[1]"
`)
      const russian = po.parse(yield* rewrite(format, template, ({ key }) => key, { targetLang: "ru" }))
      expect(russian.translations[""]!["a file"]!.msgstr).toStrictEqual([
        "a file[0]",
        "a file[1]",
        "a file[2]"
      ])
      const japanese = po.parse(yield* rewrite(format, template, ({ text }) => text, { targetLang: "ja" }))
      expect(japanese.translations[""]!["a file"]!.msgstr).toStrictEqual(["%d files"])
    })
  )

  it.effect("leaves the header of a translated file that names no language", () =>
    Effect.gen(function* () {
      for (const language of ["", '"Language: \\n"\n']) {
        const text = entry('msgid "a"\nmsgstr "b"\n').replace('"Language: de\\n"\n', language)
        expect(yield* untouched(format, text, { targetLang: "fr" })).toBe(text)
        expect((yield* unitsOf(format, text, { targetLang: "fr" }))[0]!.state).toBe("translated")
      }
    })
  )

  it.effect("leaves a header that says the forms or the language in another way", () =>
    Effect.gen(function* () {
      const plural = 'msgid "a"\nmsgid_plural "b"\nmsgstr[0] "c"\nmsgstr[1] ""\n'
      for (const forms of [
        "nplurals=2; plural=(n != 1);;",
        "nplurals=2; plural=(n != 1)",
        " nplurals = 2 ;plural =(n!=1) ; ",
        "Plural-Forms: nplurals=2; plural=n != 1;",
        "nplurals=2; plural=(n > 1); // as in French"
      ]) {
        const text = entry(plural).replace("nplurals=2; plural=(n != 1);", forms)
        expect(text).toContain(`Plural-Forms: ${forms}\\n`)
        expect(yield* untouched(format, text)).toBe(text)
      }
      for (const [language, targetLang] of [
        ["Norwegian Bokmål", "nb"],
        ["Norwegian Bokmål", "nb-NO"],
        ["german", "de"],
        ["Portuguese", "pt-BR"],
        ["Chinese (Traditional)", "zh-Hant"]
      ] as const) {
        const text = entry(plural).replace("Language: de", `Language: ${language}`)
        expect(yield* untouched(format, text, { targetLang })).toBe(text)
        expect((yield* unitsOf(format, text, { targetLang }))[0]!.state).toBe("translated")
      }
      const french = entry(plural).replace("Language: de", "Language: French")
      expect((yield* unitsOf(format, french))[0]!.state).toBe("missing")
    })
  )

  it.effect("counts translations into another language as missing", () =>
    Effect.gen(function* () {
      const text = entry(
        'msgid "a"\nmsgstr "b"\n\nmsgid "c"\nmsgid_plural "d"\nmsgstr[0] "e"\nmsgstr[1] "f"\n'
      )
      const units = yield* unitsOf(format, text, { targetLang: "fr" })
      expect(units.every(({ state, translation }) => state === "missing" && translation === undefined)).toBe(
        true
      )
      const partly = yield* rewrite(format, text, ({ key }) => (key === "c[0]" ? "x" : undefined), {
        targetLang: "fr"
      })
      expect(po.parse(partly).translations[""]!.c!.msgstr).toStrictEqual(["x", ""])
      for (const targetLang of ["de-DE", "de"]) {
        expect((yield* unitsOf(format, text, { targetLang }))[0]!.state).toBe("translated")
      }
    })
  )

  it.effect("reads ISO-8859-1, and refuses characters that it has not", () =>
    Effect.gen(function* () {
      const text = entry('msgid "a"\nmsgstr "ä"\n').replace("UTF-8", "ISO-8859-1")
      const bytes = new Uint8Array(Buffer.from(text, "latin1"))
      expect((yield* unitsOf(format, bytes))[0]!.translation).toBe("ä")
      const written = yield* rewriteBytes(format, bytes, () => "ö")
      expect(Buffer.from(written).toString("latin1")).toBe(text.replace('"ä"', '"ö"'))
      const error = yield* Effect.flip(rewriteBytes(format, bytes, () => "ж"))
      expect(error).toMatchObject({ key: "a", message: expect.stringContaining("ISO-8859-1") })
    })
  )

  it.effect("refuses characters that the header's charset or gettext cannot hold", () =>
    Effect.gen(function* () {
      const ascii = entry('msgid "a"\nmsgstr ""\n').replace("UTF-8", "ASCII")
      expect((yield* Effect.flip(rewrite(format, ascii, () => "ä"))).message).toContain("msgconv -t UTF-8")
      const french = yield* rewrite(format, ascii, () => "é", { targetLang: "fr" })
      expect(french).toContain("charset=UTF-8")
      expect((yield* Effect.flip(rewrite(format, file, () => "a\0b"))).message).toContain("U+0000")
    })
  )

  it.effect("names the mistake in a file, and its place", () =>
    Effect.gen(function* () {
      for (const [text, line, message] of [
        ['msgid "a"\nmsgstr "secret\n', 2, "not closed"],
        ['msgid "a"\nmsgstr "b" secret\n', 2, "not closed"],
        ['msgid "a"\n\nmsgid "b"\nmsgstr ""\n', 1, "msgstr is missing"],
        ['msgid "a"\nmsgstr ""\n\nmsgid "a"\nmsgstr ""\n', 4, "line 1"],
        ['msgid "a"\nsecret\n', 2, "neither"],
        ['msgstr "a"\n', 1, "msgid is missing"],
        ['msgctxt "a"\nmsgstr "a"\n', 2, "msgid is missing"],
        ['msgid "a"\nmsgid_plural "b"\nmsgstr[1] ""\n', 3, "msgstr[0]"],
        ['msgid "a"\nmsgid_plural "b"\nmsgstr ""\n', 3, "msgstr[0]"],
        ['"secret"\n', 1, "neither"]
      ] as const) {
        const error = yield* Effect.flip(partsOf(format, text))
        expect(error).toMatchObject({ line, message: expect.stringContaining(message) })
        expect(error.message).not.toContain("secret")
      }
      const koi = yield* Effect.flip(partsOf(format, file.replace("UTF-8", "Shift_JIS")))
      expect(koi.message).toContain("msgconv -t UTF-8")
    })
  )

  it.effect("takes the names of JavaScript's prototypes as ids", () =>
    Effect.gen(function* () {
      const text = 'msgid "__proto__"\nmsgstr ""\n\nmsgid "constructor"\nmsgstr ""\n'
      expect((yield* unitsOf(format, text)).map(({ key }) => key)).toStrictEqual(["__proto__", "constructor"])
    })
  )

  it.effect(
    "merges as msgmerge does: the target's order, new messages at their place, old ones obsolete",
    () =>
      Effect.gen(function* () {
        const source = `${template}\n#. note\nmsgid "new"\nmsgstr ""\n\nmsgid "b"\nmsgstr ""\n`
        const target = entry(
          'msgid "b"\nmsgstr "B"\n\n# hint\n#: x.c\nmsgid "gone"\nmsgstr "weg"\n\nmsgid "unused"\nmsgstr ""\n\n' +
            'msgid "a file"\nmsgid_plural "files"\nmsgstr[0] "x"\nmsgstr[1] "y"\n'
        )
        const merged = (gone: string) =>
          entry(
            `msgid "b"\nmsgstr "B"\n\n${gone}#: a.c:2\n#, fuzzy\nmsgid "a file"\nmsgid_plural "%d files"\n` +
              'msgstr[0] "x"\nmsgstr[1] "y"\n\n#. note\nmsgid "new"\nmsgstr ""\n'
          )
        expect(yield* merge(format, source, target)).toBe(
          merged('# hint\n#~ msgid "gone"\n#~ msgstr "weg"\n\n')
        )
        expect(yield* merge(format, source, target, { removed: "drop" })).toBe(merged(""))
        expect(yield* merge(format, template, template)).toBe(template)
      })
  )

  it.effect("merges a new plural with the target's number of forms", () =>
    Effect.gen(function* () {
      const merged = yield* merge(format, template, 'msgid "x"\nmsgstr "y"\n', { targetLang: "ru" })
      expect(merged).toContain('msgstr[2] ""\n')
      const keys = (yield* unitsOf(format, merged, { targetLang: "ru" })).map(({ key }) => key)
      expect(keys).toStrictEqual(["a file[0]", "a file[1]", "a file[2]"])
    })
  )

  const text = fc.oneof(
    fc.fullUnicodeString({ minLength: 1, maxLength: 20 }),
    fc.stringOf(fc.constantFrom("\\", '"', "\n", "\r", "\t", "x41", "1", " word", "日本"), { maxLength: 60 })
  )
  const written = text
    .map((value) => value.replaceAll("\0", "").replace(/^\n+|\n+$/g, ""))
    .filter((value) => value !== "")

  it.effect.prop(
    "reads the same as was written, by another reader as well",
    [
      fc.uniqueArray(
        fc.tuple(fc.stringOf(fc.constantFrom("a", " ", "é", "%s"), { minLength: 1 }), written, written),
        {
          selector: ([id]) => id.trim(),
          minLength: 1,
          maxLength: 4
        }
      ),
      fc.constantFrom("\n", "\r\n"),
      fc.boolean()
    ],
    ([rows, newline, fuzzy]) =>
      Effect.gen(function* () {
        const messages = rows.filter(([id]) => id.trim() !== "")
        const source = messages.map(([id]) => {
          const lines = [`#. note`, `msgid "${id}"`, `msgid_plural "${id}s"`, 'msgstr[0] ""', 'msgstr[1] ""']
          return lines.join(newline)
        })
        const file = [header.replaceAll("\n", newline), ...source, ""].join(newline)
        expect(yield* untouched(format, file, { chunkSize: 2 })).toBe(file)
        const translations = new Map(
          messages.flatMap(([id, one, other]) => [
            [`${id}[0]`, one],
            [`${id}[1]`, other]
          ])
        )
        const of = ({ key }: Format.Unit) => translations.get(key)
        const result = yield* rewrite(Po.make({ fuzzy }), file, of)
        const units = yield* unitsOf(format, result)
        expect(new Map(units.map(({ key, translation }) => [key, translation]))).toStrictEqual(translations)
        expect(units.every(({ state }) => state === (fuzzy ? "fuzzy" : "translated"))).toBe(true)
        const simple = (value: string) => !/[\u0000-\u0008\u000b-\u001f\u007f\u0085\u2028\u2029]/.test(value)
        if (messages.every(([, one, other]) => simple(one) && simple(other))) {
          const read = po.parse(Buffer.from(result)).translations[""]!
          for (const [id, one, other] of messages) expect(read[id]!.msgstr).toStrictEqual([one, other])
        }
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  it.effect.prop(
    "a merged file has the messages of the source, with the translations of the target",
    [
      fc.uniqueArray(fc.nat(9), { minLength: 1 }),
      fc.uniqueArray(fc.nat(9)),
      fc.constantFrom("keep" as const, "drop" as const)
    ],
    ([source, target, removed]) =>
      Effect.gen(function* () {
        const of = (ids: ReadonlyArray<number>, translation: string) =>
          header + ids.map((id) => `\n# ${id}\nmsgid "m${id}"\nmsgstr "${translation}"\n`).join("")
        const merged = yield* merge(format, of(source, ""), of(target, "t"), { removed })
        const units = yield* unitsOf(format, merged)
        expect(new Map(units.map(({ key, translation }) => [key, translation]))).toStrictEqual(
          new Map(source.map((id) => [`m${id}`, target.includes(id) ? "t" : undefined]))
        )
        if (target.length === source.length && target.every((id) => source.includes(id)))
          expect(merged).toBe(of(target, "t"))
        const isKept = removed === "keep" && target.some((id) => !source.includes(id))
        expect(merged.includes("#~ msgid")).toBe(isKept)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})

describe("A PO file in the source language", () => {
  const catalogue = (header: string) =>
    `msgid ""
msgstr ""
"Language: ${header}\\n"
"Content-Type: text/plain; charset=UTF-8\\n"

msgid "NhX4DJ"
msgstr "Hello"

msgid "home.title"
msgstr "The home page"
`

  it.effect("has its texts in msgstr, and its ids stay", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(Po.format, catalogue("en"))).toEqual({
        NhX4DJ: "Hello",
        "home.title": "The home page"
      })
      const written = yield* rewrite(Po.format, catalogue("en"), ({ text }) => text.toUpperCase())
      expect(written).toContain('msgid "NhX4DJ"\nmsgstr "HELLO"')
      expect(written).toContain('"Language: de\\n"')
    })
  )

  it.effect("is known by its ids, if nobody says the source language", () =>
    Effect.gen(function* () {
      const texts = yield* textsOf(Po.format, catalogue("en"), { sourceLang: undefined })
      expect(texts).toEqual({ NhX4DJ: "Hello", "home.title": "The home page" })
    })
  )

  it.effect("is none if its translations are in a third language", () =>
    Effect.gen(function* () {
      const french = `msgid ""
msgstr "Language: fr\\n"

msgid "Hello there"
msgstr "Bonjour"
`
      expect(yield* textsOf(Po.format, french)).toEqual({ "Hello there": "Hello there" })
      expect(yield* textsOf(Po.format, french, { sourceLang: undefined })).toEqual({
        "Hello there": "Hello there"
      })
    })
  )

  it.effect("has ids that are texts translated where msgstr is empty, and names told", () =>
    Effect.gen(function* () {
      const file = `${catalogue("en")}
msgid "Fine words"
msgstr ""

msgid "footer.note"
msgstr ""
`
      const parts = yield* partsOf(Po.format, file)
      expect(parts.flatMap(({ units }) => units.map(({ text }) => text))).toEqual([
        "Hello",
        "The home page",
        "Fine words"
      ])
      expect(parts.flatMap(({ problem }) => problem?.key ?? [])).toEqual(["footer.note"])
    })
  )

  it.effect("has plurals for each form of the target", () =>
    Effect.gen(function* () {
      const plural = `msgid ""
msgstr ""
"Language: en\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

msgid "files"
msgid_plural "files"
msgstr[0] "%d file"
msgstr[1] "%d files"
`
      expect(yield* textsOf(Po.format, plural, { targetLang: "pl" })).toEqual({
        "files[0]": "%d file",
        "files[1]": "%d files",
        "files[2]": "%d files"
      })
    })
  )

  it.effect("keeps the laws of formats", () =>
    Effect.forEach(
      FormatLaws.all.filter(({ appliesTo }) => appliesTo(Po.format)),
      (law) =>
        law.check(Po.format, {
          document: new TextEncoder().encode(catalogue("en")),
          target: new TextEncoder().encode(catalogue("de")),
          cuts: [10]
        })
    )
  )
})
