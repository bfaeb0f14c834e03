/** Pages of texts, read by parts of hyparquet that its documentation does not name: `test/format/PackageParts.test.ts` describes them. */
import type { CompressionCodec, PageHeader } from "hyparquet"
import { parquetHeader, readPage } from "hyparquet/src/column.js"
import { CompressionCodecs } from "hyparquet/src/constants.js"
import type { ColumnDecoder } from "hyparquet/src/types.js"
import { compressors } from "hyparquet-compressors"

export type { PageHeader } from "hyparquet"

/** A compression by its number in a file. */
export interface Codec {
  readonly name: CompressionCodec
  /** `undefined` if it is not known here; nothing is compressed in an uncompressed page. */
  readonly decompress: ((input: Uint8Array, length: number) => Uint8Array) | undefined
}

/** Nothing stays nothing: for an LZ4 block of it, as of a dictionary of nulls only, the package finds that it is damaged. */
const unlessEmpty =
  (decompress: NonNullable<Codec["decompress"]>): NonNullable<Codec["decompress"]> =>
  (input, length) =>
    length === 0 ? new Uint8Array(0) : decompress(input, length)

/** The compression of a number; `undefined` if the format has none of this number. */
export const codecOf = (number: number): Codec | undefined => {
  const name = CompressionCodecs[number]
  const decompress = name && compressors[name]
  return name && { name, decompress: decompress && unlessEmpty(decompress) }
}

const readerOf = (bytes: Uint8Array) => ({
  view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength),
  offset: 0
})

/** The header at the beginning of bytes, and its length. It throws if they end before. */
export const headerOf = (bytes: Uint8Array): { readonly header: PageHeader; readonly length: number } => {
  const reader = readerOf(bytes)
  const header = parquetHeader(reader)
  return { header, length: reader.offset }
}

/** Makes hyparquet's description of a column. */
export const decoderOf = (
  { isRequired, name }: { readonly isRequired: boolean; readonly name: string },
  { decompress, name: codec }: Codec
): ColumnDecoder => {
  // Without the type of texts the bytes are handed out, of which some may be no UTF-8.
  const element = {
    name,
    type: "BYTE_ARRAY",
    repetition_type: isRequired ? "REQUIRED" : "OPTIONAL"
  } as const
  const root = { name: "root", num_children: 1 }
  const tree = { element, children: [], count: 1, path: [name] }
  return {
    pathInSchema: [name],
    type: "BYTE_ARRAY",
    element,
    schemaPath: [{ element: root, children: [tree], count: 2, path: [] }, tree],
    codec,
    compressors: decompress === undefined ? {} : { [codec]: decompress },
    parsers: {} as ColumnDecoder["parsers"],
    utf8: false
  }
}

/** The values of a page as bytes or null; a value that its dictionary lacks is `undefined`. It throws if the page is damaged. */
export const valuesOf = (
  header: PageHeader,
  bytes: Uint8Array,
  decoder: ColumnDecoder,
  dictionary: ReadonlyArray<unknown> | undefined
): ReadonlyArray<unknown> =>
  Array.from<unknown>(
    readPage(readerOf(bytes), header, decoder, dictionary as Array<unknown> | undefined, undefined, 0).data ??
      []
  )
