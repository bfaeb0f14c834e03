/**
 * Makes rows as it goes, translates them with a format that streams, and tells what was read and written, and the peak of this
 * process's memory.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Csv from "../../src/format/Csv.js"
import * as Format from "../../src/format/Format.js"
import * as JsonLines from "../../src/format/JsonLines.js"
import { peakMiB } from "../support/peakMemory.js"

export interface Result {
  readonly read: number
  readonly written: number
  readonly units: number
  readonly peakRssMiB: number
}

const [kind, megabytes] = process.argv.slice(2) as ["csv" | "jsonl", string]

const size = Number(megabytes) * 1_000_000
const rowsPerPiece = 500
const text = 'A cup of "fine" porcelain, white, for tea or coffee; with a saucer. '.repeat(4)
const fields = (id: number) => ({ id, title: `Cup number ${id}`, text })

const formats = {
  csv: {
    format: Csv.make({ columns: ["title"] }),
    header: "id,title,text\n",
    row: (id: number) => `${id},Cup number ${id},"${text.replaceAll('"', '""')}"\n`
  },
  jsonl: {
    format: JsonLines.make({ select: ["title"] }),
    header: "",
    row: (id: number) => `${JSON.stringify(fields(id))}\n`
  }
}

const { format, header, row } = formats[kind]
let read = 0
let units = 0

const source = Stream.unfold(0, (id): Option.Option<readonly [Uint8Array, number]> => {
  if (read >= size) return Option.none()
  let piece = id === 0 ? header : ""
  for (let next = id; next < id + rowsPerPiece; next++) piece += row(next)
  const bytes = new TextEncoder().encode(piece)
  read += bytes.length
  return Option.some([bytes, id + rowsPerPiece] as const)
}).pipe(Stream.rechunk(1))

const written = await source.pipe(
  format.decode({ targetLang: "de" }),
  Stream.map((part) => {
    units += part.units.length
    return Either.getOrThrow(
      Format.write(
        part,
        part.units.map((unit) => `[${unit.text}]`)
      )
    )
  }),
  Format.encode,
  Stream.runFold(0, (sum, bytes) => sum + bytes.length),
  Effect.runPromise
)

const result: Result = { read, written, units, peakRssMiB: peakMiB() }
console.log(JSON.stringify(result))
