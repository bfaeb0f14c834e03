import type { Element } from "@xmldom/xmldom"
import * as Effect from "effect/Effect"
// The entry for Node declares `require`, which breaks bundles that do so too.
import { type Zippable, zipSync } from "fflate/browser"
import { isBlank } from "../../../internal/texts.js"
import { encoder } from "../../../internal/utf8.js"
import { type Parts, unpack } from "./archive.js"
import { DocumentFailure, type FileTranslator, type TextTranslator } from "./fileTranslator.js"
import * as xml from "./xml.js"

/** Which parts of a package hold texts. Each format has a transitional and a strict namespace. */
interface Format {
  readonly name: string
  /** The part that a package must have. */
  readonly main: string
  readonly parts: RegExp
  readonly namespaces: ReadonlyArray<string>
  /** Local names of the elements that make a paragraph: the texts in one belong together. */
  readonly paragraphs: ReadonlyArray<string>
  /** Texts that stay as they are. */
  readonly kept: (parts: Parts) => Effect.Effect<ReadonlySet<string>, DocumentFailure>
}

const nothing = () => Effect.succeed(new Set<string>())

const spreadsheet = [
  "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
  "http://purl.oclc.org/ooxml/spreadsheetml/main"
]

const packed = (parts: Parts): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, content]): [string, Zippable[string]] => [
        name,
        // Other files, such as images, are compressed already.
        [content, { level: /\.(xml|rels)$/.test(name) ? 6 : 0, mtime: "1980-01-02" }]
      ])
    )
  )

const mayHoldTexts = (content: Uint8Array): boolean => {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  return bytes.includes("t>") || bytes.includes("t ")
}

/** A phonetic hint of a workbook, which says how a string is pronounced. */
const isPhonetic = (text: Element): boolean => xml.closest(text, ["rPh"]) !== undefined

const translatePart = (
  format: Format,
  name: string,
  content: Uint8Array,
  kept: ReadonlySet<string>,
  translator: TextTranslator
) =>
  Effect.map(xml.parse(content, name), (document) => {
    const begun = new Set<unknown>()
    for (const text of xml.elements(document, format.namespaces, "t")) {
      const paragraph = xml.closest(text, format.paragraphs)
      const said = text.textContent ?? ""
      if (paragraph === undefined || isBlank(said) || kept.has(said) || isPhonetic(text)) continue
      text.textContent = translator.translate(said, begun.has(paragraph))
      begun.add(paragraph)
    }
    return xml.serialize(document)
  })

const office =
  (format: Format): FileTranslator =>
  (content, translator) =>
    Effect.gen(function* () {
      const parts = yield* unpack(content, format.name)
      if (parts[format.main] === undefined || parts["[Content_Types].xml"] === undefined) {
        return yield* new DocumentFailure({
          message: `The file is no ${format.name}: the archive holds no ${format.main}`
        })
      }
      const kept = yield* format.kept(parts)
      for (const [name, part] of Object.entries(parts)) {
        if (!format.parts.test(name) || !mayHoldTexts(part)) continue
        parts[name] = yield* translatePart(format, name, part, kept, translator)
        yield* Effect.yieldNow()
      }
      return packed(parts)
    })

/** A Word document: the runs of texts, headers, footers, notes and comments. */
export const docx: FileTranslator = office({
  name: "docx",
  main: "word/document.xml",
  parts: /^word\/[^/]+\.xml$/,
  namespaces: [
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
    "http://purl.oclc.org/ooxml/wordprocessingml/main"
  ],
  paragraphs: ["p"],
  kept: nothing
})

/** A presentation: the texts of slides, notes and diagrams. */
export const pptx: FileTranslator = office({
  name: "pptx",
  main: "ppt/presentation.xml",
  parts: /^ppt\/(slides|notesSlides|diagrams)\/[^/]+\.xml$/,
  namespaces: [
    "http://schemas.openxmlformats.org/drawingml/2006/main",
    "http://purl.oclc.org/ooxml/drawingml/main"
  ],
  paragraphs: ["p"],
  kept: nothing
})

/** A workbook: shared and inline strings, and comments. Column names of tables stay, since formulas name them. */
export const xlsx: FileTranslator = office({
  name: "xlsx",
  main: "xl/workbook.xml",
  parts: /^xl\/(sharedStrings|comments\d*|worksheets\/[^/]+)\.xml$/,
  namespaces: spreadsheet,
  paragraphs: ["si", "is", "text"],
  kept: (parts) =>
    Effect.map(
      Effect.forEach(
        Object.keys(parts).filter((name) => /^xl\/tables\/[^/]+\.xml$/.test(name)),
        (name) => xml.parse(parts[name]!, name)
      ),
      (tables) =>
        new Set(
          tables
            .flatMap((table) => xml.elements(table, spreadsheet, "tableColumn"))
            .map((column) => column.getAttribute("name") ?? "")
        )
    )
})

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")

const declaration = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n`

const openXml = "http://schemas.openxmlformats.org"

/** A Word document of these paragraphs. */
export const docxOf = (paragraphs: ReadonlyArray<string>): Uint8Array =>
  packed({
    "[Content_Types].xml": encoder.encode(
      `${declaration}<Types xmlns="${openXml}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`
    ),
    "_rels/.rels": encoder.encode(
      `${declaration}<Relationships xmlns="${openXml}/package/2006/relationships"><Relationship Id="rId1" Type="${openXml}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`
    ),
    "word/document.xml": encoder.encode(
      `${declaration}<w:document xmlns:w="${openXml}/wordprocessingml/2006/main"><w:body>${paragraphs
        .map((text) => `<w:p><w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`)
        .join("")}</w:body></w:document>`
    )
  })
