/** Files of texts, and whether translations of them are complete: the bare server answers with the texts themselves. */
import { createReadStream, readFileSync } from "node:fs"
import { open } from "node:fs/promises"
import { createInterface } from "node:readline"
import { createGunzip } from "node:zlib"
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from "hyparquet"
import { parquetWriteFile } from "hyparquet-writer"

export type Kind = "csv" | "jsonl"

const kindOf = (path: string): Kind => (/\.csv(\.gz)?$/.test(path) ? "csv" : "jsonl")

/** Which texts a file has: so many of those that come next. Their ids are their numbers in the file. */
interface Texts {
  readonly from: Iterator<string>
  readonly size: number
}

export const write = async (path: string, { from, size }: Texts): Promise<void> => {
  const file = await open(path, "w")
  let block = kindOf(path) === "csv" ? "id,text\n" : ""
  for (let id = 0; id < size; id++) {
    const text: string = from.next().value
    block += kindOf(path) === "csv" ? `${id},"${text}"\n` : `${JSON.stringify({ id: `${id}`, text })}\n`
    if (block.length > 1_000_000) {
      await file.write(block)
      block = ""
    }
  }
  await file.write(block)
  await file.close()
}

const textLinesOf = (path: string) => {
  const bytes = createReadStream(path)
  return createInterface({ input: path.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes })
}

/** A file of `write` as a Parquet file. */
export const toParquet = (csv: string, path: string): void => {
  const rows = readFileSync(csv, "utf8").trimEnd().split("\n").slice(1)
  parquetWriteFile({
    filename: path,
    rowGroupSize: 100_000,
    columnData: [
      { name: "id", type: "INT32", data: rows.map((_, id) => id) },
      { name: "text", type: "STRING", data: rows.map((row) => row.slice(row.indexOf('"') + 1, -1)) }
    ]
  })
}

/** The translations of a Parquet file, each in a line with its id. */
const linesOf = async function* (path: string) {
  const file = await asyncBufferFromFile(path)
  const { row_groups } = await parquetMetadataAsync(file)
  let rowStart = 0
  for (const { num_rows } of row_groups) {
    const rowEnd = rowStart + Number(num_rows)
    const rows = await parquetReadObjects({ file, columns: ["id", "text_de"], rowStart, rowEnd })
    for (const { id, text_de } of rows) yield `${id},${text_de}`
    rowStart = rowEnd
  }
}

/** Fails if a translation is missing, or stands in the wrong place. */
export const check = async (path: string, { from, size }: Texts): Promise<void> => {
  let id = 0
  let lines = 0
  for await (const line of path.endsWith(".parquet") ? linesOf(path) : textLinesOf(path)) {
    if (kindOf(path) === "csv" && lines++ === 0) continue
    const { value } = from.next()
    if (!line.includes(String(id++)) || !line.includes(value)) throw new Error(`${path}: wrong at ${line}`)
  }
  if (id !== size) throw new Error(`${path} has ${id} of ${size} texts`)
}
