/** Files of texts, the same each time, of which some are equal to others: in one file and in several. */

import { mkdirSync, writeFileSync } from "node:fs"
import * as Arr from "effect/Array"

const articles = [
  "All human beings are born free and equal in dignity and rights",
  "Everyone has the right to life, liberty and security of person",
  "No one shall be held in slavery or servitude",
  "Everyone has the right to recognition everywhere as a person before the law",
  "No one shall be subjected to arbitrary arrest, detention or exile"
]

const text = (number: number) => `Item ${number}: ${articles[number % articles.length]}.`

export interface Shape {
  /** Texts that are different. */
  readonly texts: number
  readonly files: number
  /** Every so manieth text is followed by one that another place has too. @default 20 */
  readonly repeated?: number
}

/** Writes CSV and JSON lines in turn. Tells the names of the files and how many texts they have, equal ones counted each time. */
export const write = (folder: string, { files, repeated = 20, texts }: Shape) => {
  mkdirSync(folder, { recursive: true })
  const each = Math.ceil(texts / files)
  let count = 0
  const names = Arr.makeBy(files, (file) => {
    const rows: Array<readonly [string, string]> = []
    for (let number = file * each; number < Math.min(texts, (file + 1) * each); number++) {
      rows.push([`${number}`, text(number)])
      if (number % repeated === 0) rows.push([`${number}-again`, text((number * 7919) % texts)])
    }
    count += rows.length
    const isCsv = file % 2 === 0
    const name = `texts-${String(file).padStart(3, "0")}.${isCsv ? "csv" : "jsonl"}`
    writeFileSync(
      `${folder}/${name}`,
      isCsv
        ? `id,text\n${rows.map(([id, text]) => `${id},"${text}"\n`).join("")}`
        : rows.map(([id, text]) => `${JSON.stringify({ id, text })}\n`).join("")
    )
    return name
  })
  return { names, count }
}
