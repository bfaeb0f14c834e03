import { describe, expect, it } from "@effect/vitest"
import { DOMParser } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import { FileTranslation } from "effect-translate/jobs"
import * as fc from "fast-check"
import * as AndroidStrings from "../../src/format/AndroidStrings.js"
import * as Placeholder from "../../src/text/Placeholder.js"
import { file, marking } from "../job/support.js"
import { runs } from "../support/long.js"
import * as tools from "./formats.js"

const { format } = AndroidStrings

const resources = (entries: string) => `<?xml version="1.0" encoding="utf-8"?>
<!-- Copyright -->
<resources xmlns:tools="http://schemas.android.com/tools" xmlns:xliff="urn:oasis:names:tc:xliff:document:1.2">
${entries}
</resources>
`

const app = resources(String.raw`
    <!-- Settings -->

    <!-- Shown at the top.
         Keep it short. -->
    <string name="title">It\'s "fine" &amp; \u201cdone\u201d\n\@home</string> <!-- not of the next -->
    <string name="plain" tools:ignore="Typos">
        Hello   <b>big</b>
        <a href="https://a.b/?c&amp;d">world</a>, <xliff:g id="name" example="Bob">%1$s</xliff:g>!
    </string>
    <string name="app_name" translatable="false">App</string>
    <string name="alias">@string/title</string>
    <string name="empty"/>
    <string name="html"><![CDATA[<p class="x">It\'s</p>]]></string>
    <string name="quoted">"  it's  kept "</string>
    <color name="red">#f00</color>
    <string-array name="days">
        <!-- first -->
        <item>Monday</item>
        <item>@string/title</item>
        <item>&app_name; day</item>
    </string-array>
    <plurals name="files">
        <item quantity="one">%d file</item>
        <!-- many -->
        <item quantity="other">%d files</item>
    </plurals>`)

const stringOf = (content: string) => resources(`<string name="a">${content}</string>`)

const textOf = (content: string) => Effect.map(tools.textsOf(format, stringOf(content)), ({ a }) => a)

/** The content of a string with such a translation. */
const written = (content: string, translation: string) =>
  Effect.map(
    tools.rewrite(format, stringOf(content), () => translation),
    (file) => /<string name="a">([\s\S]*)<\/string>/.exec(file)![1]
  )

describe("AndroidStrings.format", () => {
  it.effect("gives plurals the source's text of the same name, if it shows its number where it has to", () =>
    Effect.gen(function* () {
      const one = (file: string) =>
        Effect.map(tools.textsOf(format, file, { targetLang: "ru" }), (texts) => texts["files/one"])
      expect(yield* one(app)).toBe("%d file")
      expect(yield* one(app.replace("%d file<", "a file<"))).toBe("%d files")
      expect(yield* one(app.replace("%d file<", '<xliff:g id="n" example="5">%d</xliff:g> file<'))).toContain(
        "> file"
      )
    })
  )

  it.effect("reads strings, arrays and plurals", () =>
    Effect.gen(function* () {
      expect(yield* tools.textsOf(format, app)).toStrictEqual({
        title: "It's fine &amp; “done”\n@home",
        plain:
          'Hello <b>big</b> <a href="https://a.b/?c&amp;d">world</a>, <xliff:g id="name" example="Bob">%1$s</xliff:g>!',
        html: '&lt;p class="x"&gt;It\'s&lt;/p&gt;',
        quoted: "  it's  kept ",
        "days/0": "Monday",
        "days/2": '<entity name="app_name"/> day',
        "files/one": "%d file",
        "files/other": "%d files"
      })
    })
  )

  it.effect("says where units are, and gives the comments directly above as context", () =>
    Effect.gen(function* () {
      const parts = yield* tools.partsOf(format, app)
      const units = parts.flatMap(({ context, units }) => units.map(({ key, line }) => [key, line, context]))
      expect(units).toStrictEqual([
        ["title", 9, "Shown at the top.\nKeep it short."],
        ["plain", 10, undefined],
        ["html", 17, undefined],
        ["quoted", 18, undefined],
        ["days/0", 22, "first"],
        ["days/2", 24, undefined],
        ["files/one", 27, "many"],
        ["files/other", 29, "many"]
      ])
    })
  )

  it.effect("comes out byte for byte, in chunks of any size", () =>
    Effect.gen(function* () {
      for (const file of [app, `\uFEFF${app.replaceAll("\n", "\r\n")}`]) {
        for (const chunkSize of [1, 7, 100_000]) {
          expect(yield* tools.untouched(format, file, { chunkSize })).toBe(file)
        }
      }
    })
  )

  it.effect("writes texts with the escapes of the file", () =>
    Effect.gen(function* () {
      for (const content of [
        String.raw`It\'s \"quoted\" \u201cdone\u201d\n\@home \? \\ \t`,
        String.raw`\@at the start`,
        String.raw`\?`,
        String.raw`\u0020a \u0020b\u0020`,
        String.raw`\uD83D\uDE00 😀`.slice(0, 12),
        `"it's   quoted\n  over lines"`,
        `"it&#39;s"`,
        String.raw`it\&apos;s &#8230; &gt;`,
        "&lt;b>bold&lt;/b>",
        '<![CDATA[<a href="x">it\\\'s</a>\n  <b/>]]>',
        "\n    <![CDATA[x]]>\n  ",
        "  a <b>b</b>\n",
        'a<xliff:g id="x">%s</xliff:g> <i>b <u>c</u></i><br/>',
        "a & b".replace("&", "&amp;")
      ]) {
        expect(yield* tools.writtenAnew(format, stringOf(content))).toBe(stringOf(content))
      }
    })
  )

  it.effect("reads whitespace, quotes and escapes as Android does", () =>
    Effect.gen(function* () {
      expect(yield* textOf('  a \n\t b "  c "d')).toBe("a b   c d")
      expect(yield* textOf(String.raw`\u0041\x\#\u0020`)).toBe("Ax# ")
      expect(yield* textOf("a <b> b</b> c")).toBe("a <b>b</b> c")
    })
  )

  it.effect("escapes characters that a translation has and its source has not", () =>
    Effect.gen(function* () {
      expect(yield* written("A", 'it\'s "x" &lt;y&gt; &amp;\n\\')).toBe(
        String.raw`it\'s \"x\" &lt;y&gt; &amp;\n\\`
      )
      expect(yield* written("A", "@x ?y")).toBe(String.raw`\@x ?y`)
      expect(yield* written("A", "  a  b ")).toBe(String.raw`\u0020 a \u0020b\u0020`)
      expect(yield* written("A", "\u0001\r")).toBe(String.raw`\u0001\u000D`)
      expect(yield* written('"A"', 'it\'s  "x"')).toBe(String.raw`"it\'s  \"x\""`)
      expect(yield* written("<![CDATA[A]]>", ']]&gt; "it\'s"')).toBe(
        String.raw`<![CDATA[]]]]><![CDATA[> \"it\'s\"]]>`
      )
    })
  )

  it.effect("writes marks in the order of the translation, also into a text that had others", () =>
    Effect.gen(function* () {
      const translation =
        '<xliff:g id="n">%s</xliff:g>: <a href="?x&y">it\'s</a> <b>a</b><br /><entity name="app"/> a < b'
      for (const source of ['<b>A</b> <a href="?x&amp;y">B</a> <xliff:g id="n">%s</xliff:g>&app;', "A"]) {
        expect(yield* written(source, translation)).toBe(
          String.raw`<xliff:g id="n">%s</xliff:g>: <a href="?x&amp;y">it\'s</a> <b>a</b><br />&app; a &lt; b`
        )
      }
    })
  )

  it.effect("refuses a translation with mark-up that XML cannot hold", () =>
    Effect.gen(function* () {
      const refused = (translation: string) => Effect.flip(written("A", translation))
      const error = { key: "a", line: 4, message: expect.stringContaining("not closed in its order") }
      expect(yield* refused("<b>a")).toMatchObject(error)
      expect(yield* refused("a</b>")).toMatchObject(error)
      expect(yield* refused("<b><i>a</b></i>")).toMatchObject(error)
      expect((yield* refused("<y:b>a</y:b>")).message).toContain('prefix "y": declare it')
      expect(yield* refused('<b y:z="1">a</b>')).toMatchObject(error)
      expect(yield* refused('<b c="1" c="2">a</b>')).toMatchObject(error)
      expect(yield* refused('<b c="\u0001">a</b>')).toMatchObject(error)
    })
  )

  it.effect("protects the text within <xliff:g>", () =>
    Effect.gen(function* () {
      const text = yield* textOf('A <xliff:g id="n" example="x">Big Bob</xliff:g> <b>C</b>')
      const { placeholders } = Placeholder.protect(text!, { ...format.placeholders, tagHandling: "xml" })
      expect(placeholders).toStrictEqual(["Big Bob"])
    })
  )

  it.effect("writes the quantities of the target language", () =>
    Effect.gen(function* () {
      const rewrite = (
        targetLang: string,
        translate: (unit: { readonly key: string }) => string | undefined
      ) =>
        Effect.map(tools.rewrite(format, app, translate, { targetLang }), (file) =>
          file.slice(file.indexOf('<plurals name="files">'), file.indexOf("</plurals>"))
        )
      expect(
        yield* rewrite("ru", ({ key }) => (key.endsWith("few") ? "%d файла" : undefined))
      ).toBe(`<plurals name="files">
        <item quantity="one">%d file</item>
        <item quantity="few">%d файла</item>
        <item quantity="many">%d files</item>
        <!-- many -->
        <item quantity="other">%d files</item>
    `)
      expect(
        yield* rewrite("ja", ({ key }) => (key.startsWith("files") ? key : undefined))
      ).toBe(`<plurals name="files">
        <!-- many -->
        <item quantity="other">files/other</item>
    `)
      const units = yield* tools.unitsOf(format, app, { targetLang: "zh-rCN" })
      expect(units.filter(({ key }) => key.startsWith("files")).map(({ text }) => text)).toStrictEqual([
        "%d files"
      ])
    })
  )

  it.effect("tells entries of different types and products apart, and refuses the same twice", () =>
    Effect.gen(function* () {
      const file = resources(`<string name="a">A</string>
<string name="a" product="tablet">B</string>
<item name="c" type="string">C</item>
<string-array name="a"><item>D</item></string-array>
<string name="__proto__">E</string>`)
      expect((yield* tools.unitsOf(format, file)).map(({ key }) => key)).toStrictEqual([
        "a",
        "a:tablet",
        "c",
        "a/0",
        "__proto__"
      ])
      const twice = resources('<string name="a">A</string>\n  <string name="a">B</string>')
      expect(yield* Effect.flip(tools.unitsOf(format, twice))).toMatchObject({ line: 5, column: 3, key: "a" })
      const quantity = resources(
        '<plurals name="a"><item quantity="one">A</item><item quantity="one">B</item></plurals>'
      )
      expect((yield* Effect.flip(tools.unitsOf(format, quantity))).key).toBe("a/one")
    })
  )

  it.effect("refuses a file that is none of resources", () =>
    Effect.gen(function* () {
      const messageOf = (file: string) =>
        Effect.map(Effect.flip(tools.unitsOf(format, file)), ({ message }) => message)
      expect(yield* messageOf("<manifest/>")).toContain("<resources>")
      expect(yield* messageOf(app.slice(0, 400))).toContain("cut")
      expect(yield* messageOf(resources("<b>".repeat(10_000)))).toContain("500")
      const bomb =
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><resources><string name="a">x &b;</string></resources>'
      expect(yield* tools.textsOf(format, bomb)).toStrictEqual({ a: 'x <entity name="b"/>' })
    })
  )

  it("is known by its root", () => {
    expect(format.detect?.("values/strings.xml", app)).toBe(true)
    expect(format.detect?.("a.xml", "\uFEFF <resources/>")).toBe(true)
    expect(format.detect?.("a.xml", "<!-- <resources> --><manifest>")).toBe(false)
    expect(format.detect?.("a.xml", "<resourcesX>")).toBe(false)
    expect(format.detect?.("a.xml", "<!-- <resources>")).toBe(false)
  })

  it.effect("has the same structure for another reader after a translation", () =>
    Effect.gen(function* () {
      const file = yield* tools.rewrite(format, app, ({ text }) =>
        text.replace(/[aeiou](?![^<]*>)(?![a-z]*;)/g, "ä")
      )
      const shapeOf = (text: string) =>
        [
          ...new DOMParser()
            .parseFromString(text.replaceAll("&app_name;", "App"), "text/xml")
            .getElementsByTagName("*")
        ].map(({ attributes, tagName }) =>
          [tagName, ...[...attributes].map(({ name, value }) => `${name}=${value}`)].join(" ")
        )
      expect(shapeOf(file)).toStrictEqual(shapeOf(app))
      const root = new DOMParser().parseFromString(file.replaceAll("&app_name;", "App"), "text/xml")
      expect(root.getElementsByTagName("xliff:g")[0]?.textContent).toBe("%1$s")
      expect([...root.getElementsByTagName("item")].map(({ textContent }) => textContent)).toStrictEqual([
        "Mändäy",
        "@string/title",
        "App däy",
        "%d fälä",
        "%d fäläs"
      ])
    })
  )

  it("reads the texts that it has written", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.string({
            unit: fc.oneof(
              fc.constantFrom(
                "<",
                "&",
                "]]>",
                "\r",
                "\n",
                " ",
                "'",
                '"',
                "\\",
                "\\u",
                "@",
                "?",
                "\t",
                "\u0001"
              ),
              fc.string({ unit: "grapheme", maxLength: 1 })
            )
          }),
          { maxLength: 4 }
        ),
        fc.constantFrom(
          "A",
          String.raw`it\'s \u00e9`,
          "<![CDATA[x 'y']]>",
          '"it\'s"',
          "it\\&apos;s",
          '"a\n  b"',
          "a <b>b</b>"
        ),
        (texts, source) =>
          Effect.runPromise(
            Effect.gen(function* () {
              const hasMark = source.includes("<b>")
              const escaped = texts.map((text) => {
                const plain = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
                return hasMark ? `${plain}<b>${plain}</b>` : `${plain}.`
              })
              const file = resources(
                texts.map((_, id) => `<string name="s${id}">${source}</string>`).join("\n")
              )
              let next = 0
              const written = yield* tools.rewrite(format, file, () => escaped[next++], { chunkSize: 9 })
              const units = yield* tools.unitsOf(format, written)
              expect(Object.fromEntries(units.map(({ key, text }) => [key, text]))).toStrictEqual(
                Object.fromEntries(
                  escaped.flatMap((text, id) =>
                    text.replace(/<\/?b>/g, "").trim() === "" ? [] : [[`s${id}`, text]]
                  )
                )
              )
            })
          )
      ),
      { numRuns: runs(50) }
    ))
})

describe("an update of Android strings", () => {
  const plurals = (other: string) => `    <plurals name="p">
        <item quantity="one">1 file</item>
        <item quantity="other">${other}</item>
    </plurals>`
  const update = (source: string, before?: FileTranslation.Update, target?: string) =>
    FileTranslation.update(file(resources(source)), {
      format,
      options: { sourceLang: "en", targetLang: "ru" },
      record: before?.record,
      target: target === undefined ? undefined : new TextEncoder().encode(target)
    })
  const textOf = ({ bytes }: FileTranslation.Update) => new TextDecoder().decode(bytes)

  it.effect("keeps the correction of one plural form when the source changes", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const before = yield* update(plurals("%d files"))
      const corrected = textOf(before).replace('"few">ru: %d files', '"few">%d файла')
      const after = yield* update(plurals("%d big files"), before, corrected)
      expect(textOf(after)).toBe(corrected.replaceAll("ru: %d files", "ru: %d big files"))
      expect(after.stale.map(({ key }) => key)).toStrictEqual(["p/few"])
    }).pipe(provide)
  })

  it.effect("writes marks that are new in the source into the existing target", () => {
    const { provide } = marking()
    return Effect.gen(function* () {
      const string = (text: string) => `<string name="a">${text}</string>`
      const before = yield* update(string("Hello Bob"))
      const after = yield* update(
        string('Hello <b><xliff:g id="n">Bob</xliff:g></b>'),
        before,
        textOf(before)
      )
      expect(textOf(after)).toBe(resources(string('ru: Hello <b><xliff:g id="n">Bob</xliff:g></b>')))
    }).pipe(provide)
  })
})

describe("AndroidStrings.format.merge", () => {
  const string = (name: string, text: string) => `    <string name="${name}">${text}</string>`

  it.effect("adds missing texts with their comments, keeps all else, and drops surplus ones if told", () =>
    Effect.gen(function* () {
      const source = resources(
        [string("new", "N"), string("a", "A"), "    <!-- of b -->", string("b", "B"), string("c", "C")].join(
          "\n"
        )
      )
      const target = resources(
        [string("c", "c  "), "", "    <!-- mine -->", string("x", "x"), string("a", "\\'a")].join("\n\n")
      )
      const merged = yield* tools.merge(format, source, target)
      expect(merged).toBe(
        resources(
          [
            string("new", "N"),
            string("c", "c  "),
            "",
            "    <!-- mine -->",
            string("x", "x"),
            `${string("a", "\\'a")}\n    <!-- of b -->\n${string("b", "B")}`
          ]
            .join("\n\n")
            .replace(`${string("new", "N")}\n\n`, `${string("new", "N")}\n`)
        )
      )
      expect(yield* tools.merge(format, source, merged)).toBe(merged)
      expect(yield* tools.merge(format, source, target, { removed: "drop" })).not.toContain('"x"')
    })
  )

  it.effect("adds items to arrays, fills empty entries, and leaves out texts that are not translatable", () =>
    Effect.gen(function* () {
      const array = (...items: ReadonlyArray<string>) =>
        `    <string-array name="l">\n${items.map((item) => `        <item>${item}</item>\n`).join("")}    </string-array>`
      const source = resources(
        [
          array("A", "B", "C"),
          string("e", "E"),
          '    <string name="no" translatable="false">No</string>',
          string("ref", "@string/e")
        ].join("\n")
      )
      expect(yield* tools.merge(format, source, resources([array("a"), string("e", " ")].join("\n")))).toBe(
        resources([array("a", "B", "C"), string("e", "E")].join("\n"))
      )
      expect(
        yield* tools.merge(
          format,
          source,
          resources([array("a", "b", "c", "d"), string("e", "e")].join("\n")),
          { removed: "drop" }
        )
      ).toBe(resources([array("a", "b", "c"), string("e", "e")].join("\n")))
      expect(yield* tools.merge(format, resources(string("a", "A")), "<resources/>\n")).toBe(
        `<resources>\n${string("a", "A")}</resources>\n`
      )
    })
  )

  it.effect("says that the target lacks a namespace", () =>
    Effect.gen(function* () {
      const source = resources(string("a", 'A <xliff:g id="x">%s</xliff:g>'))
      const problem = yield* Effect.flip(tools.merge(format, source, "<resources></resources>"))
      expect(problem.message).toContain("namespaces")
    })
  )
})
