/** The registry: which format a file has. */
import { describe, expect, it } from "@effect/vitest"
import * as Either from "effect/Either"
import { Csv, Lines } from "effect-translate"
import * as entry from "effect-translate/formats"
import { type Format, Formats } from "effect-translate/formats"

const detected = (path: string, head = ""): unknown =>
  Either.match(Formats.detect({ path, head }), {
    onLeft: ({ candidates }) => candidates,
    onRight: ({ name }) => name
  })

describe("detect", () => {
  it.each([
    ["a.csv", "sku,title\n", "csv"],
    ["a.tsv", "sku\ttitle\n", "csv"],
    ["a.jsonl", "{}\n", "jsonl"],
    ["a.ndjson", "{}\n", "jsonl"],
    ["a.json", '{"title": "x"}', "json"],
    ["locales/en.json", '{"file_one": "a file", "file_other": "{{count}} files"}', "i18next"],
    ["en.json", '{"id": {"defaultMessage": "Hello"}}', "formatjs"],
    [
      "en.json",
      '{\n  "a": "\\"Hi\\" {",\n  "n": "{ count, plural, one {# file} other {# files}}"',
      "formatjs"
    ],
    ["en.json", '{"who": "{gender,select,male{He}other{They}} left"}', "formatjs"],
    ["en.json", '{"when": "{day, date, short}"}', "json"],
    ["en.json", '{"home": {"n": "{count, plural, one {# file} other {# files}}"}}', "json"],
    ["en.json", '{"home": {"see": "See $t(nav.home)"}}', "i18next"],
    ["app_en.arb", '{"@@locale": "en"}', "arb"],
    ["_locales/en/messages.json", '{"name": {"message": "Name"}}', "chrome-messages"],
    ["Localizable.xcstrings", "{}", "xcstrings"],
    ["en.lproj/Localizable.strings", '"a" = "b";', "apple-strings"],
    ["res/values/strings.xml", "<resources></resources>", "android-strings"],
    ["book.xml", "<book></book>", "xml"],
    ["config/locales/en.yml", "en:\n  hello: Hello\n", "rails"],
    ["openapi.yaml", "openapi: 3.0.0\ninfo:\n  title: x\n", "yaml"],
    ["de.po", 'msgid ""\nmsgstr ""\n', "po"],
    ["messages.pot", "", "po"],
    ["messages.xlf", "", "xliff"],
    ["messages.xliff", "", "xliff"],
    ["memory.tmx", "", "tmx"],
    ["messages.properties", "", "properties"],
    ["README.md", "", "markdown"],
    ["docs/intro.mdx", "", "mdx"],
    ["index.html", "", "html"],
    ["Index.HTM", "", "html"],
    ["a.srt", "", "srt"],
    ["a.vtt", "", "webvtt"],
    ["notes.txt", "", "lines"]
  ])("%s is known by its name and beginning", (path, head, name) => {
    expect(detected(path, head)).toBe(name)
  })

  it("never guesses: a file of no known ending is refused, with all formats to choose from", () => {
    const error = Either.flip(Formats.detect({ path: "a.bin", head: "" })).pipe(Either.getOrThrow)
    expect(error._tag).toBe("UnknownFormat")
    expect(error.message).toContain("a.bin")
    for (const { name } of Formats.all) expect(error.message).toContain(name)
  })

  it("never guesses: a file that two formats claim is refused, with both", () => {
    const both = '{"file_one": "x", "file_other": "y", "a": {"defaultMessage": "Hello"}}'
    expect(detected("en.json", both)).toEqual(["formatjs", "i18next"])
    const mixed = '{"n": "{count, plural, one {# file} other {# files}}", "see": "See $t(n)"}'
    expect(detected("en.json", mixed)).toEqual(["formatjs", "i18next"])
  })
})

describe("byName", () => {
  it("finds a format in any casing", () => {
    expect(Either.map(Formats.byName("XLIFF"), ({ name }) => name)).toEqual(Either.right("xliff"))
  })

  it("tells the names that there are", () => {
    const error = Either.getOrThrow(Either.flip(Formats.byName("word")))
    expect(error.message).toMatch(/^There is no format "word": choose one of .*csv/)
  })
})

it("every format has a name of its own", () => {
  const names = Formats.all.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9-]+$/)
})

describe("a module of a format", () => {
  interface Module {
    readonly make: (options?: Format.Options) => Format.Format
    readonly format: Format.Format
  }

  const modules = Object.entries({ ...entry, Csv, Lines }).filter(
    (named): named is [string, Module] => "format" in named[1]
  )

  it("is there for each of all formats", () => {
    expect(new Set(modules.map(([, { format }]) => format.name))).toEqual(
      new Set(Formats.all.map(({ name }) => name))
    )
  })

  it.each(modules)("%s: makes its format of no options, and of other endings", (_, { format, make }) => {
    expect(make()).toMatchObject({
      name: format.name,
      extensions: format.extensions,
      settings: format.settings
    })
    expect(make({ extensions: [".other"] })).toMatchObject({
      name: format.name,
      extensions: [".other"],
      settings: format.settings
    })
  })
})
