/**
 * Texts as the pages of a column in a row group, written by parts of hyparquet-writer that its documentation does not
 * name: `test/format/PackageParts.test.ts` describes them.
 */
import { ByteWriter } from "hyparquet-writer/src/bytewriter.js"
import { writeDataPageV2 } from "hyparquet-writer/src/datapage.js"
import { snappyCompress } from "hyparquet-writer/src/snappy.js"
import { encoder } from "../../../internal/utf8.js"
import type { NewChunk, NewColumn } from "./footer.js"

/** The approximate size of a page before compression, in bytes. */
const pageBytes = 1_048_576

/** The largest number of rows in a page. */
const pageRows = 20_000

/** The format's numbers of compressions. */
const uncompressed = 0
const snappy = 1

/** Pages that were written, which have no place yet. */
export interface Written extends Omit<NewChunk, "start"> {
  readonly pages: ReadonlyArray<Uint8Array>
}

export interface ColumnWriter {
  /** Takes the next text; `undefined` is null. */
  readonly push: (text: string | undefined) => void
  readonly end: () => Written
}

const encodingOf = ({ isRequired, name }: NewColumn, isCompressed: boolean) => {
  const element = {
    name,
    type: "BYTE_ARRAY",
    repetition_type: isRequired ? "REQUIRED" : "OPTIONAL"
  } as const
  return {
    columnName: name,
    element,
    schemaPath: [{ name: "root" }, element],
    codec: isCompressed ? ("SNAPPY" as const) : ("UNCOMPRESSED" as const),
    compressors: { SNAPPY: snappyCompress },
    stats: false,
    pageSize: pageBytes,
    columnIndex: false,
    offsetIndex: false
  }
}

/** Writes a column. It is compressed by Snappy, unless the texts that it is made of are not compressed either. */
export const make = (column: NewColumn, codecOfSource: number): ColumnWriter => {
  const codec = codecOfSource === uncompressed ? uncompressed : snappy
  const encoding = encodingOf(column, codec === snappy)
  const pages: Array<Uint8Array> = []
  const count = { bytes: 0, uncompressedBytes: 0, values: 0, nulls: 0 }
  let values: Array<Uint8Array | null> = []
  let levels: Array<number> = []
  let size = 0

  const flush = () => {
    if (values.length === 0) return
    const writer = new ByteWriter(pageBytes / 2)
    count.uncompressedBytes += writeDataPageV2({
      writer,
      column: encoding,
      encoding: "PLAIN",
      pageData: {
        values,
        definitionLevels: levels,
        repetitionLevels: [],
        maxDefinitionLevel: column.isRequired ? 0 : 1
      }
    })
    const page = writer.getBytes().slice()
    pages.push(page)
    count.bytes += page.length
    values = []
    levels = []
    size = 0
  }

  return {
    push: (text) => {
      const bytes = text === undefined ? null : encoder.encode(text)
      values.push(bytes)
      if (!column.isRequired) levels.push(bytes === null ? 0 : 1)
      count.values++
      if (bytes === null) count.nulls++
      size += 4 + (bytes?.length ?? 0)
      if (size >= pageBytes || values.length >= pageRows) flush()
    },
    end: () => {
      flush()
      return { ...count, codec, pages }
    }
  }
}
