import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { load, loadAll } from "js-yaml"
import * as Rails from "../../src/format/Rails.js"
import * as Yaml from "../../src/format/Yaml.js"
import * as Placeholder from "../../src/text/Placeholder.js"
import { runs } from "../support/long.js"
import { merge, partsOf, rewrite, textsOf, unitsOf, untouched, writtenAnew } from "./formats.js"

const { format } = Yaml
const { format: rails } = Rails

const file = `# Licence

# Shown at the top
title: Hello   # short
count: 12
flag: true
answer: no
day: 2024-01-31
nothing:
single: 'It''s'
double: "a\\tb \\u00e9"
literal: |
  one
    two

folded: >-
  a long
  line

  next
plain: two
  lines
base: &base !!str anchored
same: *base
symbol: !ruby/sym name
"a.b": x
list:
- first
-   - nested
- key: value
flow: {a: one, b: [two, "three"]}
`

describe("Yaml", () => {
  it.effect("makes the strings units, by their paths", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(format, file)).toStrictEqual({
        title: "Hello",
        single: "It's",
        double: "a\tb é",
        literal: "one\n  two\n",
        folded: "a long line\nnext",
        plain: "two lines",
        base: "anchored",
        '["a.b"]': "x",
        "list[0]": "first",
        "list[1][0]": "nested",
        "list[2].key": "value",
        "flow.a": "one",
        "flow.b[0]": "two",
        "flow.b[1]": "three"
      })
    })
  )

  it.effect("gives the place of a text and the comment at it", () =>
    Effect.gen(function* () {
      const parts = (yield* partsOf(format, file)).filter(({ units }) => units.length > 0)
      expect(parts[0]).toMatchObject({
        context: "Shown at the top\nshort",
        units: [{ key: "title", line: 4, state: "missing" }]
      })
      expect(parts[1]!.context).toBeUndefined()
    })
  )

  it.effect("leaves a file as it is", () =>
    Effect.gen(function* () {
      for (const newline of ["\n", "\r\n"]) {
        const text = `\uFEFF${file.replaceAll("\n", newline)}`
        expect(yield* untouched(format, text, { chunkSize: 3 })).toBe(text)
        expect(yield* writtenAnew(format, text)).toBe(text)
      }
    })
  )

  it.effect("keeps the style of a text", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(
        format,
        file,
        ({ text }) => text.replaceAll("o", "ö") + (text.endsWith("\n") ? "more\n" : " 'x'")
      )
      expect(written).toContain("title: Hellö 'x'   # short\n")
      expect(written).toContain("single: 'It''s ''x'''\n")
      expect(written).toContain("double: \"a\\tb é 'x'\"\n")
      expect(written).toContain(
        "literal: |\n  öne\n    twö\n  more\n\nfolded: >-\n  a löng line\n\n  next 'x'\nplain:"
      )
      expect(written).toContain("base: &base !!str anchöred 'x'\nsame: *base\n")
      expect(written).toContain("-   - nested 'x'\n")
      expect(written).toContain("flow: {a: öne 'x', b: [twö 'x', \"three 'x'\"]}\n")
    })
  )

  it.effect("puts double quotes around a text that a style cannot hold", () =>
    Effect.gen(function* () {
      for (const text of [
        "a: b",
        "# a",
        "12",
        "1.5",
        "no",
        "null",
        "~",
        "2024-01-31",
        "- a",
        " a",
        "a\nb",
        "a #b",
        "a:",
        "@a",
        "---",
        ":sym",
        "1_000",
        "0x1F",
        "<<"
      ]) {
        expect(yield* rewrite(format, "k: x\n", () => text)).toBe(`k: ${JSON.stringify(text)}\n`)
      }
      expect(yield* rewrite(format, "k: [x]\n", () => "a, b")).toBe('k: ["a, b"]\n')
      expect(yield* rewrite(format, "k: 'x'\n", () => "a\nb")).toBe('k: "a\\nb"\n')
      expect(yield* rewrite(format, "k: | # note\n  x\n\nl: 1\n", () => "a\rb")).toBe(
        'k: "a\\rb" # note\n\nl: 1\n'
      )
    })
  )

  it.effect("chomps and indents blocks as the text needs it", () =>
    Effect.gen(function* () {
      const written = (text: string, translation: string) => rewrite(format, text, () => translation)
      expect(yield* written("k: |\n   x\n\nl: 1\n", "a")).toBe("k: |-\n   a\n\nl: 1\n")
      expect(yield* written("k: |-\n  x\nl: 1\n", "a\n\n")).toBe("k: |+\n  a\n\nl: 1\n")
      expect(yield* written("k: |\n  x\nl: 1\n", "  a\nb\n")).toBe("k: |2\n    a\n  b\nl: 1\n")
      expect(yield* written("k: |2\n    x\nl: 1\n", "a\n")).toBe("k: |2\n  a\nl: 1\n")
    })
  )

  it.effect("translates texts that the selectors name", () =>
    Effect.gen(function* () {
      const own = Yaml.make({ select: ["title", "list[*].key", "flow.**"] })
      expect(Object.keys(yield* textsOf(own, file))).toStrictEqual([
        "title",
        "list[2].key",
        "flow.a",
        "flow.b[0]",
        "flow.b[1]"
      ])
      expect((yield* Effect.flip(partsOf(Yaml.make({ select: ["a["] }), file))).message).toContain("selector")
    })
  )

  it.effect("reads a pair between brackets", () =>
    Effect.gen(function* () {
      const text = "k: [x, a: y, ? b : z]\n"
      expect(yield* textsOf(format, text)).toStrictEqual({ "k[0]": "x", "k[1].a": "y", "k[2].b": "z" })
      expect(yield* untouched(format, text)).toBe(text)
    })
  )

  it.effect("numbers the documents of a file", () =>
    Effect.gen(function* () {
      const text = "%YAML 1.2\n---\na: x\n...\n---\na: y\n--- z\n"
      expect(yield* textsOf(format, text)).toStrictEqual({ "[0].a": "x", "[1].a": "y", "[2]": "z" })
      expect(loadAll(yield* rewrite(format, text, ({ key }) => `${key}:`))).toStrictEqual([
        { a: "[0].a:" },
        { a: "[1].a:" },
        "[2]:"
      ])
    })
  )

  it.effect("takes the names of JavaScript's prototypes as keys", () =>
    Effect.gen(function* () {
      const units = yield* unitsOf(format, "__proto__: x\nconstructor: {toString: y}\n")
      expect(units.map(({ key }) => key)).toStrictEqual(["__proto__", "constructor.toString"])
    })
  )

  it.effect("names the mistake in a file, and its place", () =>
    Effect.gen(function* () {
      for (const [text, line, message] of [
        ["a: x\na: secret\n", 2, "already"],
        ['a: "secret\n', 2, "close quotes"],
        ["a: x\n  b: secret\n", 1, "quotes"],
        ["a:\n\t- secret\n", 2, "tab"],
        ["a: [secret\n", 2, "close a bracket"],
        ["b:\n  a: [secret,\n  secret]\n", 3, "indent what is in brackets more than its key"],
        ['a: "\\q secret"\n', 1, "escape"],
        ["a: @secret\n", 1, "quotes"]
      ] as const) {
        const error = yield* Effect.flip(partsOf(format, text))
        expect(error).toMatchObject({
          line,
          column: expect.any(Number),
          message: expect.stringContaining(message)
        })
        expect(error.message).not.toContain("secret")
      }
    })
  )

  it.effect("reads a pair that stands between brackets without braces", () =>
    Effect.gen(function* () {
      expect(yield* rewrite(format, "a: [x, SwitchCase: one, z]\n", ({ text }) => text.toUpperCase())).toBe(
        "a: [X, SwitchCase: ONE, Z]\n"
      )
    })
  )

  it.effect("refuses deep nesting", () =>
    Effect.gen(function* () {
      const deep = [
        "[".repeat(1000),
        "- ".repeat(1000),
        "{a: ".repeat(1000),
        Array.from({ length: 250 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")
      ]
      for (const text of deep) {
        expect((yield* Effect.flip(partsOf(format, text))).message).toContain("200 levels")
      }
    })
  )

  it.effect("does not expand aliases", () =>
    Effect.gen(function* () {
      const lines = Array.from(
        { length: 30 },
        (_, index) => `a${index + 1}: &a${index + 1} [${`*a${index}, `.repeat(10)}]`
      )
      const text = `a0: &a0 x\n${lines.join("\n")}\n`
      expect(yield* rewrite(format, text, () => "z")).toBe(text.replace("x", "z"))
    })
  )

  it.effect("inserts missing entries after the one that they follow in the source", () =>
    Effect.gen(function* () {
      const source =
        "# first\nz: 0\na: one\n# note\nb:\n  c: |\n    x\n    y\n\n  d: z\nlist:\n  - 1\n  - t: u\n    v: w\nlast: x\n"
      const target = "a: eins\nold: alt\nb:\n    d: zett # Z\n\nlist:\n- 1\n- v: we\n"
      expect(yield* merge(format, source, target)).toBe(
        "# first\nz: 0\na: eins\nold: alt\nb:\n    c: |\n      x\n      y\n    d: zett # Z\n\nlist:\n- 1\n- t: u\n  v: we\nlast: x\n"
      )
      expect(yield* merge(format, source, target, { removed: "drop" })).toBe(
        "# first\nz: 0\na: eins\nb:\n    c: |\n      x\n      y\n    d: zett # Z\n\nlist:\n- 1\n- t: u\n  v: we\nlast: x\n"
      )
      expect(yield* merge(format, "a: {b: x, c: y}\n", "a: {c: z}\n")).toBe("a: {b: x, c: z}\n")
      expect(yield* merge(format, "a: {b: x, c: y}\n", "a:\n  c: z\n")).toBe("a:\n  b: x\n  c: z\n")
      expect(yield* merge(format, "a:\n  b: x\n", "a:\nb: y\n")).toBe("a:\n  b: x\nb: y\n")
      expect(yield* merge(format, "a: x\n", "")).toBe("a: x\n")
    })
  )

  it.effect("takes a byte order mark for no indentation of the entry behind it", () =>
    Effect.gen(function* () {
      const [source, target] = ["home:\n  title: x\n", "cart:\n  title: y\n"]
      for (const removed of ["keep", "drop"] as const) {
        const expected = yield* merge(format, source, target, { removed })
        expect(yield* merge(format, source, `\uFEFF${target}`, { removed })).toBe(`\uFEFF${expected}`)
        expect(yield* merge(format, `\uFEFF${source}`, target, { removed })).toBe(expected)
      }
    })
  )

  it.effect("refuses to merge other structures", () =>
    Effect.gen(function* () {
      for (const [source, target] of [
        ["- a\n", "b: c\n"],
        ["a: x\n---\nb: y\n", "a: x\n"],
        ["a: {b: |\n", "a: x\n"],
        ["a:\n  b: |\n    x\n  c: y\n", "a: {c: z}\n"],
        ["b: &b x\nc:\n  d: y\n", "b: &b x\nc: [\n"]
      ]) {
        expect((yield* Effect.flip(merge(format, source!, target!))).message).not.toBe("")
      }
    })
  )

  const text = fc.oneof(
    fc.fullUnicodeString({ minLength: 1, maxLength: 12 }),
    fc.stringOf(
      fc.constantFrom(
        " ",
        "\n",
        "\t",
        "\r",
        ":",
        "#",
        "-",
        "a",
        "b c",
        "'",
        '"',
        "\\",
        "[",
        ",",
        "{",
        "1",
        "..."
      ),
      {
        minLength: 1,
        maxLength: 10
      }
    ),
    fc.stringOf(fc.constantFrom(" ", "\n", "a", "b c"), { maxLength: 12 })
  )
  const styles = [
    "k: x",
    "k: 'x'",
    'k: "x"',
    "k: |\n  x\n",
    "k: |-\n   x\n   x\n",
    "k: |+\n  x\n\n",
    "k: >\n  x x\n  x\n",
    "k: >-\n\n  x\n   x\n\n  x\n",
    "k: >2+\n  x\n",
    "- k: |\n    x",
    "- x",
    "- - |1-\n     x",
    "[{k: x}]",
    "k: [x, y]",
    "k:\n  x\n  x",
    "- >-\n x"
  ]

  const leaf = (value: unknown): unknown =>
    typeof value === "object" && value !== null ? leaf(Object.values(value)[0]) : value

  it.effect.prop(
    "reads the same as was written, by another reader as well",
    [fc.constantFrom(...styles), text, fc.constantFrom("\n", "\r\n")],
    ([style, translation, newline]) =>
      Effect.gen(function* () {
        const file = `${style}\n`.replaceAll("\n", newline)
        expect(yield* untouched(format, file, { chunkSize: 2 })).toBe(file)
        expect(yield* writtenAnew(format, file)).toBe(file)
        const result = yield* rewrite(format, file, () => translation)
        expect(leaf(load(result))).toBe(translation)
        if (translation.trim() !== "") expect((yield* unitsOf(format, result))[0]!.text).toBe(translation)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )

  const tree = fc.letrec<{ readonly node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom("x", "two words"),
      fc.uniqueArray(fc.tuple(fc.constantFrom("a", "b", "c", "d"), tie("node")), {
        selector: ([key]) => key,
        minLength: 1
      })
    )
  })).node

  const lines = (node: unknown, indent: string, value: string): string =>
    Array.isArray(node)
      ? `\n${node.map(([key, inner]) => `${indent}${key}:${lines(inner, `${indent}  `, value)}`).join("")}`
      : ` ${value}\n`

  it.effect.prop(
    "a merged file has the texts of the source, and those of the target where it has them",
    [tree, tree, fc.constantFrom("keep" as const, "drop" as const)],
    ([first, second, removed]) =>
      Effect.gen(function* () {
        const source = `r:${lines(first, "  ", "s")}`
        const target = `r:${lines(second, "    ", "t")}`
        const before = yield* textsOf(format, target)
        const wanted = yield* textsOf(format, source)
        const merged = yield* textsOf(format, yield* merge(format, source, target, { removed }))
        for (const key of Object.keys(wanted)) expect(merged[key]).toBe(before[key] ?? "s")
        if (removed === "drop") expect(Object.keys(merged).sort()).toStrictEqual(Object.keys(wanted).sort())
        expect(yield* merge(format, source, source, { removed })).toBe(source)
      }),
    { fastCheck: { numRuns: runs(50) } }
  )
})

const catalogue = `en:
  # the box
  inbox:
    zero: nothing
    one: "one message" # 1
    other: "%{count} messages"
  order: [:year, :month]
  greeting: Hello %{name}
`

describe("Rails", () => {
  it.effect("has keys without the language, and the forms of the target", () =>
    Effect.gen(function* () {
      expect(yield* textsOf(rails, catalogue, { targetLang: "ru" })).toStrictEqual({
        "inbox.zero": "nothing",
        "inbox.one": "%{count} messages",
        "inbox.few": "%{count} messages",
        "inbox.many": "%{count} messages",
        "inbox.other": "%{count} messages",
        greeting: "Hello %{name}"
      })
    })
  )

  it.effect("gives a form the source's text of the same name, if it shows its number where it has to", () =>
    Effect.gen(function* () {
      const own = catalogue.replace("one message", "%{count} message")
      expect((yield* textsOf(rails, own, { targetLang: "ru" }))["inbox.one"]).toBe("%{count} message")
      expect((yield* textsOf(rails, catalogue, { targetLang: "fr" }))["inbox.one"]).toBe("one message")
    })
  )

  it.effect("has no units without a letter, apart from placeholders and directives of strftime", () =>
    Effect.gen(function* () {
      const formats = `en:
  date:
    formats: {default: "%d.%m.%Y", short: "%-d %^b", long: "%e. of %B", iso: "%Y-%m-%dT%H:%M:%S%::z", ja: "%Y年%m月"}
  number:
    format: {delimiter: ",", separator: ".", unit: "$", format: "%u%n"}
  currency: "€ %<amount>.2f <b>%{sum}</b>&nbsp;"
  arrow: "→"
  kilo: kB
`
      expect(yield* textsOf(rails, formats)).toStrictEqual({
        "date.formats.long": "%e. of %B",
        "date.formats.iso": "%Y-%m-%dT%H:%M:%S%::z",
        "date.formats.ja": "%Y年%m月",
        kilo: "kB"
      })
    })
  )

  it.effect("protects directives of strftime", () =>
    Effect.sync(() => {
      const { placeholders } = Placeholder.protect("%d %b, %-d de %^B: %<n>d, 100% Baum", rails.placeholders)
      expect(placeholders).toStrictEqual(["%d", "%b", "%-d", "%^B", "%<n>d"])
    })
  )

  it.effect("writes the forms of plurals of which some, or all, have nothing to translate", () =>
    Effect.gen(function* () {
      const text = `en:\n  a: {one: "1", other: "%{count} files"}\n  b:\n    one: "%n %u"\n    other: "%n %u"\n  c: {other: "-"}\n`
      expect(yield* textsOf(rails, text, { targetLang: "pl" })).toStrictEqual({
        "a.few": "%{count} files",
        "a.many": "%{count} files",
        "a.other": "%{count} files"
      })
      const written = yield* rewrite(rails, text, ({ key }) => key, { targetLang: "pl" })
      expect(load(written)).toStrictEqual({
        pl: {
          a: { one: "1", few: "a.few", many: "a.many", other: "a.other" },
          b: { one: "%n %u", few: "%n %u", many: "%n %u", other: "%n %u" },
          c: { other: "-" }
        }
      })
      expect(yield* untouched(rails, text, { targetLang: "en" })).toBe(text)
    })
  )

  it.effect("does not merge into a target of another language", () =>
    Effect.gen(function* () {
      const problem = yield* Effect.flip(merge(rails, catalogue, "# note\nfr:\n  greeting: Bonjour\n"))
      expect(problem).toMatchObject({ line: 2, column: 1 })
      expect(problem.message).toContain("texts in fr, not in de")
      expect(problem.message).not.toContain("Bonjour")
      for (const [root, targetLang] of [
        ["pt-BR", "pt"],
        ["zh_TW", "zh-TW"],
        ["de", "de-AT"],
        ["nb", "no"]
      ] as const) {
        const target = `${root}:\n  greeting: x\n`
        expect(yield* merge(rails, "en:\n  greeting: y\n", target, { targetLang })).toBe(target)
      }
    })
  )

  it.effect("writes the language and the forms of the target", () =>
    Effect.gen(function* () {
      const written = yield* rewrite(rails, catalogue, ({ key }) => `T ${key}`, { targetLang: "pl" })
      expect(written).toBe(`pl:
  # the box
  inbox:
    zero: T inbox.zero
    one: "T inbox.one" # 1
    few: "T inbox.few"
    many: "T inbox.many"
    other: "T inbox.other"
  order: [:year, :month]
  greeting: T greeting
`)
      const japanese = yield* rewrite(rails, catalogue.replace("    zero: nothing\n", ""), ({ key }) => key, {
        targetLang: "ja"
      })
      expect(load(japanese)).toMatchObject({ ja: { inbox: { other: "inbox.other" } } })
    })
  )

  it.effect("keeps the source's text for forms that are not translated, and a group of which none is", () =>
    Effect.gen(function* () {
      const some = yield* rewrite(rails, catalogue, ({ key }) => (key === "inbox.few" ? "x" : undefined), {
        targetLang: "pl"
      })
      expect((load(some) as { pl: unknown }).pl).toMatchObject({
        inbox: { one: "one message", few: "x", many: "%{count} messages", other: "%{count} messages" }
      })
      expect(yield* untouched(rails, catalogue, { targetLang: "pl" })).toBe(catalogue.replace("en:", "pl:"))
      for (const translate of [untouched, writtenAnew]) {
        expect(yield* translate(rails, catalogue, { targetLang: "en" })).toBe(catalogue)
      }
    })
  )

  it.effect("writes plurals between brackets and in blocks", () =>
    Effect.gen(function* () {
      const text =
        "en:\n  a: {one: x, other: y}\n  b:\n    one: |\n      x\n    other: |\n      y\n\n  c: z\n"
      const written = yield* rewrite(rails, text, ({ key }) => (key.startsWith("b") ? `${key}\n` : key), {
        targetLang: "pl"
      })
      expect(written).toBe(
        "pl:\n  a: {one: a.one, few: a.few, many: a.many, other: a.other}\n  b:\n    one: |\n      b.one\n    few: |\n      b.few\n" +
          "    many: |\n      b.many\n    other: |\n      b.other\n\n  c: c\n"
      )
      const short = yield* rewrite(rails, text, ({ key }) => key, { targetLang: "ja" })
      expect(load(short)).toStrictEqual({ ja: { a: { other: "a.other" }, b: { other: "b.other" }, c: "c" } })
    })
  )

  it.effect("quotes a language that YAML takes for a boolean, and keeps the underscore of the file", () =>
    Effect.gen(function* () {
      expect(yield* untouched(rails, "en:\n  a: x\n", { targetLang: "no" })).toBe('"no":\n  a: x\n')
      expect(yield* untouched(rails, "'en_GB': {a: x}\n", { targetLang: "pt-BR" })).toBe("'pt_BR': {a: x}\n")
      expect(yield* untouched(rails, "en:\n  a: x\n", { targetLang: "zh_TW" })).toBe("zh-TW:\n  a: x\n")
    })
  )

  it.effect("knows its files", () =>
    Effect.gen(function* () {
      const is = (head: string, path = "a.yml") => rails.detect!(path, head)
      expect(is(catalogue)).toBe(true)
      expect(is("---\n# note\n'pt-BR':\n  a: x\n")).toBe(true)
      expect(is("api:\n  a: x\n")).toBe(false)
      expect(is("qqq:\n  a: x\n")).toBe(false)
      expect(is("qqq:\n  a: x\n", "config/locales/qqq.yml")).toBe(true)
      expect(is("en:\n  a: x\nde:\n  a: y\n")).toBe(false)
      expect(is("en: x\n")).toBe(false)
      expect((yield* Effect.flip(partsOf(rails, "en:\n  a: x\nde:\n  a: y\n"))).message).toContain("one key")
    })
  )

  it.effect("merges below the languages, plurals as a whole", () =>
    Effect.gen(function* () {
      const target = "de:\n  greeting: Hallo\n  inbox:\n    one: eine\n    other: viele\n"
      expect(yield* merge(rails, catalogue, target)).toBe(
        "de:\n  greeting: Hallo\n  inbox:\n    one: eine\n    other: viele\n  order: [:year, :month]\n"
      )
      expect(yield* merge(rails, catalogue, "de:\n  greeting: Hallo\n")).toBe(
        `${catalogue.replace("en:", "de:").replace("Hello %{name}", "Hallo")}`
      )
      expect(yield* merge(rails, catalogue, "")).toBe(catalogue.replace("en:", "de:"))
      expect(yield* merge(rails, catalogue, "de:\n")).toBe(catalogue.replace("en:", "de:"))
    })
  )

  it.effect("keeps plurals of the target where the source has a text alone", () =>
    Effect.gen(function* () {
      const target = "ru:\n  million:\n    one: миллион\n    other: миллиона\n"
      expect(yield* merge(rails, "en:\n  million: Million\n", target, { targetLang: "ru" })).toBe(target)
    })
  )
})

describe("selectors that find nothing in YAML", () => {
  it.effect("fail the file, and name the fields it has", () =>
    Effect.gen(function* () {
      const titles = Yaml.make({ select: ["titel"] })
      const error = yield* Effect.flip(unitsOf(titles, "title: Mug\nsteps:\n  - text: one\n"))
      expect(error.choice).toEqual({ option: "select", value: "titel", known: "title, steps[*].text" })
      expect(yield* unitsOf(titles, "titel:\ntitle: Mug\n")).toEqual([])
    })
  )
})
