import { describe, expect, it } from "@effect/vitest"
import { DOMParser } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import * as Xml from "../../src/format/Xml.js"
import { runs } from "../support/long.js"
import { bytesOf, rewrite, rewriteBytes, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const texts = (file: string) => textsOf(Xml.format, file)

/** Accents the letters of a text, but not its tags and entities. */
const pseudo = ({ text }: { readonly text: string }) =>
  text.replace(/<[^>]*>|&\w+;|[aeiou]/g, (part) => (part.length > 1 ? part : `${part}\u0301`))

/** Elements with attributes and their texts without accents, as another parser reads them. */
const structureOf = (file: string): ReadonlyArray<unknown> => {
  const document = new DOMParser({ onError: () => undefined }).parseFromString(file, "text/xml")
  return Array.from(document.getElementsByTagName("*"), (element) => [
    element.tagName,
    Array.from(element.attributes, ({ name, value }) => [name, value]),
    element.textContent?.replaceAll("\u0301", "")
  ])
}

const book = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE book [<!ENTITY app "The App">]>
<!-- about -->
<book xmlns="http://docbook.org/ns/docbook" xmlns:its="http://www.w3.org/2005/11/its" xml:lang='en'>
  <title>Fish &amp; &app; &#233;</title>
  <para>Press <emphasis role="bold">any</emphasis> key<xref linkend="a"/> or <literal>Esc</literal>,
    if 1 &lt; 2 &gt; 0.</para>
  <?page break?>
  <para>
    Buy:
    <itemizedlist><listitem><para>cod</para></listitem><listitem><para>eel</para></listitem></itemizedlist>
    and go<footnote><para>Home</para></footnote>.
  </para>
  <programlisting>if (a) b()</programlisting>
  <para its:translate="no">Not <phrase its:translate="yes">but this</phrase></para>
  <para xml:space="preserve"><![CDATA[ a < b ]]></para>
</book>
`

describe("Xml.format", () => {
  it.effect("has a unit for each element with text of its own", () =>
    Effect.gen(function* () {
      expect(yield* texts(book)).toStrictEqual({
        "book/title": "Fish &amp; <x1/> é",
        "book/para": "Press <g1>any</g1> key<x2/> or <x3/>,\n    if 1 &lt; 2 &gt; 0.",
        "book/para[2]": "Buy:",
        "book/para[2]/itemizedlist/listitem/para": "cod",
        "book/para[2]/itemizedlist/listitem[2]/para": "eel",
        "book/para[2]#2": "and go<g1><g2>Home</g2></g1>.",
        "book/para[3]/phrase": "but this",
        "book/para[4]": "a &lt; b"
      })
    })
  )

  it.effect("says where a unit is", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(Xml.format, "<a>\r\n <b>\r\n  x</b></a>")).toStrictEqual([
        { key: "a/b", text: "x", line: 3, state: "missing" }
      ])
    })
  )

  it.effect("gives the same bytes for units that stay, or are written as they were", () =>
    Effect.gen(function* () {
      for (const file of [book, `\uFEFF${book}`, book.replaceAll("\n", "\r\n")]) {
        expect(yield* untouched(Xml.format, file)).toBe(file)
        expect(yield* writtenAnew(Xml.format, file)).toBe(file)
      }
    })
  )

  it.effect("puts back the marks of a text, and escapes as the text does", () =>
    Effect.gen(function* () {
      const german: Record<string, string> = {
        "book/title": "<x1/> é, R&amp;D",
        "book/para": "<x2/><x3/><g1>Jede</g1> Taste &gt; &lt; \"'",
        "book/para[4]": "a ]]&gt; &lt; b"
      }
      const written = yield* rewrite(Xml.format, book, ({ key }) => german[key])
      expect(written).toContain("<title>&app; &#233;, R&amp;D</title>")
      expect(written).toContain(
        `<para><xref linkend="a"/><literal>Esc</literal><emphasis role="bold">Jede</emphasis> Taste &gt; &lt; "'</para>`
      )
      expect(written).toContain("<![CDATA[ a ]]]]><![CDATA[> < b ]]>")
    })
  )

  it.effect("has the same elements after a translation, for another parser", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(Xml.format, book, pseudo)
      expect(written).toContain("e\u0301")
      expect(structureOf(written)).toStrictEqual(structureOf(book))
    })
  )

  it.effect(
    "does not write a translation without the elements of its text, or with characters XML has not",
    () =>
      Effect.gen(function* () {
        const file = "<a>one <b>two</b> <c/></a>"
        for (const bad of [
          "one <g1>two</g1>",
          "<x2/><x2/><g1>a</g1>",
          "</g1><g1><x2/>",
          "<g1>\u0000</g1><x2/>"
        ]) {
          const error = yield* Effect.flip(rewrite(Xml.format, file, () => bad))
          expect(error).toMatchObject({ _tag: "FormatError", format: "xml", key: "a", line: 1 })
        }
      })
  )
})

describe("Xml.make", () => {
  const feed =
    "<rss><channel><title>News</title><item><title>First</title><link>a</link></item></channel><x:title xmlns:x='u'>X</x:title></rss>"

  it.effect("translates elements of a name, or at the end of a path", () =>
    Effect.gen(function* () {
      const keys = (translate: ReadonlyArray<string>) =>
        Effect.map(textsOf(Xml.make({ translate }), feed), (found) => Object.values(found))
      expect(yield* keys(["title"])).toStrictEqual(["News", "First", "X"])
      expect(yield* keys(["x:title"])).toStrictEqual(["X"])
      expect(yield* keys(["item/title"])).toStrictEqual(["First"])
      expect(yield* keys(["channel/*/link"])).toStrictEqual(["a"])
      expect(yield* keys(["item"])).toStrictEqual(["First", "a"])
    })
  )

  it.effect("keeps elements of other names", () =>
    Effect.gen(function* () {
      const format = Xml.make({ keep: ["b"] })
      expect(yield* textsOf(format, "<a><b>x</b><code>y</code></a>")).toStrictEqual({ "a/code": "y" })
    })
  )
})

describe("XML in other encodings", () => {
  const latin1 = (text: string) => Uint8Array.from(Buffer.from(text, "latin1"))
  const file = '<?xml version="1.0" encoding="ISO-8859-1"?>\n<a>caf\u00e9</a>'

  it.effect("is read and written in ISO-8859-1, with references for characters that this has not", () =>
    Effect.gen(function* () {
      expect((yield* unitsOf(Xml.format, latin1(file)))[0]?.text).toBe("café")
      const written = yield* rewriteBytes(Xml.format, latin1(file), () => "é € 😀")
      expect(Buffer.from(written).toString("latin1")).toBe(file.replace("café", "é &#8364; &#128512;"))
    })
  )

  it.effect("is read in UTF-16 with a byte order mark", () =>
    Effect.gen(function* () {
      const bytes = Uint8Array.from(
        Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><a>é</a>', "utf16le")
      )
      expect((yield* unitsOf(Xml.format, bytes))[0]?.text).toBe("é")
      expect(yield* rewriteBytes(Xml.format, bytes, () => undefined)).toStrictEqual(bytes)
    })
  )

  it.effect("is refused in others", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(texts('<?xml version="1.0" encoding="Shift_JIS"?><a/>'))
      expect(error.message).toContain("save the file as UTF-8")
      expect(yield* Effect.flip(unitsOf(Xml.format, latin1("<a>\n\u00e9</a>")))).toMatchObject({ line: 2 })
    })
  )
})

describe("Files that are no XML", () => {
  it.effect("end in an error that says where", () =>
    Effect.gen(function* () {
      for (const bad of ["<a><b></a>", "<a>text", "<a>x & y</a>", "", "text", `${"<a>".repeat(10_000)}`]) {
        const error = yield* Effect.flip(texts(bad))
        expect(error).toMatchObject({ _tag: "FormatError", format: "xml" })
      }
      expect(yield* Effect.flip(texts("<a>\n <b></a>"))).toMatchObject({ line: 2 })
    })
  )

  it.effect("do not expand entities, nor take names of objects for theirs", () =>
    Effect.gen(function* () {
      const bomb = '<!DOCTYPE a [<!ENTITY l "lol&l;"><!ENTITY m "&l;&l;">]><a>x &m;<b>&__proto__;</b></a>'
      expect(yield* texts(bomb)).toStrictEqual({ a: "x <x1/><g2><x3/></g2>" })
      const names = "<__proto__><constructor>a</constructor><toString>b</toString></__proto__>"
      expect(yield* writtenAnew(Xml.format, names)).toBe(names)
      expect(yield* unitsOf(Xml.format, names)).toHaveLength(2)
    })
  )
})

describe("XML of any structure", () => {
  const text = fc.constantFrom(
    "text",
    " ",
    "\n",
    "&amp;",
    "&#233;",
    "&e;",
    "<![CDATA[<c>]]>",
    "<!--n-->",
    "<?p q?>",
    "a>b"
  )
  const { element } = fc.letrec((tie) => ({
    element: fc
      .tuple(
        fc.constantFrom("a", "b", "code", "x:c"),
        fc.constantFrom("", " y='1'", ' translate="no"', " translate='yes'"),
        fc.array(fc.oneof({ maxDepth: 3 }, text, tie("element")), { maxLength: 5 })
      )
      .map(([name, attribute, content]) => `<${name}${attribute}>${content.join("")}</${name}>`)
  }))
  const document = (element as fc.Arbitrary<string>).map((root) => `<r xmlns:x="urn:x">${root}</r>`)

  it.effect.prop(
    "comes out as it was, or with the same elements",
    [document, fc.integer({ min: 1, max: 9 })],
    ([file, chunkSize]) =>
      Effect.gen(function* () {
        expect(yield* untouched(Xml.format, file, { chunkSize })).toBe(file)
        expect(yield* writtenAnew(Xml.format, file)).toBe(file)
        const written = yield* rewrite(Xml.format, file, pseudo)
        expect(structureOf(written)).toStrictEqual(structureOf(file))
        const units = yield* unitsOf(Xml.format, file)
        expect(new Set(units.map(({ key }) => key)).size).toBe(units.length)
        expect(yield* texts(written)).toStrictEqual(
          Object.fromEntries(units.map((unit) => [unit.key, pseudo(unit)]))
        )
      }),
    { fastCheck: { numRuns: runs(40) } }
  )

  it.effect.prop(
    "holds the texts that were written",
    [
      fc.constantFrom("<a>1</a>", "<a>&gt;1&apos;</a>", "<a><![CDATA[1]]></a>", "<a>\n 1<b/>\n</a>"),
      fc.fullUnicodeString({ maxLength: 20 })
    ],
    ([file, random]) =>
      Effect.gen(function* () {
        const escaped = random
          .replace(/[\u0000-\u001f\ufffe\uffff]/g, "")
          .replace(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character]!)
        const translate = ({ text }: { readonly text: string }) => text.replace("1", () => `1${escaped}1`)
        const written = yield* rewrite(Xml.format, bytesOf(file), translate)
        const expected = (yield* unitsOf(Xml.format, file)).map(translate)
        expect((yield* unitsOf(Xml.format, written)).map(({ text }) => text)).toStrictEqual(expected)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})
