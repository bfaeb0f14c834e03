import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as fc from "fast-check"
import * as xml from "../../src/format/internal/xml/xml.js"
import * as xmlText from "../../src/format/internal/xml/xmlText.js"
import { runs } from "../support/long.js"

const rootOf = (text: string) => Either.getOrThrow(xml.parse(text)).root
const problemOf = (text: string) => Either.getOrThrow(Either.flip(xml.parse(text)))

describe("xml.parse", () => {
  it("says where elements and attributes are", () => {
    const text =
      '\uFEFF<?xml version="1.0"?>\r\n<a><!-- > --><x:b xmlns:x="urn:u"\n x:c = \'1 &lt; 2\' >t</x:b ></a>\r'
    const [comment, b] = rootOf(text).children
    expect(comment).toMatchObject({ type: "comment", text: " > " })
    if (b?.type !== "element") return expect(b?.type).toBe("element")
    expect(b).toMatchObject({ name: "x:b", local: "b", namespace: "urn:u", selfClosing: false })
    expect(text.slice(b.start, b.end)).toBe("<x:b xmlns:x=\"urn:u\"\n x:c = '1 &lt; 2' >t</x:b >")
    expect(text.slice(b.openEnd, b.closeStart)).toBe("t")
    const c = b.attributes[1]!
    expect(c).toMatchObject({ name: "x:c", local: "c", namespace: "urn:u", value: "1 < 2" })
    expect(text.slice(c.start, c.end)).toBe("x:c = '1 &lt; 2'")
    expect(text.slice(c.valueStart, c.end - 1)).toBe("1 &lt; 2")
    expect(b.parent?.name).toBe("a")
  })

  it("tells text, CDATA, processing instructions and declarations from one another", () => {
    const text = '<!DOCTYPE a [<!ENTITY b "<c>">]><a>x&amp;y<![CDATA[<]]]]><?p ?></a><!-- end -->'
    const document = Either.getOrThrow(xml.parse(text))
    expect(document.children.map(({ type }) => type)).toStrictEqual(["doctype", "element", "comment"])
    const nodes = document.root.children
    expect(nodes.map(({ type }) => type)).toStrictEqual(["text", "cdata", "pi"])
    expect(nodes.map((node) => text.slice(node.start, node.end)).join("")).toBe(
      "x&amp;y<![CDATA[<]]]]><?p ?>"
    )
    expect(nodes[0]).toMatchObject({ text: "x&y" })
    expect(nodes[1]).toMatchObject({ text: "<]]" })
  })

  it("does not expand entities, however they are called", () => {
    const text = '<!DOCTYPE a [<!ENTITY l "&l;&l;">]><a b="&l;">&l;&constructor;&__proto__;</a>'
    const root = rootOf(text)
    expect(root.children).toMatchObject([{ text: "&l;&constructor;&__proto__;" }])
    expect(root.attributes[0]!.value).toBe("&l;")
  })

  it("says where a document is not well-formed", () => {
    expect(problemOf("<a>\n <b>")).toMatchObject({ line: 2, column: 2 })
    expect(problemOf("<a>\n <b></a></b>")).toMatchObject({ line: 2 })
    expect(problemOf("<a>\nx & y</a>")).toMatchObject({ line: 2, column: 3 })
    expect(problemOf("<a>x & y; z</a>")).toMatchObject({ line: 1, column: 6 })
    expect(problemOf("<a x=1/>")).toMatchObject({ line: 1, column: 6 })
    expect(problemOf("<a x='1' x='2'/>").message).toContain("twice")
    expect(problemOf("<x:a/>").message).toContain("prefix")
    expect(problemOf("<a>\u0001</a>").message).toContain("character")
    expect(problemOf("<a>&#0;</a>").message).toContain("character")
    expect(problemOf("<a/>b").message).toContain("root")
    expect(problemOf("").message).toContain("cut")
  })

  it("reads 500 levels, and refuses more", () => {
    const nested = (levels: number) => "<a>".repeat(levels) + "</a>".repeat(levels)
    expect(Either.isRight(xml.parse(nested(500)))).toBe(true)
    expect(problemOf(nested(501)).message).toContain("500")
    expect(problemOf("<a>".repeat(100_000)).message).toContain("500")
  })
})

describe("xmlText", () => {
  it("reads its own output, for texts that XML can hold", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom("&", "<", ">", "]", "\r", "\n", "'", "&amp;"),
            fc.fullUnicodeString({ maxLength: 1 })
          )
        }),
        fc.constantFrom("", "&#10;", "it&apos;s >", "a\rb", "&quot;"),
        (text, like) => {
          const written = xmlText.escape(text, xmlText.styleOf(like))
          if (Either.isLeft(written)) {
            expect(text).toMatch(/[^\t\n\r\u0020-\ufffd]/)
            return
          }
          const root = rootOf(`<a>${written.right}</a>`)
          const [node] = root.children
          expect(node?.type === "text" ? node.text : "").toBe(text)
        }
      ),
      { numRuns: runs(50) }
    )
  })

  it("writes values of attributes that other readers read as they were", () => {
    const written = Either.getOrThrow(xmlText.escapeAttribute("a \"b\" 'c'\n<&>", '"'))
    expect(written).toBe("a &quot;b&quot; 'c'&#10;&lt;&amp;&gt;")
    expect(rootOf(`<a b="${written}"/>`).attributes[0]!.value).toBe("a \"b\" 'c'\n<&>")
  })

  it("keeps the references that a text has", () => {
    const raw = "it&apos;s &#xE4; > &amp;"
    const text = xmlText.unescape(raw)
    expect(text).toBe("it's ä > &")
    expect(Either.getOrThrow(xmlText.escape(text, xmlText.styleOf(raw)))).toBe(raw)
  })

  it("keeps the reference of a carriage return before a line feed", () => {
    for (const raw of ["a&#13;\nb", "a&#13;&#10;b", "a\r\nb"]) {
      const text = xmlText.unescape(raw)
      expect(text).toBe("a\r\nb")
      expect(Either.getOrThrow(xmlText.escape(text, xmlText.styleOf(raw)))).toBe(raw)
    }
  })
})
