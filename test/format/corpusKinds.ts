import * as Csv from "../../src/format/Csv.js"
import type * as Format from "../../src/format/Format.js"
import * as Formats from "../../src/format/Formats.js"
import * as JsonLines from "../../src/format/JsonLines.js"
import * as readers from "./readers.js"

/** How the files of a folder of the corpus are read. */
export interface Kind {
  readonly folder: string
  /** The format for the text of a file. */
  readonly format: (text: string) => Format.Format
  /** Another parser for the text of a file. */
  readonly reader: (text: string) => readers.Reader | undefined
  /** The language of the translations, for formats whose files name it. */
  readonly language?: ((text: string) => string | undefined) | undefined
  /** What of a text must be the same if the file is read again. @default all */
  readonly normal?: ((text: string) => string) | undefined
  /** Whether the file has the same units if it is read again, or only the same texts one behind the other. @default true */
  readonly hasLastingUnits?: boolean | undefined
}

const kind = (
  folder: string,
  name: string,
  reader: readers.Reader | undefined,
  options?: Pick<Kind, "normal" | "hasLastingUnits" | "language">
): ReadonlyArray<Kind> =>
  Formats.all
    .filter((format) => format.name.toLowerCase() === name)
    .map((format) => ({ folder, format: () => format, reader: () => reader, ...options }))

/** Paragraphs are wrapped anew and named by their lines; cues are grouped by what ends a sentence. */
const regrouped = { normal: (text: string) => text.replace(/[\s\u00e9]+/g, ""), hasLastingUnits: false }

/** A tag that is open at the end of a cue is closed there and opened again in the next one. */
const recut = { ...regrouped, normal: (text: string) => text.replace(/<[^<>]*>|[\s\u00e9]+/g, "") }

/** Titles inside a block are units too, so that its text has changed when it is read again. */
const nested = { normal: (text: string) => text.replace(/[\s\u00e9]+/g, "") }

const delimiterOf = (text: string) =>
  [",", ";", "\t", "|"].reduce((found, next) => {
    const count = (delimiter: string) => text.split(/[\r\n]/)[0]!.split(delimiter).length
    return count(next) > count(found) ? next : found
  })

const columnsOf = (text: string) => {
  const header = text.replace(/^\uFEFF/, "").split(/\r\n?|\n/)[0]!
  return header.split(delimiterOf(text)).map((name) => name.trim().replace(/^"|"$/g, ""))
}

/** A format of each kind of files. */
export const kinds: ReadonlyArray<Kind> = [
  {
    folder: "csv",
    format: (text) => Csv.make({ columns: columnsOf(text), delimiter: delimiterOf(text) }),
    reader: (text) => readers.csv(delimiterOf(text))
  },
  ...kind("json", "json", readers.json),
  ...kind("i18next", "json", readers.json),
  ...kind("i18next", "i18next", readers.json),
  ...kind("formatjs", "formatjs", readers.json),
  // A translation adds its language to an entry.
  ...kind("xcstrings", "xcstrings", undefined),
  ...kind("chrome", "chrome-messages", readers.json),
  ...kind("arb", "arb", readers.json, { language: (text) => /"@@locale": "([^"]*)"/.exec(text)?.[1] }),
  {
    folder: "jsonl",
    format: () => JsonLines.make({ select: ["title", "tags[*]"] }),
    reader: () => readers.jsonLines
  },
  ...kind("properties", "properties", readers.properties),
  ...kind("strings", "apple-strings", readers.strings),
  ...kind("xliff", "xliff", readers.xliff, {
    language: (text) => /target-language="([^"]*)"|trgLang="([^"]*)"/.exec(text)?.[1]
  }),
  ...kind("html", "html", readers.html, nested),
  ...kind("md", "markdown", readers.markdown),
  ...kind("mdx", "mdx", undefined),
  ...kind("txt", "lines", readers.lines),
  ...kind("txt", "paragraphs", undefined, regrouped),
  ...kind("md", "paragraphs", undefined, regrouped),
  ...kind("po", "po", readers.gettext, {
    // A translation begins and ends with a line break as its text does.
    normal: (text) => text.trim(),
    language: (text) => /^"Language: *([^\\ ]+)\\n/m.exec(text)?.[1]
  }),
  ...kind("yaml", "yaml", readers.yaml),
  ...kind("rails", "yaml", readers.yaml),
  ...kind("rails", "rails", readers.rails, {
    language: (text) => /^["']?([A-Za-z-]+)["']?:/m.exec(text)?.[1]
  }),
  ...kind("android", "android-strings", readers.xml),
  ...kind("xml", "xml", readers.xml),
  ...kind("tmx", "tmx", readers.tmx),
  ...kind("srt", "srt", readers.cues, recut),
  ...kind("vtt", "webvtt", readers.cues, recut)
]
