/** The texts of a column in a row group, page by page. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CompressionCodec, PageHeader } from "hyparquet"
import { parquetHeader, readPage } from "hyparquet/src/column.js"
import { CompressionCodecs } from "hyparquet/src/constants.js"
import type { ColumnDecoder } from "hyparquet/src/types.js"
import { compressors } from "hyparquet-compressors"
import type { RandomAccess } from "../../../internal/randomAccess.js"
import type { FormatError } from "../../Format.js"
import { crc32 } from "./crc32.js"
import type { Chunk, TextColumn } from "./footer.js"

/** The largest page, in bytes: it is read as a whole. */
export const maxPageBytes = 67_108_864

/** How much is read at once. */
const windowBytes = 1_048_576

/** The first guess of how long the header of a page is; it holds the least and the greatest text of the page. */
const headerBytes = 4096

type Texts = ReadonlyArray<string | null>

type Decompress = (input: Uint8Array, length: number) => Uint8Array

/** Nothing stays nothing: for an LZ4 block of it, as of a dictionary of nulls only, the package finds that it is damaged. */
const unlessEmpty =
  (decompress: Decompress): Decompress =>
  (input, length) =>
    length === 0 ? new Uint8Array(0) : decompress(input, length)

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const toText = (value: unknown): unknown => (value instanceof Uint8Array ? decoder.decode(value) : value)

const decoderOf = (
  { isRequired, name }: TextColumn,
  codec: CompressionCodec,
  decompress: Decompress | undefined
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
    compressors: decompress === undefined ? {} : { [codec]: unlessEmpty(decompress) },
    parsers: {} as ColumnDecoder["parsers"],
    utf8: false
  }
}

/** Reads bytes of a chunk, mostly out of what was read before. */
const makeWindow = <E, R>(file: RandomAccess<E, R>, end: number) => {
  let bytes: Uint8Array = new Uint8Array(0)
  let at = 0
  return (from: number, length: number): Effect.Effect<Uint8Array, E, R> => {
    const to = Math.min(end, from + length)
    const known = () => bytes.subarray(from - at, to - at)
    return from >= at && to <= at + bytes.length
      ? Effect.sync(known)
      : Effect.map(file.read(from, Math.min(end, Math.max(to, from + windowBytes))), (read) => {
          bytes = read
          at = from
          return known()
        })
  }
}

interface Position {
  readonly at: number
  readonly rows: number
  readonly dictionary: ReadonlyArray<unknown> | undefined
}

const damaged = "a page can't be read: write the file anew, as it is damaged, or of a kind that is not known."

const wrongSum = "a page does not have the checksum of its header: write the file anew, as it is damaged."

const notText = "a value is no UTF-8, so this column is no text: choose another one, or correct the value."

const tooLarge = (bytes: number): string =>
  `a page has ${bytes} bytes, and may have ${maxPageBytes}: write the file with smaller pages.`

/** The error of a chunk. */
export type Fail = (message: string) => FormatError

const sizeOf = ({ compressed_page_size, uncompressed_page_size }: PageHeader): number =>
  Math.max(compressed_page_size, uncompressed_page_size)

/** Whether a header may be one: what it says of sizes is taken for true by what reads the page. */
const isPossible = (header: PageHeader, rowsLeft: number): boolean => {
  const { compressed_page_size, dictionary_page_header, uncompressed_page_size } = header
  const rows = (header.data_page_header ?? header.data_page_header_v2)?.num_values ?? 0
  // The length of a text takes four bytes.
  const entries = dictionary_page_header?.num_values ?? 0
  // A damaged one may have numbers of 64 bits, which are no `number`.
  return (
    [compressed_page_size, uncompressed_page_size, rows, entries].every(
      (n) => Number.isInteger(n) && n >= 0
    ) &&
    rows <= rowsLeft &&
    entries * 4 <= uncompressed_page_size
  )
}

/** The header of a page whose sizes differ, so that it is compressed: Arrow before 3.0 says of such a page that it is not. */
const withCompression = (header: PageHeader): PageHeader => {
  const { compressed_page_size, data_page_header_v2: page, uncompressed_page_size } = header
  return page === undefined || compressed_page_size === uncompressed_page_size
    ? header
    : { ...header, data_page_header_v2: { ...page, is_compressed: true } }
}

const attempt = <A>(evaluate: () => A, error: FormatError): Effect.Effect<A, FormatError> =>
  Effect.try({ try: evaluate, catch: () => error })

/** The header of a page, and where it ends; of a long one a part is not enough. */
const headerAt = <E, R>(
  read: ReturnType<typeof makeWindow<E, R>>,
  position: number,
  fail: Fail,
  length = headerBytes
): Effect.Effect<{ readonly header: PageHeader; readonly end: number }, E | FormatError, R> =>
  Effect.flatMap(read(position, length), (bytes) => {
    const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
    const parsed = attempt(() => {
      const header = withCompression(parquetHeader(reader))
      return { header, end: position + reader.offset }
    }, fail(damaged))
    return bytes.length < length || length >= maxPageBytes
      ? parsed
      : Effect.catchAll(parsed, () => headerAt(read, position, fail, length * 16))
  })

const pageOf = (
  header: PageHeader,
  bytes: Uint8Array,
  decoding: ColumnDecoder,
  dictionary: Position["dictionary"],
  fail: Fail
) => {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  const known = dictionary as Array<unknown> | undefined
  return Effect.flatMap(
    attempt(
      () => Array.from<unknown>(readPage(reader, header, decoding, known, undefined, 0).data ?? []),
      fail(damaged)
    ),
    // A dictionary that lacks a value leaves a gap.
    (values) =>
      values.includes(undefined) ? fail(damaged) : attempt(() => values.map(toText) as Texts, fail(notText))
  )
}

/** The texts of a chunk, which has to have one in each row. */
export const texts = <E, R>(
  file: RandomAccess<E, R>,
  column: TextColumn,
  chunk: Chunk,
  rows: number,
  fail: Fail
): Stream.Stream<Texts, E | FormatError, R> => {
  const codec = CompressionCodecs[chunk.codec]
  const decompress = codec && compressors[codec]
  if (codec === undefined || (codec !== "UNCOMPRESSED" && decompress === undefined)) {
    const name = codec ?? `method ${chunk.codec}`
    return Stream.fail(
      fail(`it is compressed by ${name}, which is not known: compress it by Zstandard or Snappy.`)
    )
  }
  const decoding = decoderOf(column, codec, decompress)
  const read = makeWindow(file, chunk.end)
  const next = (position: Position) =>
    Effect.gen(function* () {
      if (position.rows === rows) return Option.none()
      if (position.at >= chunk.end) return yield* fail(damaged)
      const { end, header } = yield* headerAt(read, position.at, fail)
      if (!isPossible(header, rows - position.rows)) return yield* fail(damaged)
      const size = sizeOf(header)
      if (size > maxPageBytes) return yield* fail(tooLarge(size))
      const after = { ...position, at: end + header.compressed_page_size }
      if (!["DICTIONARY_PAGE", "DATA_PAGE", "DATA_PAGE_V2"].includes(header.type)) {
        return Option.some([[], after] as const)
      }
      const bytes = yield* read(end, header.compressed_page_size)
      if (header.crc !== undefined && header.crc !== crc32(bytes)) return yield* fail(wrongSum)
      const values = yield* pageOf(header, bytes, decoding, position.dictionary, fail)
      if (header.type === "DICTIONARY_PAGE") {
        return Option.some([[], { ...after, dictionary: values }] as const)
      }
      return Option.some([values, { ...after, rows: position.rows + values.length }] as const)
    })
  return Stream.unfoldEffect<Position, Texts, E | FormatError, R>(
    { at: chunk.start, rows: 0, dictionary: undefined },
    next
  )
}
