/** Files of texts, and whether translations of them are complete: the bare server answers with the texts themselves. */
import { createReadStream } from "node:fs"
import { open } from "node:fs/promises"
import { createInterface } from "node:readline"
import { createGunzip } from "node:zlib"

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

/** Fails if a translation is missing, or stands in the wrong place. */
export const check = async (path: string, { from, size }: Texts): Promise<void> => {
  let id = 0
  let lines = 0
  const bytes = createReadStream(path)
  for await (const line of createInterface({
    input: path.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes
  })) {
    if (kindOf(path) === "csv" && lines++ === 0) continue
    const { value } = from.next()
    if (!line.includes(String(id++)) || !line.includes(value)) throw new Error(`${path}: wrong at ${line}`)
  }
  if (id !== size) throw new Error(`${path} has ${id} of ${size} texts`)
}
