import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { marked } from "marked"
import type * as Format from "../../src/format/Format.js"
import { parseSections } from "../../src/format/internal/markdown/markdownSections.js"
import { type Node, startOf } from "../../src/format/internal/markdown/markdownTree.js"
import { parseInlines } from "../../src/format/internal/xml/inlineTags.js"
import * as Markdown from "../../src/format/Markdown.js"
import * as Mdx from "../../src/format/Mdx.js"
import * as Placeholder from "../../src/text/Placeholder.js"
import { runs } from "../support/long.js"
import { partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const { format } = Markdown
const { format: mdx } = Mdx

const escapeXml = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** The file with the text of each block in place of that of the one named. */
const write = (file: string, key: string, translation: string, as = format) =>
  rewrite(as, file, (unit) => (unit.key === key ? translation : undefined))

/** What a translation of the only paragraph becomes. */
const written = (source: string, translation: string, as = format) =>
  Effect.map(
    rewrite(as, `${source}\n`, (_) => translation),
    (text) => text.slice(0, -1)
  )

const readme = `---
title: "The guide"
description: A 'short' one # not this
sidebar_label: 'It''s here'
tags: [a, b]
slug: title
---

# Install *now*

Run \`npm i\` and see [the docs](https://x.y/z "Docs & more"), or
<https://x.y>. A **bold *and
both*** text\\
after a break, with ~~old~~ ![a logo](l.png 'The logo') and a note[^1].

Setext
======

- one
- [ ] two

  more of two
  1. deep

> a quote
> over lines

| Name | Value |
|:-----|------:|
| a \\| b | \`c\` |
| **d** | |

    indented code

\`\`\`js
const fence = "x"
\`\`\`

<div align="center">
  <b>html</b>
</div>

[ref]: https://x.y "Title"
[^1]: The note, see [ref] and [text][ref].

***
![only](image.png)

\`code\` [\`more\`](x)

$$
a = b
$$
`

describe("Markdown reads", () => {
  it.effect("headings, paragraphs, items, quotes, cells, notes, image texts, titles and front matter", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, readme)).toStrictEqual({
        "frontMatter/title": "The guide",
        "frontMatter/description": "A 'short' one",
        "frontMatter/sidebar_label": "It's here",
        "1/heading": "Install <i1>now</i1>",
        "1/1":
          "Run <x1/> and see <a2>the docs</a2>, or <x3/>. A <b4>bold <i5>and both</i5></b4> text<x6/>after a break, with <s7>old</s7> <x8/> and a note<x9/>.",
        "1/1/title1": "Docs &amp; more",
        "1/1/alt1": "a logo",
        "1/1/title2": "The logo",
        "2/heading": "Setext",
        "2/1": "one",
        "2/2": "two",
        "2/3": "more of two",
        "2/4": "deep",
        "2/5": "a quote over lines",
        "2/6": "Name",
        "2/7": "Value",
        "2/8": "a | b",
        "2/10": "<b1>d</b1>",
        "2/11": "The note, see <a1>ref</a1> and <a2>text</a2>.",
        "2/12/alt1": "only"
      })
    })
  )

  it.effect("the line on which each unit begins", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, "---\ntitle: A\n---\n\nb\nc\n\n- d\n\n  e\n")
      expect(units.map(({ line, text }) => [text, line])).toStrictEqual([
        ["A", 2],
        ["b c", 5],
        ["d", 8],
        ["e", 10]
      ])
    })
  )

  it.effect("numbers of sections and blocks as keys, which do not depend on the language", () =>
    Effect.gen(function* () {
      const keys = (yield* unitsOf(format, "a\n\n# b\n\n## c\n\nd\n\n## e\n\n# f\n\ng\n")).map(
        ({ key }) => key
      )
      expect(keys).toStrictEqual([
        "0/1",
        "1/heading",
        "1.1/heading",
        "1.1/1",
        "1.2/heading",
        "2/heading",
        "2/1"
      ])
    })
  )

  it.effect("front matter fields by their names only, and only those on one line", () =>
    Effect.gen(function* () {
      const file = `---\ntitle: a: b\ntagline: "x\\u00e9"\nnested:\n  tagline: no\nnote: >\n  folded\nsummary: long\n  goes on\nother: text\n__proto__: p\n---\n`
      const own = Markdown.make({ frontMatter: ["tagline", "note", "title", "summary", "__proto__"] })
      expect((yield* unitsOf(own, file)).map(({ key, text }) => [key, text])).toStrictEqual([
        ["frontMatter/tagline", "xé"],
        ["frontMatter/__proto__", "p"]
      ])
    })
  )

  it.effect("math between dollars as one tag, but not prices", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, "> a $x_1$ b\n> c\n")).toStrictEqual({ "0/1": "a <x1/> b c" })
      const texts = yield* textsOf(
        format,
        "Let $a_1 \\{x\\}$ be, for $5 or $6 *now*.\n\n$x$ is $$y + z$$ too.\n"
      )
      expect(Object.values(texts)).toStrictEqual([
        "Let <x1/> be, for $5 or $6 <i2>now</i2>.",
        "$x$ is <x1/> too."
      ])
    })
  )
})

describe("Markdown writes", () => {
  it.effect("untouched files byte for byte, with CRLF, a byte order mark, tabs and no last newline", () =>
    Effect.gen(function* () {
      for (const file of [
        readme,
        readme.replaceAll("\n", "\r\n"),
        `\uFEFF${readme}`,
        "\ta\n\n-\tb\n\n# c",
        ""
      ]) {
        expect(yield* untouched(format, file, { chunkSize: 7 })).toBe(file)
        expect(yield* writtenAnew(format, file)).toBe(file)
        expect((yield* partsOf(format, file)).map(({ raw }) => raw).join("")).toBe(file)
      }
    })
  )

  it.effect("marks as they are in the source, wherever the translation has them", () =>
    Effect.gen(function* () {
      const source = '*a* __b__ [c](u "t") `d` ~~e~~'
      const translation = "<s5>E</s5> <x4/> <a3>C <b2>B</b2></a3>: <i1>A</i1>"
      expect(yield* write(source, "0/1", translation)).toBe('~~E~~ `d` [C __B__](u "t"): *A*')
    })
  )

  it.effect("tags with whitespace inside, as a service may give them", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(format, "*a* `b`\n", () => "< x2 / > < i1 >c</ i1 >")
      expect(written).toBe("`b` *c*\n")
    })
  )

  it.effect(
    "separators of lines and paragraphs as spaces, as some readers end headings and tables there",
    () =>
      Effect.gen(function* () {
        const written = yield* rewrite(format, "# A\n\n|b|\n|-|\n", ({ text }) => `${text} \u2028c\u2029 d`)
        expect(written).toBe("# A c d\n\n|b c d|\n|-|\n")
      })
  )

  it.effect("the mark that makes a quote an alert, on its line", () =>
    Effect.gen(function* () {
      const file = "> [!NOTE]\n> a *b*\n> c\n\n> [!TIP]\r\n>\r\n> d\n\n> [!info]- e\n"
      expect(yield* textsOf(format, file)).toStrictEqual({ "0/1": "a <i1>b</i1> c", "0/2": "d", "0/3": "e" })
      expect((yield* unitsOf(format, file)).map(({ line }) => line)).toStrictEqual([2, 7, 9])
      expect(yield* rewrite(format, file, ({ text }) => `# ${text}`)).toBe(
        "> [!NOTE]\n> \\# a *b* c\n\n> [!TIP]\r\n>\r\n> \\# d\n\n> [!info]- \\# e\n"
      )
    })
  )

  it.effect("a paragraph on one line, which breaks only at its hard breaks, in its quote or list", () =>
    Effect.gen(function* () {
      const file = "> - a\n>   b  \n>   c\n> d\n"
      expect(yield* textsOf(format, file)).toStrictEqual({ "0/1": "a b<x1/>c d" })
      expect(yield* write(file, "0/1", "A\nB <x1/> C\r\n\r\nD")).toBe("> - A B  \n>   C D\n")
    })
  )

  it.effect("text that would be structure", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, string]> = [
        ["1. May", "1\\. May"],
        ["2) b", "2\\) b"],
        ["# no", "\\# no"],
        ["#yes", "#yes"],
        ["- no", "\\- no"],
        ["-1", "-1"],
        ["+ no", "\\+ no"],
        ["> no", "\\> no"],
        ["a * b", "a * b"],
        ["a*b*", "a\\*b\\*"],
        ["snake_case", "snake_case"],
        ["_a_", "\\_a\\_"],
        ["[a](b)", "\\[a\\](b)"],
        ["`a`", "\\`a\\`"],
        ["a &lt; b", "a < b"],
        ["&lt;b>", "\\<b>"],
        ["&amp;amp; &amp; c", "\\&amp; & c"],
        ["C:\\dir\\*", "C:\\dir\\\\\\*"],
        ["~5 and ~6", "\\~5 and \\~6"],
        ["--- x", "\\--- x"],
        ["===", "\\==="],
        ["```", "\\`\\`\\`"],
        ["a | b", "a | b"]
      ]
      for (const [translation, expected] of cases) expect(yield* written("x", translation)).toBe(expected)
    })
  )

  it.effect("bars of cells and closing signs of headings as text", () =>
    Effect.gen(function* () {
      const table = "| a |\n|---|\n| b |\n"
      expect(yield* write(table, "0/2", "x | y \\| z")).toBe("| a |\n|---|\n| x \\| y \\\\\\| z |\n")
      expect(yield* write("# a #\n", "1/heading", "C #")).toBe("# C \\# #\n")
      expect(yield* write("# a\n", "1/heading", "C #")).toBe("# C \\#\n")
    })
  )

  it.effect("emphasis that stays emphasis beside letters, punctuation and whitespace", () =>
    Effect.gen(function* () {
      expect(yield* written("a _b_ c", "a<i1>b</i1>c")).toBe("a*b*c")
      expect(yield* written("a **b** c", "a<b1> b </b1>c")).toBe("a **b** c")
      expect(yield* written("a **b** c", "中<b1>“文。”</b1>字")).toBe("&#x4E2D;**“文。”**&#x5B57;")
      expect(yield* written("*a* b *c*", "<i1>a</i1><i2>c</i2>")).toBe("*a* *c*")
    })
  )

  it.effect("bare addresses with brackets where a letter beside them would become part of them", () =>
    Effect.gen(function* () {
      const source = "See https://x.y/a_b(c)?d=1&e now."
      expect(yield* written(source, "Auf <x1/> jetzt.")).toBe("Auf https://x.y/a_b(c)?d=1&e jetzt.")
      expect(yield* written(source, "今<x1/>で見て")).toBe("今<https://x.y/a_b(c)?d=1&e>で見て")
      expect(yield* written(source, "今<x1/>で見て", mdx)).toBe(
        "今[https://x.y/a_b(c)?d=1&e](https://x.y/a_b\\(c\\)?d=1&e)で見て"
      )
      expect(yield* written("Ask a@b.cd or www.x.y now.", "<x1/>へ、<x2/>へ")).toBe(
        "<a@b.cd>へ、[www.x.y](http://www.x.y)へ"
      )
      expect(yield* written("Ask a@b.cd now.", "<x1/>s", mdx)).toBe("[a@b.cd](mailto:a@b.cd)s")
    })
  )

  it.effect("links whose text is their address as they are", () =>
    Effect.gen(function* () {
      const file = "a [https://x.y](https://x.y) [www.x.y](http://www.x.y) [a@b.cd](mailto:a@b.cd) [x](y)\n"
      expect(yield* textsOf(format, file)).toStrictEqual({ "0/1": "a <x1/> <x2/> <x3/> <a4>x</a4>" })
      expect(yield* writtenAnew(format, file)).toBe(file)
    })
  )

  it.effect("references by their text with the name that they had", () =>
    Effect.gen(function* () {
      const file = "See [The Guide] and [it][].\n\n[the guide]: x\n[it]: y\n"
      expect(yield* write(file, "0/1", "Siehe <a2>das</a2>, <a1>Anleitung</a1>")).toBe(
        "Siehe [das][it], [Anleitung][The Guide]\n\n[the guide]: x\n[it]: y\n"
      )
    })
  )

  it.effect("texts of images and titles of links", () =>
    Effect.gen(function* () {
      const file = "[![a](b.png \"t\") c](d 'e')\n"
      expect(yield* rewrite(format, file, ({ text }) => `${text.replace("c", "C")} [x] "y" 'z' \\`)).toBe(
        "[![a \\[x\\] \"y\" 'z' \\\\](b.png \"t [x] \\\"y\\\" \\'z\\' \\\\\") C](d 'e [x] \\\"y\\\" \\'z\\' \\\\') \\[x\\] \"y\" 'z' \\\\\n"
      )
      expect(yield* write("> b ![c\n> d](e) f\n> g\n", "0/1/alt1", "x")).toBe("> b ![x](e) f\n> g\n")
    })
  )

  it.effect("front matter in quotes where YAML needs them", () =>
    Effect.gen(function* () {
      const file = "---\ntitle: a\ndescription: 'b'\nsummary: \"c\"\n---\n"
      const to = (translation: string) =>
        Effect.map(
          rewrite(format, file, () => translation),
          (text) =>
            text
              .split("\n")
              .slice(1, 4)
              .map((line) => line.slice(line.indexOf(": ") + 2))
        )
      expect(yield* to("Über & out")).toStrictEqual(["Über & out", "'Über & out'", '"Über & out"'])
      expect(yield* to('it\'s: "x" #1')).toStrictEqual([
        '"it\'s: \\"x\\" #1"',
        "'it''s: \"x\" #1'",
        '"it\'s: \\"x\\" #1"'
      ])
      expect(yield* to("yes")).toStrictEqual(['"yes"', "'yes'", '"yes"'])
      expect(yield* to("a\nb")).toStrictEqual(['"a\\nb"', '"a\\nb"', '"a\\nb"'])
    })
  )

  it.effect("no translation that has lost, doubled or crossed its tags, and says how many", () =>
    Effect.gen(function* () {
      for (const [translation, message] of [
        ["a <b2>c</b2>", "of the 2 inline tags of the text, the translation has lost 1, and 0"],
        ["<i1>a <b2>b</i1> c</b2>", "lost 0, and 2 are"],
        ["<i1>a</i1> <i1>a</i1> <b2>c</b2>", "lost 0, and 1 are"],
        ["<i1>a <b2>b</b2>", "lost 0, and 1 are"],
        ["<i1></i1> <b2>b</b2>", "each holds a text"],
        ["  ", "the translation is empty"],
        ["<i1>\u0000</i1> <b2>b</b2>", "control characters"]
      ] as const) {
        const error = yield* Effect.flip(written("*a* **b**", translation))
        expect(error).toMatchObject({ line: 1, key: "0/1", message: expect.stringContaining(message) })
      }
    })
  )
})

describe("Markdown keeps the structure of sites", () => {
  const upper = (file: string, as = format) =>
    rewrite(as, file, ({ text }) =>
      text.replace(/<[^>]*>|[^<]+/g, (raw) => (raw[0] === "<" || raw.trim() === "" ? raw : `Ü ${raw}`))
    )

  it.effect("leaves the marker of an alert on its line", () =>
    Effect.gen(function* () {
      for (const marker of ["NOTE", "TIP", "IMPORTANT", "WARNING", "CAUTION", "info"]) {
        const file = `a\n\n> [!${marker}]\n> Read *this*\n> first.\n\n> [!${marker}]\n>\n> - two\n`
        expect(Object.values(yield* textsOf(format, file))).toStrictEqual([
          "a",
          "Read <i1>this</i1> first.",
          "two"
        ])
        expect(yield* write(file, "0/2", "Lies <i1>dies</i1>.")).toBe(
          `a\n\n> [!${marker}]\n> Lies *dies*.\n\n> [!${marker}]\n>\n> - two\n`
        )
        expect(yield* writtenAnew(format, file.replace("*\n> first", "* first"))).toBe(
          file.replace("*\n> first", "* first")
        )
      }
    })
  )

  it.effect("takes the title behind the marker of an alert as a text of its own", () =>
    Effect.gen(function* () {
      const file = "# a\n\n> [!note]- Our title\n> Text\n\n[!NOTE] plain\n"
      expect(yield* textsOf(format, file)).toStrictEqual({
        "1/heading": "a",
        "1/1": "Our title",
        "1/2": "Text",
        "1/3": "[!NOTE] plain"
      })
      expect(yield* upper("> [!note]- Our title\n> Text\n")).toBe("> [!note]- Ü Our title\n> Ü Text\n")
    })
  )

  it.effect("leaves the fences of containers, and translates their text", () =>
    Effect.gen(function* () {
      for (const as of [format, mdx]) {
        for (const [file, expected] of [
          [":::tip Watch out\nText\n:::\n", ":::tip Watch out\nÜ Text\n:::\n"],
          [
            "Before\n::: tip\nText *a\nb*\n:::\nBehind\n",
            "Ü Before\n::: tip\nÜ Text *Ü a b*\n:::\nÜ Behind\n"
          ],
          [':::note[Title]{id="x"}\n\nText\n\n:::\n', ':::note[Title]{id="x"}\n\nÜ Text\n\n:::\n'],
          ["::::info\n:::tip\nA\n- b\n:::\nC\n::::\n", "::::info\n:::tip\nÜ A\n- Ü b\n:::\nÜ C\n::::\n"],
          [
            "- a\n\n  :::tip\n  b\n  :::\n> :::tip\n> c\n> :::\n",
            "- Ü a\n\n  :::tip\n  Ü b\n  :::\n> :::tip\n> Ü c\n> :::\n"
          ],
          ["```\n:::tip\nText\n:::\n```\n", "```\n:::tip\nText\n:::\n```\n"]
        ] as const) {
          expect(yield* upper(file, as)).toBe(expected)
          expect(yield* untouched(as, file)).toBe(file)
          expect(yield* upper(file.replaceAll("\n", "\r\n"), as)).toBe(expected.replaceAll("\n", "\r\n"))
        }
      }
    })
  )

  it.effect("leaves the anchors of headings and the attributes of blocks at their ends", () =>
    Effect.gen(function* () {
      const file = "# Start {#start}\n\nB {.x #y}\n---\n\nText\n{: .note}\n\n> a\n> b\n> {: .c}\n\n# C{#c}\n"
      expect(Object.values(yield* textsOf(format, file))).toStrictEqual(["Start", "B", "Text", "a b", "C"])
      expect(yield* upper(file)).toBe(
        "# Ü Start {#start}\n\nÜ B {.x #y}\n---\n\nÜ Text\n{: .note}\n\n> Ü a b\n> {: .c}\n\n# Ü C{#c}\n"
      )
      const page = "# Start {#start}\n\n## *B* \\{#b}\n"
      expect(yield* textsOf(mdx, page)).toStrictEqual({ "1/heading": "Start", "1.1/heading": "<i1>B</i1>" })
      expect(yield* upper(page, mdx)).toBe("# Ü Start {#start}\n\n## *Ü B* \\{#b}\n")
    })
  )

  it.effect("keeps expressions of templates, and names of emoji, as one tag each", () =>
    Effect.gen(function* () {
      for (const kept of [
        "{{ x }}",
        "{{ a | b: '*c*', \"https://x.y\" }}",
        "{{{ raw }}}",
        `\${{ secrets.A_B }}`,
        "{% tag _x/y_ %}",
        '{{< ref "a.md" >}}',
        "{{<a>}}",
        `\${x}`,
        `\${a.b[0]}`,
        ":rocket:",
        ":+1:",
        ":white_check_mark:"
      ]) {
        const file = `> one ${kept} *two ${kept}*\n> [three](${kept.startsWith(":") ? "u" : kept})\n`
        expect(yield* textsOf(format, file)).toStrictEqual({
          "0/1": "one <x1/> <i2>two <x3/></i2> <a4>three</a4>"
        })
        const joined = file.replace("\n> [", " [")
        expect(yield* writtenAnew(format, joined)).toBe(joined)
        expect(yield* write(file, "0/1", "<a4>drei</a4> <x1/> <i2><x3/> zwei</i2>")).toBe(
          `> [drei](${kept.startsWith(":") ? "u" : kept}) ${kept} *${kept} zwei*\n`
        )
      }
    })
  )

  it.effect("does not take times, ratios, code or prices for placeholders", () =>
    Effect.gen(function* () {
      const file = "At 10:30:45, a:b:c, `{{ a }}` and \\{{ b }} for $5\n"
      expect(yield* textsOf(format, file)).toStrictEqual({
        "0/1": "At 10:30:45, a:b:c, <x1/> and {{ b }} for $5"
      })
      expect(yield* untouched(format, file)).toBe(file)
    })
  )

  it.effect("keeps lines of template tags apart from the texts between them", () =>
    Effect.gen(function* () {
      const file =
        "{% note %}\nText\n{% endnote %}\n\n{{< tip >}}\nMore {{ x }}\n{{< /tip >}}\n\n| a |\n|---|\n{% for b in c %}\n| d |\n"
      expect(Object.values(yield* textsOf(format, file))).toStrictEqual(["Text", "More <x1/>", "a", "d"])
      expect(yield* upper(file)).toBe(
        file
          .replace("Text", "Ü Text")
          .replace("More", "Ü More")
          .replace(/a(?= \|)/, "Ü a")
          .replace("d |", "Ü d |")
      )
    })
  )

  it.effect("leaves texts of images and titles with templates, and titles of definitions", () =>
    Effect.gen(function* () {
      const file = '![{{ x }} logo](a.png "The {{ y }}")\n\n[ref]: {{ url }} "Title"\n'
      expect(yield* unitsOf(format, file)).toStrictEqual([])
      expect(yield* untouched(format, file)).toBe(file)
    })
  )

  it("names the same for front matter and texts of images, which have no tags", () => {
    const options = { ...format.placeholders, tagHandling: format.tagHandling }
    const { placeholders } = Placeholder.protect(
      `{{ a }} &amp; {b} {% c %} :tada: \\{{ d }} 10:30:45 \${e}`,
      options
    )
    expect(placeholders).toStrictEqual(["{{ a }}", "{% c %}", ":tada:", `\${e}`])
  })

  it.effect("writes marks that only the translation has as text", () =>
    Effect.gen(function* () {
      for (const translation of [
        "::: a",
        ":::tip",
        "[!NOTE]",
        "{{ x }}",
        "{% x %}",
        ":rocket:",
        `\${x}`,
        "{#a}",
        "a {: .b}"
      ]) {
        for (const source of ["x\n", "> x\n", "# x\n", "> [!NOTE]\n> x\n"]) {
          const texts = yield* textsOf(format, yield* rewrite(format, source, () => translation))
          expect(Object.values(texts)).toStrictEqual([translation])
        }
      }
    })
  )
})

describe("MDX", () => {
  const file = `import Tabs from "x"
export const a = { b: 1 }

# Hello {props.name}

<Tabs>
  <Tab label="no">

  Text with <Kbd>Ctrl</Kbd> and {1 + 1} <Icon />.

  </Tab>
</Tabs>

{/* comment */}
`

  it.effect("keeps imports, exports, expressions and tags", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(mdx, file)).toStrictEqual({
        "1/heading": "Hello <x1/>",
        "1/1": "Text with <g1>Ctrl</g1> and <x2/> <x3/>."
      })
      expect(yield* untouched(mdx, file)).toBe(file)
      expect(yield* write(file, "1/1", "<x3/> <x2/>: <g1>Strg</g1> &lt;x> {y}", mdx)).toBe(
        file.replace(
          "Text with <Kbd>Ctrl</Kbd> and {1 + 1} <Icon />.",
          "<Icon /> {1 + 1}: <Kbd>Strg</Kbd> \\<x> \\{y}"
        )
      )
    })
  )

  it.effect("writes a text that begins like an export as text", () =>
    Effect.gen(function* () {
      expect(yield* written("x", "export of goods", mdx)).toBe("&#x65;xport of goods")
    })
  )

  it.effect("says where it is broken", () =>
    Effect.gen(function* () {
      for (const [bad, line] of [
        ["a\n\n<Tab>\n", 3],
        ["a\n\nb {c\n", 3],
        ["import {\n\na\n", 4]
      ] as const) {
        const error = yield* Effect.flip(untouched(mdx, bad))
        expect(error).toMatchObject({ format: "mdx", line, column: expect.any(Number) })
      }
    })
  )
})

describe("Markdown is limited", () => {
  it.effect("in the levels of quotes and lists", () =>
    Effect.gen(function* () {
      const lists = Array.from({ length: 105 }, (_, index) => `${"  ".repeat(index)}- a`).join("\n")
      for (const file of [`a\n${">".repeat(200)} a`, `a\n${"- ".repeat(200)}a`, lists]) {
        const error = yield* Effect.flip(untouched(format, file))
        expect(error.message).toContain("more than 100 levels")
        expect(error.line).toBeGreaterThan(1)
      }
    })
  )

  it.effect("but not in those of inline marks, of which deep ones are one tag", () =>
    Effect.gen(function* () {
      const file = `${"*a **b ".repeat(100)}${"c** d*".repeat(100)} ${"[".repeat(500)}\n`
      expect(yield* untouched(format, file)).toBe(file)
    })
  )

  it.effect("to UTF-8", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(untouched(format, new Uint8Array([0x23, 0x20, 0xff])))
      expect(error).toMatchObject({ line: 1, column: 3 })
    })
  )
})

interface AnyToken {
  readonly type: string
  readonly href?: string
  readonly lang?: string
  readonly tokens?: ReadonlyArray<AnyToken>
  readonly items?: ReadonlyArray<AnyToken>
  readonly rows?: ReadonlyArray<ReadonlyArray<{ readonly tokens: ReadonlyArray<AnyToken> }>>
}

describe("Markdown in sections", () => {
  /** What a file of sections has, without their places. */
  const shape = (text: string, length: number) => {
    const strip = (node: Node): unknown => [node.type, node.value, node.identifier, node.children?.map(strip)]
    return Effect.map(parseSections(text, "md", length), (sections) =>
      sections.flatMap(({ length, tree }) =>
        (tree.root.children ?? []).filter((node) => startOf(node) < length).map(strip)
      )
    )
  }

  it.effect("is that of the file as a whole: references, code, comments and quotes over headings", () =>
    Effect.gen(function* () {
      const text = [
        "See [ref], [Far  away] and [^n].",
        "```md\n# code\n\n# code\n```",
        "~~~~\n~~~\n\n# code\n\n~~~~",
        "<!--\n\n# comment\n\n-->",
        "> a\n\n# heading\n\n- b\n\n# heading",
        "[far away]: x\n\n[^n]: note\n\n# end",
        readme,
        "# last\n\n```\n# open"
      ].join("\n\n")
      const whole = yield* shape(text, 1_000_000)
      for (const length of [1, 50, 300]) expect(yield* shape(text, length)).toStrictEqual(whole)
      expect((yield* parseSections(text, "md", 1)).length).toBeGreaterThan(4)
    })
  )

  it.live("lets timers and signals in between sections, so that a large file can be interrupted", () =>
    Effect.gen(function* () {
      const sections = 40
      const reading = yield* Effect.fork(parseSections("# a\n\ntext\n\n".repeat(sections), "md", 1))
      let turns = 0
      const timer = setInterval(() => turns++, 0)
      expect(yield* Fiber.join(reading)).toHaveLength(sections)
      clearInterval(timer)
      expect(turns).toBeGreaterThan(sections / 2)
    })
  )

  it.effect("has its lines, parts and problems in their places", () =>
    Effect.gen(function* () {
      const section = `# a\r\n\r\n[x] ${"text ".repeat(8000)}\r\n\r\n`
      const file = `${section}# b\r\n\r\ntext\r\n\r\n[x]: y\r\n`
      const units = yield* unitsOf(format, file)
      expect(units.map(({ key, line }) => [key, line])).toStrictEqual([
        ["1/heading", 1],
        ["1/1", 3],
        ["2/heading", 5],
        ["2/1", 7]
      ])
      expect(units[1]!.text).toContain("<a1>x</a1> text")
      expect(yield* untouched(format, file)).toBe(file)
      const error = yield* Effect.flip(untouched(format, `${file}${"> ".repeat(200)}a`))
      expect(error.line).toBe(10)
    })
  )
})

/** The types of tokens, as another parser has them. */
const shapeOf = (tokens: ReadonlyArray<AnyToken>): unknown =>
  tokens
    .filter(({ type }) => type !== "space" && type !== "text" && type !== "escape")
    .map(({ href, items, lang, rows, tokens, type }) => {
      const inner = tokens ?? items ?? rows?.flat().flatMap((cell) => cell.tokens)
      return [type, href, lang, inner === undefined ? undefined : shapeOf(inner)]
    })

describe("Another parser of Markdown", () => {
  it.effect("finds the same structure after a translation", () =>
    Effect.gen(function* () {
      const body = readme.slice(readme.indexOf("# Install"))
      const translated = yield* rewrite(format, body, ({ text }) => `[1. ${text} #*é_`)
      const shape = (text: string) => shapeOf(marked.lexer(text) as ReadonlyArray<AnyToken>)
      expect(translated).not.toBe(body)
      expect(shape(translated)).toStrictEqual(shape(body))
    })
  )
})

const hard = fc.stringOf(
  fc.constantFrom(
    ..."#*_`~[]()<>!&|\\-+=1.:@{}$\"' \n\tab",
    "é",
    "字",
    "。",
    "😀",
    "www.",
    "http://",
    "&amp;",
    "export ",
    ":::",
    ":a:",
    "{{",
    "}}",
    "{%",
    "%}",
    "[!a]",
    "{#a}"
  ),
  { maxLength: 12 }
)

describe("Markdown as a property", () => {
  const inline = fc.oneof(
    fc.constantFrom(
      "text",
      "*em*",
      "**strong**",
      "`code`",
      "[link](u)",
      "![alt](i)",
      "a  \nb",
      "<br>",
      "~~del~~"
    ),
    fc.constantFrom(
      "_x_",
      "&amp;",
      "\\*",
      "a\nb",
      "<http://x.y>",
      "1 < 2",
      "https://x.y/z_",
      "www.x.y",
      "a@b.cd",
      "{{ x }}",
      "{% x %}",
      ":tada:"
    )
  )
  const paragraph = fc.array(inline, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" "))
  const block = fc.oneof(
    paragraph,
    paragraph.map((text) => `# ${text.replaceAll("\n", " ")}`),
    paragraph.map((text) => `> ${text.replaceAll("\n", "\n> ")}`),
    paragraph.map((text) => `- ${text.replaceAll("\n", "\n  ")}\n- b`),
    paragraph.map((text) => `| a | b |\n|---|---|\n| ${text.replaceAll("\n", " ")} | c |`),
    paragraph.map((text) => `::: tip a\n${text}\n:::`),
    paragraph.map((text) => `> [!NOTE]\n> ${text.replaceAll("\n", "\n> ")}\n> [!b] c`),
    paragraph.map((text) => `# ${text.replaceAll("\n", " ")} {#id}`),
    fc.constant("```\n*a*\n```"),
    fc.constant("<div>\n*a*\n</div>")
  )
  const file = fc
    .tuple(fc.array(block, { maxLength: 4 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([blocks, newline]) => `${blocks.join("\n\n")}\n`.replaceAll("\n", newline))

  it.effect.prop(
    "leaves untouched files as they are, whatever the chunks",
    [file, fc.integer({ min: 1, max: 9 })],
    ([file, chunkSize]) =>
      Effect.gen(function* () {
        expect(yield* untouched(format, file, { chunkSize })).toBe(file)
      }),
    { fastCheck: { numRuns: runs(30) } }
  )

  it.effect.prop(
    "reads its own output, whatever the text, around all marks",
    [file, hard, fc.constantFrom(format, mdx)],
    ([file, random, as]) =>
      Effect.gen(function* () {
        const source = as === mdx ? file.replace(/<[^>]*>|1 <|\{[{%].*?[%}]\}/g, "x") : file
        const text = escapeXml(`a${random}`)
        const translate = (unit: Format.Unit) => `${text} ${unit.text.replace("/>", "/>は")}`
        const before = yield* unitsOf(as, source)
        const after = yield* unitsOf(as, yield* rewrite(as, source, translate))
        const plain = (text: string) => text.replace(/<(\/?[a-z])\d+(\/?)>/g, "<$1$2>").replace(/\s+/g, "")
        expect(after.map((unit) => plain(unit.text))).toStrictEqual(
          before.map((unit) => plain(translate(unit)))
        )
      }),
    { fastCheck: { numRuns: runs(30) } }
  )

  it.prop(
    "of tags: no text is taken for one",
    [fc.fullUnicodeString()],
    ([text]) => {
      expect(parseInlines(escapeXml(text), new Map([["x1", false]]))._tag).toBe("Left")
      expect(parseInlines(escapeXml(text), new Map())).toStrictEqual(
        Either.right(text === "" ? [] : [{ text }])
      )
    },
    { fastCheck: { numRuns: runs(30) } }
  )
})

describe("a run of backticks", () => {
  it.effect("that nothing closes is text, also where its last one could begin code", () =>
    Effect.gen(function* () {
      const texts = (text: string) =>
        Effect.map(unitsOf(format, text), (units) => units.map(({ text }) => text))
      expect(yield* texts("``a` b\n")).toEqual(["``a` b"])
      expect(yield* texts("\\``a` b\n")).not.toEqual(yield* texts("``a` b\n"))
    })
  )
})

describe("a file for which the parser would take too long", () => {
  const slow = {
    "emphasis that nothing closes": `${"*a ".repeat(5000)}${"b*".repeat(5000)}`,
    "an item that goes on without its indentation": "- a\n}".repeat(8000),
    "strikethrough that nothing closes": `${"~~a ".repeat(6000)}${"b~~ ".repeat(6000)}`
  }
  for (const [what, text] of Object.entries(slow)) {
    it.effect(`is refused with its line: ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(partsOf(Markdown.format, `# A\n\n${text}\n`))
        expect(error.line).toBeGreaterThan(2)
        expect(error.message).toContain("than can be done in good time")
      })
    )
  }

  const slowCode = {
    "comments in a comment that nothing ends": `${"{/* ".repeat(3000)}${"}".repeat(3000)}`,
    "a template of an export that nothing ends": `export const a = \`${"\n\na".repeat(6000)}`
  }
  for (const [what, text] of Object.entries(slowCode)) {
    it.effect(`is refused with its line in MDX: ${what}`, () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(partsOf(mdx, `# A\n\n${text}\n`))
        expect(error.line).toBeGreaterThan(2)
        expect(error.message).toContain("than can be done in good time")
      })
    )
  }

  it.effect("is not one of MDX with a component of 50 lines that hold braces", () =>
    Effect.gen(function* () {
      const text = `# A\n\n{a.map((b) => {\n${"if (b) { c({ d: b }) }\n".repeat(50)}})}\n\nB\n`
      expect((yield* unitsOf(mdx, text)).map((unit) => unit.text)).toEqual(["A", "B"])
    })
  )
})
