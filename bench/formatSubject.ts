/**
 * Reads a file of rows from memory, changes texts of each, and writes them: with a format of the library, or with its bare
 * parser. Tells the processor time.
 */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Stream from "effect/Stream"
import { Csv } from "effect-translate"
import { Format, JsonLines } from "effect-translate/formats"
import Papa from "papaparse"

export type Way = "format" | "bare"

export type Kind = "csv" | "jsonl" | "jsonl **"

const [kind, way, path] = process.argv.slice(2) as [Kind, Way, string]

const bytes = readFileSync(path)
const pieceSize = 64 * 1024
const pieces = Array.from({ length: Math.ceil(bytes.length / pieceSize) }, (_, index) =>
  bytes.subarray(index * pieceSize, (index + 1) * pieceSize)
)

const translate = (text: string) => `${text} (translated)`

const byFormat = (format: Format.Format): Promise<number> =>
  Stream.fromIterable(pieces).pipe(
    Stream.rechunk(1),
    format.decode({ targetLang: "de" }),
    Stream.map((part) =>
      Either.getOrThrow(
        Format.write(
          part,
          part.units.map(({ text }) => translate(text))
        )
      )
    ),
    Format.encode,
    Stream.runFold(0, (size, written) => size + written.length),
    Effect.runPromise
  )

/** The bare parsers get whole rows: the pieces are cut at line ends. */
const bare = (write: (text: string, isFirst: boolean) => string): number => {
  const decoder = new TextDecoder()
  const encoder = new TextEncoder()
  let rest = ""
  let size = 0
  pieces.forEach((piece, index) => {
    const text = rest + decoder.decode(piece, { stream: true })
    const end = text.lastIndexOf("\n") + 1
    rest = text.slice(end)
    size += encoder.encode(write(text.slice(0, end), index === 0)).length
  })
  return size
}

const writeCsv = (text: string, isFirst: boolean) => {
  const rows = Papa.parse<Array<string>>(text.slice(0, -1), { delimiter: ",", newline: "\n" }).data
  for (let index = isFirst ? 1 : 0; index < rows.length; index++)
    rows[index]![2] = translate(rows[index]![2]!)
  return `${Papa.unparse(rows, { newline: "\n" })}\n`
}

const writeJsonLines = (change: (row: Record<string, unknown>) => void) => (text: string) => {
  let written = ""
  for (const line of text.slice(0, -1).split("\n")) {
    const row = JSON.parse(line)
    change(row)
    written += `${JSON.stringify(row)}\n`
  }
  return written
}

const writeTitle = writeJsonLines((row) => {
  row.title = translate(row.title as string)
})

const writeStrings = writeJsonLines((row) => {
  for (const [key, value] of Object.entries(row)) {
    if (typeof value === "string") row[key] = translate(value)
    else if (Array.isArray(value)) row[key] = value.map(translate)
  }
})

const ways: Record<Kind, Record<Way, () => number | Promise<number>>> = {
  csv: { format: () => byFormat(Csv.make({ columns: ["title"] })), bare: () => bare(writeCsv) },
  jsonl: { format: () => byFormat(JsonLines.make({ select: ["title"] })), bare: () => bare(writeTitle) },
  "jsonl **": { format: () => byFormat(JsonLines.make({ select: ["**"] })), bare: () => bare(writeStrings) }
}

const run = ways[kind][way]
// Until the code is compiled.
await run()
const start = process.cpuUsage()
const size = await run()
const { system, user } = process.cpuUsage(start)
process.send!({ size, seconds: (user + system) / 1e6 })
