import { parse as parseStrings } from "@plist/openstep.parse"
import { DOMParser, type Document, type Element, type Node } from "@xmldom/xmldom"
import { parse as parseCsv } from "csv-parse/sync"
import { parse as parseProperties } from "dot-properties"
import { po } from "gettext-parser"
import { Parser } from "htmlparser2"
import { load } from "js-yaml"
import { marked, type Token } from "marked"
import { parseSync } from "subtitle"

/**
 * What other parsers than those of the library make of files: all that a translation may not change. They throw what they cannot
 * read.
 */
export type Reader = (text: string) => unknown

/** Names and places of values, without their texts. */
const shapeOf = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(shapeOf)
    : typeof value === "object" && value !== null && !(value instanceof Date)
      ? Object.entries(value).map(([key, member]) => [key, shapeOf(member)])
      : typeof value === "string"
        ? "text"
        : value

const withoutMark = (text: string) => text.replace(/^\uFEFF/, "")

export const json: Reader = (text) => shapeOf(JSON.parse(withoutMark(text)))

export const jsonLines: Reader = (text) =>
  withoutMark(text)
    .split("\n")
    .map((line) => (line.trim() === "" ? line : json(line)))

export const yaml: Reader = (text) => shapeOf(load(withoutMark(text)))

const isPlural = (value: unknown): value is ReadonlyArray<ReadonlyArray<unknown>> =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((pair) => Array.isArray(pair) && /^(zero|one|two|few|many|other)$/.test(String(pair[0])))

/** Plurals have the categories of the language. */
const withoutCategories = (shape: unknown): unknown =>
  isPlural(shape) ? "plural" : Array.isArray(shape) ? shape.map(withoutCategories) : shape

export const rails: Reader = (text) => withoutCategories(yaml(text))

/** Without the number of forms, which is that of the language: `msgfmt --check` counts them. */
export const gettext: Reader = (text) =>
  Object.entries(po.parse(Buffer.from(text)).translations).map(([context, entries]) => [
    context,
    Object.values(entries).map((entry) => [entry.msgid, entry.msgid_plural])
  ])

export const properties: Reader = (text) => Object.keys(parseProperties(text))

/** The parser takes a value: the pairs of a file are a dictionary without its braces. */
export const strings: Reader = (text) => shapeOf(parseStrings(`{${withoutMark(text)}\n}`))

/** Elements with their attributes, but without those that a translation brings. */
const elements =
  (isIgnored: (element: Element) => boolean): Reader =>
  (text) => {
    const found: Array<string> = []
    const walk = (node: Node) => {
      if (node.nodeType === 1) {
        const element = node as Element
        if (isIgnored(element)) return
        found.push(`${element.nodeName} ${[...element.attributes].map(({ name }) => name).join(" ")}`)
      }
      for (let child = node.firstChild; child !== null; child = child.nextSibling) walk(child)
    }
    const document: Document = new DOMParser({
      onError: (level, message) => {
        if (level !== "warning") throw new Error(message)
      }
    }).parseFromString(withoutMark(text), "text/xml")
    walk(document)
    return found
  }

export const xml = elements(() => false)

/** Without targets and segments of targets, and attributes of their state. */
export const xliff: Reader = (text) =>
  (elements(({ nodeName }) => nodeName === "target")(text) as ReadonlyArray<string>).map((element) =>
    element.replace(/ (state|subState|target-language|trgLang|approved)(?= |$)/g, "")
  )

/** Without variants, of which there is one more. */
export const tmx = elements(({ nodeName }) => nodeName === "tuv")

export const html: Reader = (text) => {
  const found: Array<string> = []
  const parser = new Parser({
    onopentag: (name, attributes) => found.push(`<${name} ${Object.keys(attributes).join(" ")}>`),
    onclosetag: (name) => found.push(`</${name}>`),
    oncomment: (data) => found.push(`<!--${data}-->`)
  })
  parser.end(text)
  return found
}

const kindsOf = (tokens: ReadonlyArray<Token>): unknown =>
  tokens.flatMap((token) =>
    // Where texts are cut is up to a parser.
    token.type === "text" || token.type === "escape" || token.type === "space"
      ? []
      : [
          [
            token.type,
            "tokens" in token && token.tokens !== undefined ? kindsOf(token.tokens) : [],
            "items" in token ? kindsOf(token.items as ReadonlyArray<Token>) : []
          ]
        ]
  )

export const markdown: Reader = (text) => kindsOf(marked.lexer(text))

export const cues: Reader = (text) =>
  parseSync(withoutMark(text)).map((node) =>
    node.type === "cue" ? [node.data.start, node.data.end, node.data.settings] : node.type
  )

export const csv =
  (delimiter: string): Reader =>
  (text) =>
    parseCsv(text, { bom: true, delimiter, relax_quotes: true, skip_empty_lines: true }).map(
      (fields) => fields.length
    )

export const lines: Reader = (text) => text.split(/\r\n?|\n/).length
