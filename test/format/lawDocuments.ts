/** Documents of each format, made by chance: some version of a file, and a translation of another version. */
import * as fc from "fast-check"
import { stringify } from "yaml"
import * as Csv from "../../src/format/Csv.js"
import type * as Format from "../../src/format/Format.js"
import * as Formats from "../../src/format/Formats.js"
import * as JsonLines from "../../src/format/JsonLines.js"

export interface Generated {
  readonly document: string
  /** A translation, of formats that merge. */
  readonly target?: string
}

/** How documents of a format are made. */
export interface Documents {
  readonly format: Format.Format
  readonly generated: fc.Arbitrary<Generated>
}

/** An entry of a catalogue: a table of it, a name, and a text. */
interface Entry {
  readonly table: string
  readonly name: string
  readonly text: string
}

type Write = (entries: ReadonlyArray<Entry>, shape: Shape, lang: "en" | "de") => string

/** What is up to whoever writes a file. */
interface Shape {
  readonly newline: string
  readonly indent: string
  readonly mark: string
  readonly comments: boolean
}

const words = ["cup", "pot", "Fähre", "字", "😀", "a b", "%d", "1", "it's", "x.y", "true", "&", "="]

/** A text of some words, now and then of characters that formats escape. */
const textOf = (special: ReadonlyArray<string>) =>
  fc
    .array(fc.constantFrom(...words, ...special), { minLength: 1, maxLength: 4 })
    .map((found) => `T${found.join(" ")}t`.replace(/\s*\n\s*/g, "\n"))

const shape: fc.Arbitrary<Shape> = fc.record({
  newline: fc.constantFrom("\n", "\r\n"),
  indent: fc.constantFrom("  ", "    "),
  mark: fc.constantFrom("", "", "\uFEFF"),
  comments: fc.boolean()
})

const entriesOf = (special: ReadonlyArray<string>) =>
  fc.uniqueArray(
    fc.record({
      table: fc.constantFrom("home", "cart", "home_page"),
      name: fc.constantFrom("title", "body", "help", "a"),
      text: textOf(special)
    }),
    { minLength: 1, maxLength: 8, selector: ({ name, table }) => `${table}.${name}` }
  )

/** Files with the newlines and the mark of their shape. */
const shaped = (text: string, { mark, newline }: Shape) => mark + text.replaceAll("\n", newline)

/** Two versions of a catalogue in one shape each: entries of one table stand together. */
const catalogue = (special: ReadonlyArray<string>, write: Write): fc.Arbitrary<Generated> => {
  const grouped = (entries: ReadonlyArray<Entry>) => {
    const tables = [...new Set(entries.map(({ table }) => table))]
    return tables.flatMap((table) => entries.filter((entry) => entry.table === table))
  }
  return fc
    .tuple(entriesOf(special), entriesOf(special), shape, shape)
    .map(([source, target, one, other]) => ({
      document: shaped(write(grouped(source), one, "en"), one),
      target: shaped(write(grouped(target), other, "de"), other)
    }))
}

const flat = ({ name, table }: Entry) => `${table}_${name}`

const nested = (entries: ReadonlyArray<Entry>, valueOf: (entry: Entry) => unknown = ({ text }) => text) => {
  const tables: Record<string, Record<string, unknown>> = {}
  for (const entry of entries) {
    tables[entry.table] = { ...tables[entry.table], [entry.name]: valueOf(entry) }
  }
  return tables
}

const json = (value: unknown, { indent }: Shape) => `${JSON.stringify(value, null, indent)}\n`

const flatJson =
  (
    valueOf: (entry: Entry) => ReadonlyArray<readonly [string, unknown]>,
    head: (lang: string) => object = () => ({})
  ): Write =>
  (entries, shape, lang) =>
    json({ ...head(lang), ...Object.fromEntries(entries.flatMap(valueOf)) }, shape)

const xmlText = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** Files of which one text follows the other: there is nothing to merge. */
const sequence = (
  special: ReadonlyArray<string>,
  write: (texts: ReadonlyArray<string>, shape: Shape) => string
): fc.Arbitrary<Generated> =>
  fc
    .tuple(fc.array(textOf(special), { minLength: 1, maxLength: 6 }), shape)
    .map(([texts, shape]) => ({ document: shaped(write(texts, shape), shape) }))

const quoted = (text: string) => JSON.stringify(text)

/** Plurals of one name in each table, beside its other entries. */
const plurals = (entries: ReadonlyArray<Entry>, lang: "en" | "de", forms: (text: string) => object) =>
  nested(entries, ({ name, text }) => (name === "a" ? forms(`%d ${text} ${lang}`) : text))

const time = (second: number) => `00:00:${String(second).padStart(2, "0")}`

const cues = (texts: ReadonlyArray<string>, dot: string, head: (index: number) => string) =>
  texts
    // Lines are joined without a blank beside an ideograph.
    .map((text) => text.replaceAll("字", "é"))
    .map(
      (text, index) =>
        `${head(index)}${time(2 * index)}${dot}000 --> ${time(2 * index + 1)}${dot}500\n${text}\n`
    )
    .join("\n")

const generators: Readonly<Record<string, fc.Arbitrary<Generated>>> = {
  "android-strings": catalogue(["<b>x</b>"], (entries, { comments, indent }) => {
    const line = (entry: Entry) =>
      entry.name === "a"
        ? `${indent}<plurals name="${flat(entry)}"><item quantity="one">one</item><item quantity="other">${xmlText(entry.text.replaceAll("'", "\\'"))}</item></plurals>`
        : `${indent}<string name="${flat(entry)}">${xmlText(entry.text.replaceAll("'", "\\'"))}</string>`
    const all = entries.map(
      (entry) => (comments ? `${indent}<!-- of ${entry.table} -->\n` : "") + line(entry)
    )
    return `<?xml version="1.0" encoding="utf-8"?>\n<resources>\n${all.join("\n")}\n</resources>\n`
  }),
  "apple-strings": catalogue(['"', "\\", "\n"], (entries, { comments }) =>
    entries
      .map((entry) => `${comments ? "/* text */\n" : ""}${quoted(flat(entry))} = ${quoted(entry.text)};\n`)
      .join("\n")
  ),
  arb: catalogue(
    ["{name}"],
    flatJson(
      (entry) => [
        [flat(entry), entry.text.replaceAll("'", "’")],
        [`@${flat(entry)}`, { description: entry.table }]
      ],
      (lang) => ({ "@@locale": lang })
    )
  ),
  "chrome-messages": catalogue(
    ["$NAME$"],
    flatJson((entry) => [[flat(entry), { message: entry.text, description: entry.table }]])
  ),
  csv: sequence([",", '"', "\n"], (texts) =>
    ["id,text", ...texts.map((text, index) => `${index},"${text.replaceAll('"', '""')}"`)].join("\n")
  ),
  formatjs: catalogue(
    ["{name}"],
    flatJson((entry) => [
      [flat(entry), { defaultMessage: entry.text.replaceAll("'", "’"), description: entry.table }]
    ])
  ),
  html: sequence(
    ["<b>x</b>", "<br>", "&lt;"],
    (texts, { comments }) =>
      `<!DOCTYPE html>\n<html><body>${comments ? "<!-- a -->" : ""}\n${texts.map((text, index) => (index % 2 === 0 ? `<p title="x${index}">${text}</p>` : `<ul><li>${text}</li></ul>`)).join("\n")}\n</body></html>\n`
  ),
  i18next: catalogue(["{{x}}", '"'], (entries, shape) =>
    json(
      nested(
        entries.flatMap((entry) =>
          entry.name === "a"
            ? ["a_one", "a_other"].map((name) => ({ ...entry, name, text: `{{count}} ${entry.text}` }))
            : [entry]
        )
      ),
      shape
    )
  ),
  json: catalogue(['"', "\\", "\n"], (entries, shape) =>
    json({ ...nested(entries), version: 1, list: ["one", { text: "two" }] }, shape)
  ),
  jsonl: sequence(['"', "\n"], (texts) =>
    texts.map((title, id) => JSON.stringify({ id, title, tags: [title] })).join("\n")
  ),
  lines: sequence(["\t"], (texts, { comments }) =>
    texts.map((text) => `  ${text}`).join(comments ? "\n\n" : "\n")
  ),
  paragraphs: sequence(["\n"], (texts) => texts.join("\n\n")),
  markdown: sequence(["**x**", "`x`", "[x](y)"], (texts, { comments }) =>
    texts
      .map((text, index) => ["# ", "", "* ", "> "][index % 4] + text)
      .join(comments ? "\n\n<!-- a -->\n\n" : "\n\n")
      .concat("\n")
  ),
  mdx: sequence(
    ["**x**", "`x`", "{x}"],
    (texts) => `import A from "a"\n\n${texts.join("\n\n<A b={1} />\n\n")}\n`
  ),
  po: catalogue(['"', "\\", "\n"], (entries, { comments }, lang) =>
    [
      `msgid ""\nmsgstr ""\n"Language: ${lang}\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n`,
      ...entries.map((entry) => {
        const note = comments ? `#. of ${entry.table}\n` : ""
        const id = `${note}msgctxt "${entry.table}"\nmsgid "${entry.name}"\n`
        const own = lang === "de" ? quoted(entry.text) : '""'
        return entry.name === "a"
          ? `${id}msgid_plural "${entry.name}s"\nmsgstr[0] ${own}\nmsgstr[1] ${own}\n`
          : `${id}msgstr ${own}\n`
      })
    ].join("\n")
  ),
  properties: catalogue(["\\u0041", "\\\n  more", "{0}"], (entries, { comments }) =>
    entries
      .map((entry) => `${comments ? `# ${entry.table}\n` : ""}${entry.table}.${entry.name} = ${entry.text}\n`)
      .join("")
  ),
  rails: catalogue(["%{x}", "- ", ": ", "\n"], (entries, { indent }, lang) =>
    stringify(
      { [lang]: plurals(entries, lang, (text) => ({ one: text, other: text })) },
      { indent: indent.length }
    )
  ),
  srt: sequence(["\n", "<i>x</i>"], (texts) => cues(texts, ",", (index) => `${index + 1}\n`)),
  tmx: sequence(
    ["<ph/>"],
    (texts) =>
      `<?xml version="1.0"?>\n<tmx version="1.4"><header creationtool="a" creationtoolversion="1" segtype="sentence" o-tmf="a" adminlang="en" srclang="en" datatype="plaintext"/><body>\n${texts.map((text) => `<tu><tuv xml:lang="en"><seg>${xmlText(text).replaceAll("&lt;ph/>", "<ph/>")}</seg></tuv></tu>`).join("\n")}\n</body></tmx>\n`
  ),
  webvtt: sequence(
    ["\n", "<i>x</i>.", "&amp;"],
    (texts) => `WEBVTT\n\n${cues(texts.map(xmlText), ".", () => "")}`
  ),
  xcstrings: catalogue(["%@", '"'], (entries, shape) =>
    json(
      {
        sourceLanguage: "en",
        strings: Object.fromEntries(
          entries.map((entry) => [
            flat(entry),
            entry.name === "a"
              ? {}
              : { localizations: { en: { stringUnit: { state: "translated", value: entry.text } } } }
          ])
        ),
        version: "1.0"
      },
      shape
    )
  ),
  xliff: catalogue(['<x id="1"/>'], (entries, { comments, indent }, lang) => {
    const inside = (text: string) => xmlText(text).replaceAll('&lt;x id="1"/>', '<x id="1"/>')
    const unit = (entry: Entry) =>
      `${indent}<trans-unit id="${flat(entry)}"><source>${inside(`T ${entry.name}`)}</source>${lang === "de" ? `<target state="translated">${inside(`T ${entry.name} de`)}</target>` : ""}${comments ? "<note>a</note>" : ""}</trans-unit>`
    return `<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" target-language="de" datatype="plaintext" original="app"><body>\n${entries.map(unit).join("\n")}\n</body></file></xliff>\n`
  }),
  xml: sequence(
    ["<b>x</b>", "<![CDATA[x]]>"],
    (texts, { indent }) =>
      `<?xml version="1.0"?>\n<r>\n${texts.map((text) => `${indent}<a id="1">${text.replaceAll("&", "&amp;")}</a>`).join("\n")}\n</r>\n`
  ),
  yaml: catalogue(
    ["- ", ": ", "\n", "#"],
    (entries, { comments, indent }) =>
      (comments ? "# a file\n" : "") + stringify(nested(entries), { indent: indent.length, lineWidth: 40 })
  )
}

const own: ReadonlyArray<Format.Format> = [
  Csv.make({ columns: ["text"] }),
  JsonLines.make({ select: ["title", "tags[*]"] })
]

/** The formats with what their documents need: columns and values that are chosen. */
export const formats: ReadonlyArray<Format.Format> = Formats.all
  .filter(({ columnar }) => columnar === undefined)
  .map((format) => own.find(({ name }) => name === format.name) ?? format)

export const documents: ReadonlyArray<Documents> = formats.map((format) => ({
  format,
  generated: generators[format.name]!
}))
