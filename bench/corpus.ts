/** Texts made on the fly, so that a corpus of any size takes no memory. */
import * as fs from "node:fs"
import Papa from "papaparse"

const paragraphs = (language: string): ReadonlyArray<string> =>
  Papa.parse<{ text: string }>(
    fs.readFileSync(new URL(`../examples/data/udhr.${language}.csv`, import.meta.url), "utf8"),
    { header: true, skipEmptyLines: true }
  ).data.map((row) => row.text)

const lengths = { en: 60, ja: 200 }

export type Language = keyof typeof lengths

/** Distinct texts of about 60 ASCII or 200 Japanese characters, cut from the Declaration of Human Rights. */
export function* texts(language: Language, count: number): Generator<string> {
  const all = paragraphs(language)
    .join(language === "ja" ? "" : " ")
    .replace(/[’“”–—]/g, "'")
  const length = lengths[language]
  for (let i = 0; i < count; i++) {
    const start = (i * 37) % (all.length - length)
    yield `${i} ${all.slice(start, start + length)}`
  }
}

/** Sends the texts and answers with the number of characters that came back. */
export type Subject = (url: string, texts: IterableIterator<string>, concurrency: number) => Promise<number>

/** Groups for a hand-written loop; several workers draw from the one generator. */
export function* batchesOf(texts: Iterable<string>, size: number): Generator<Array<string>> {
  let batch: Array<string> = []
  for (const text of texts) {
    batch.push(text)
    if (batch.length === size) {
      yield batch
      batch = []
    }
  }
  if (batch.length > 0) yield batch
}
