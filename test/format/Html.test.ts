import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { Parser } from "htmlparser2"
import * as Html from "../../src/format/Html.js"
import { runs } from "../support/long.js"
import { rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const texts = (file: string) => textsOf(Html.format, file)

const values = (file: string) => Effect.map(texts(file), (found) => Object.values(found))

/** Accents the letters of a text, but not its tags and entities. */
const pseudo = ({ text }: { readonly text: string }) =>
  text.replace(/<[^>]*>|&\w+;|[aeiou]/g, (part) => (part.length > 1 ? part : `${part}\u0301`))

/** Tags with their attributes as another parser reads them. */
const structureOf = (file: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const parser = new Parser({
    onopentag: (name, attributes) => found.push(`<${name} ${Object.keys(attributes).join(" ")}>`),
    onclosetag: (name) => found.push(`</${name}>`),
    oncomment: (data) => found.push(`<!--${data}-->`)
  })
  parser.end(file)
  return found
}

const page = `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>Fish &amp; Chips</title>
  <meta name="description" content='The "best" in town'>
  <meta property="og:title" content="Fish">
  <meta name="viewport" content="width=device-width">
  <style>p { content: "text" }</style>
  <script>if (1 < 2) document.write("<p>text</p>")</script>
</head>
<body>
  <!-- a comment -->
  <nav><a href="/" title="Home page">Home</a> | <a href="/menu">Menu</a></nav>
  <h1>Our <em>menu</em></h1>
  <p>We serve <b>fish</b>,
     <a href="/chips">chips</a> and <code>peas</code>.<br>Come in!</p>
  <ul>
    <li>Cod
    <li><input type="checkbox"> Plaice
  </ul>
  <table><tr><td>1<td><img src="a.png" alt="A fish"></table>
  <pre>not <b>this</b></pre>
  <p translate="no">Nor this</p>
  <div class="x notranslate"><p>Nor that</p></div>
  <form><label for=a>Name</label> <input id=a placeholder=Name><input type=submit value="Send"></form>
</body>
</html>
`

describe("Html.format", () => {
  it.effect("has a unit for each block and each attribute that people read", () =>
    Effect.gen(function* () {
      expect(yield* texts(page)).toStrictEqual({
        "title[1]": "Fish &amp; Chips",
        "meta[2]@content": 'The "best" in town',
        "meta[3]@content": "Fish",
        "nav[1]": '<a href="/" title="Home page">Home</a> | <a href="/menu">Menu</a>',
        "a[1]@title": "Home page",
        "h1[1]": "Our <em>menu</em>",
        "p[1]":
          'We serve <b>fish</b>,\n     <a href="/chips">chips</a> and <x1 translate="no">peas</x1>.<br>Come in!',
        "li[1]": "Cod",
        "li[2]": "Plaice",
        "td[1]": "1",
        "img[1]@alt": "A fish",
        "label[1]": "Name",
        "input[2]@placeholder": "Name",
        "input[3]@value": "Send"
      })
    })
  )

  it.effect("says where a unit is", () =>
    Effect.gen(function* () {
      expect(yield* unitsOf(Html.format, "<p>\r\n\r\n  text</p>\r\n<h1>more")).toStrictEqual([
        { key: "p[1]", text: "text", line: 3, state: "missing" },
        { key: "h1[1]", text: "more", line: 4, state: "missing" }
      ])
    })
  )

  it.effect("writes only translations", () =>
    Effect.gen(function* () {
      const translate = ({ key }: { readonly key: string }) =>
        key === "h1[1]" ? "<em>Karte</em> von uns" : key === "img[1]@alt" ? "Ein Fisch" : undefined
      expect(yield* rewrite(Html.format, page, translate)).toBe(
        page.replace("Our <em>menu</em>", "<em>Karte</em> von uns").replace("A fish", "Ein Fisch")
      )
    })
  )

  it.effect("gives the same bytes for units that stay, or are written as they were", () =>
    Effect.gen(function* () {
      for (const file of [page, `\uFEFF${page}`, page.replaceAll("\n", "\r\n")]) {
        expect(yield* untouched(Html.format, file)).toBe(file)
        expect(yield* writtenAnew(Html.format, file)).toBe(file)
      }
    })
  )

  it.effect("has the same tags and attributes after a translation, for another parser", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(Html.format, page, pseudo)
      expect(written).not.toBe(page)
      expect(structureOf(written)).toStrictEqual(structureOf(page))
    })
  )
})

describe("Texts of HTML", () => {
  it.effect("leave out whitespace, empty elements and elements that hold all of a text", () =>
    Effect.gen(function* () {
      expect(
        yield* values(
          "<li> <i class=icon></i>&nbsp;<a href=x><span>All of it</span> <svg><path/></svg></a><br></li>"
        )
      ).toStrictEqual(["All of it"])
    })
  )

  it.effect("are not texts without a letter or digit", () =>
    Effect.gen(function* () {
      expect(
        yield* values("<p>&nbsp;</p><p>|</p><p>&raquo;</p><p><code>x</code></p><p>—</p><p>7</p>")
      ).toStrictEqual(["7"])
      expect(yield* values("<p>&Eacute;</p><p>&#233;</p><p>&#xE9;</p><p>&#8212;</p>")).toHaveLength(3)
    })
  )

  it.effect("beside blocks are units of their container", () =>
    Effect.gen(function* () {
      expect(yield* texts("loose<div>before <p>in</p> between <ul><li>item</ul> after</div>")).toStrictEqual({
        text: "loose",
        "div[1]": "before",
        "p[1]": "in",
        "div[1]#2": "between",
        "li[1]": "item",
        "div[1]#3": "after"
      })
    })
  )

  it.effect("end at an inline element that holds a block or is not nested", () =>
    Effect.gen(function* () {
      expect(yield* values("<a>one <div>two</div> three</a> <b>four</b> five")).toStrictEqual([
        "one",
        "two",
        "three",
        "<b>four</b> five"
      ])
      expect(yield* values("<p>one <b>two <i>three</b> four</i> <u>five</u> six")).toStrictEqual([
        "one",
        "two",
        "three",
        "four",
        "<u>five</u> six"
      ])
    })
  )

  it.effect("begin anew where end tags are left out", () =>
    Effect.gen(function* () {
      expect(
        yield* values(
          "<p>a<p>b<dl><dt>c<dd>d</dl><table><tr><th>e<td>f<tr><td>g</table><select><option>h<option>i"
        )
      ).toStrictEqual(["a", "b", "c", "d", "e", "f", "g", "h", "i"])
    })
  )

  it.effect("stand without the mark-up that looks like text: scripts, comments, CDATA of SVG", () =>
    Effect.gen(function* () {
      expect(
        yield* values(
          "<svg><title>s</title><style>a<b</style><![CDATA[<p>x</p>]]></svg><p>a</p><textarea><p>t</p></textarea><!-- <p>c</p> -->"
        )
      ).toStrictEqual(["a"])
    })
  )

  it.effect("of custom elements are inline", () =>
    Effect.gen(function* () {
      expect(yield* values("<p>Press <my-key>A</my-key> now</p>")).toStrictEqual([
        "Press <my-key>A</my-key> now"
      ])
    })
  )
})

describe("Marks that are kept in a text", () => {
  const file =
    '<p>See <code>a &lt; b</code>, <!-- note --> <var title="v">x<sub>1</sub></var> <span translate="no">Acme</span> and <x1>this</x1>.</p>'

  it.effect("is short for the translator", () =>
    Effect.gen(function* () {
      expect(yield* texts(file)).toStrictEqual({
        "p[1]":
          'See <x1 translate="no">a &lt; b</x1>, <x2 translate="no"></x2> <x3 translate="no"></x3> <x4 translate="no">Acme</x4> and <x5 translate="no">this</x5>.',
        "var[1]@title": "v"
      })
    })
  )

  it.effect("comes back as it was, wherever the translation has it", () =>
    Effect.gen(function* () {
      const translate = ({ key }: { readonly key: string }) =>
        key === "p[1]" ? "<x5>a</x5><x4></x4> <x3 translate=no>b</x3><x2></x2>, siehe <x1>é</x1 >" : "w"
      expect(yield* rewrite(Html.format, file, translate)).toBe(
        '<p><x1>this</x1><span translate="no">Acme</span> <var title="w">x<sub>1</sub></var><!-- note -->, siehe <code>a &lt; b</code></p>'
      )
    })
  )

  it.effect("has its attributes translated where the text stays", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(Html.format, file, ({ text }) => (text === "v" ? "w" : undefined))).toBe(
        file.replace('"v"', '"w"')
      )
    })
  )

  it.effect("cannot be lost, doubled or filled with other tags", () =>
    Effect.gen(function* () {
      const one = "<p>a <code>b</code> <i>c</i></p>"
      for (const bad of [
        "a <i>c</i>",
        "<x1></x1><x1></x1><i>c</i>",
        "<x1><i>c</i></x1>",
        "<x1>b</x1><i>c",
        "<i><x1>b</i></x1>",
        "<x1></x1><i>c</i><b></b>",
        "<x1></x1><i>c</i><!-- ",
        "<x1></x1><i>c</i></"
      ]) {
        const error = yield* Effect.flip(rewrite(Html.format, one, () => bad))
        expect(error).toMatchObject({ _tag: "FormatError", key: "p[1]", line: 1 })
        expect(error.message).toContain("tags")
      }
      const error = yield* Effect.flip(rewrite(Html.format, one, () => "a <i>c</i>"))
      expect(error.message).toContain("lost 2 of 4 tags")
    })
  )
})

describe("Attributes", () => {
  it.effect("inside a text are units beside it, and both are written", () =>
    Effect.gen(function* () {
      const file = '<p>A <img alt="dog" src=d> and a <img alt="cat" src=c>!</p>'
      const german: Record<string, string> = {
        "p[1]": 'Eine <img alt="cat" src=c> und ein <img alt="dog" src=d>!',
        "img[1]@alt": "Hund",
        "img[2]@alt": "Katze"
      }
      expect(yield* rewrite(Html.format, file, ({ key }) => german[key])).toBe(
        '<p>Eine <img alt="Katze" src=c> und ein <img alt="Hund" src=d>!</p>'
      )
      expect(yield* rewrite(Html.format, file, ({ key }) => (key === "p[1]" ? undefined : german[key]))).toBe(
        '<p>A <img alt="Hund" src=d> and a <img alt="Katze" src=c>!</p>'
      )
    })
  )

  it.effect("are escaped for their quotes, and get some if they need them", () =>
    Effect.gen(function* () {
      const file = `<img alt="a"><img alt='a'><img alt=a><img alt = " a ">`
      expect(yield* rewrite(Html.format, file, () => `"b's"`)).toBe(
        `<img alt="&quot;b's&quot;"><img alt='"b&#39;s"'><img alt="&quot;b's&quot;"><img alt = " &quot;b's&quot; ">`
      )
      expect(yield* rewrite(Html.format, file, () => "b")).toBe(
        `<img alt="b"><img alt='b'><img alt=b><img alt = " b ">`
      )
    })
  )

  it.effect("are sent as HTML, and keep their brackets", () =>
    Effect.gen(function* () {
      const file = '<img alt="a <b> &amp; c"><title>1 <2></title>'
      expect(yield* values(file)).toStrictEqual(["a &lt;b> &amp; c", "1 &lt;2>"])
      expect(yield* writtenAnew(Html.format, file)).toBe(file)
    })
  )

  it.effect("of elements that are not translated stay, those of other kept elements do not", () =>
    Effect.gen(function* () {
      expect(
        yield* texts(
          '<img alt=a translate=no><div translate="no"><img alt=b></div><pre title=c><i title=d></i></pre>'
        )
      ).toStrictEqual({ "pre[1]@title": "c" })
    })
  )
})

describe("Translations into HTML", () => {
  it.effect("of texts without tags are escaped, if they would be tags", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(Html.format, "<p>a</p><title>b</title>", ({ text }) =>
        text === "a" ? "1 < 2 <b>x <!--" : "</title><script>"
      )
      expect(written).toBe("<p>1 &lt; 2 &lt;b>x &lt;!--</p><title>&lt;/title>&lt;script></title>")
    })
  )

  it.effect.prop(
    "are read again as they were written",
    [
      fc.constantFrom("<p>1</p>", "<img alt='1'>", '<img alt="1">', "<title>1</title>", "x<br>1<hr>2"),
      fc.fullUnicodeString({ maxLength: 20 })
    ],
    ([file, random]) =>
      Effect.gen(function* () {
        const text = `x${random.replace(/[<&"']/g, "")}y`
        const written = yield* rewrite(Html.format, file, (unit) => unit.text.replace(/[12]/, () => text))
        const expected = (yield* values(file)).map((each) => each.replace(/[12]/, () => text))
        expect(yield* values(written)).toStrictEqual(expected)
      }),
    { fastCheck: { numRuns: runs(30) } }
  )

  it.effect("keep a script that holds text like mark-up", () =>
    Effect.gen(function* () {
      const file = "<p>one <script>if (a<b) c()</script> two</p>"
      expect(yield* writtenAnew(Html.format, file)).toBe(file)
    })
  )

  it.effect.prop(
    "leave tags and attributes as they are, in random documents",
    [
      fc
        .array(
          fc.constantFrom(
            "text",
            " ",
            "\r\n",
            "&amp;",
            "<p>",
            "</p>",
            "<b>",
            "</b>",
            "<i title='a'>",
            "</i>",
            "<div class=x>",
            "</div>",
            "<br>",
            "<img alt=a>",
            "<code>c</code>",
            "<!-- c -->",
            "<ul>",
            "<li>",
            "</ul>",
            "<svg>",
            "</svg>",
            "<script>a<b</script>",
            "</>",
            "<",
            "<p translate=no>"
          ),
          { maxLength: 25 }
        )
        // A tag that is open at the end would be no HTML.
        .map((pieces) => `${pieces.join("")} >`),
      fc.integer({ min: 1, max: 9 })
    ],
    ([file, chunkSize]) =>
      Effect.gen(function* () {
        expect(yield* untouched(Html.format, file, { chunkSize })).toBe(file)
        expect(yield* writtenAnew(Html.format, file)).toBe(file)
        expect(structureOf(yield* rewrite(Html.format, file, pseudo))).toStrictEqual(structureOf(file))
        const keys = (yield* unitsOf(Html.format, file)).map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }),
    { fastCheck: { numRuns: runs(30) } }
  )
})

describe("Files that are no HTML", () => {
  it.effect("are those that end inside of mark-up", () =>
    Effect.gen(function* () {
      for (const [file, message] of [
        ["<p>text\n<a href='x", "line 2, column 11: the file ends inside a tag"],
        ["<p>text<!-- x", "the file ends inside a comment"],
        ["\n <script>x", "line 2, column 2: the element <script> is not closed: add </script>"],
        ["<title>x", "<title> is not closed"]
      ] as const) {
        const error = yield* Effect.flip(texts(file))
        expect(error).toMatchObject({ _tag: "FormatError", format: "html" })
        expect(error.message).toContain(message)
      }
    })
  )

  it.effect("are those that are not UTF-8", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(unitsOf(Html.format, new Uint8Array([60, 112, 62, 0xff])))
      expect(error).toMatchObject({ line: 1, column: 4, message: expect.stringContaining("UTF-8") })
    })
  )

  it.effect("are not those with names of objects", () =>
    Effect.gen(function* () {
      const file = "<__proto__ constructor=1 __proto__=2>a</__proto__><constructor>b</constructor>"
      expect(yield* writtenAnew(Html.format, file)).toBe(file)
    })
  )
})
