/** Code blocks of Markdown files. */
import { readdirSync, readFileSync } from "node:fs"

export interface Block {
  readonly file: string
  /** The line of its first line of code, from 1. */
  readonly line: number
  readonly language: string
  readonly code: string
}

const fence = /^ {0,3}(`{3,}|~{3,})\s*(\S*)/

export const blocksOf = (file: string, markdown: string): ReadonlyArray<Block> => {
  const blocks: Array<Block> = []
  let open: { mark: string; language: string; line: number; code: Array<string> } | undefined
  markdown.split("\n").forEach((text, index) => {
    const [, mark, language = ""] = fence.exec(text) ?? []
    if (open === undefined) {
      if (mark !== undefined) open = { mark, language, line: index + 2, code: [] }
    } else if (mark?.startsWith(open.mark) && language === "") {
      const { code, language, line } = open
      blocks.push({ file, line, language, code: code.map((text) => `${text}\n`).join("") })
      open = undefined
    } else open.code.push(text)
  })
  return blocks
}

/** README.md and everything below docs, relative to the root. */
export const documents = (root: string): ReadonlyArray<string> => [
  "README.md",
  ...readdirSync(`${root}/docs`, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`)
    .sort()
]

export const allBlocks = (root: string): ReadonlyArray<Block> =>
  documents(root).flatMap((file) => blocksOf(file, readFileSync(`${root}/${file}`, "utf8")))
