/** The texts of a column in a row group, page by page. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { RandomAccess } from "../../../internal/randomAccess.js"
import type { FormatError } from "../../Format.js"
import { crc32 } from "./crc32.js"
import type { Chunk, TextColumn } from "./footer.js"
import * as pages from "./pages.js"

/** The largest page, in bytes: it is read as a whole. */
const maxPageBytes = 67_108_864

/** The bytes that are read at once. */
const windowBytes = 1_048_576

/** The first guess of how long the header of a page is; it holds the least and the greatest text of the page. */
const headerBytes = 4096

/** Up to which size the content of the first page of a chunk is looked at. */
const shortBytes = 32_768

type Texts = ReadonlyArray<string | null>

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

const toText = (value: unknown): unknown => (value instanceof Uint8Array ? decoder.decode(value) : value)

/** Reads bytes of a chunk, mostly out of earlier reads. */
export const makeWindow = <E, R>(file: RandomAccess<E, R>, end: number, size = windowBytes) => {
  let bytes: Uint8Array = new Uint8Array(0)
  let at = 0
  return (from: number, length: number): Effect.Effect<Uint8Array, E, R> => {
    const to = Math.min(end, from + length)
    const known = () => bytes.subarray(from - at, to - at)
    return from >= at && to <= at + bytes.length
      ? Effect.sync(known)
      : Effect.map(file.read(from, Math.min(end, Math.max(to, from + size))), (read) => {
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

const sizeOf = ({ compressed_page_size, uncompressed_page_size }: pages.PageHeader): number =>
  Math.max(compressed_page_size, uncompressed_page_size)

/** True if a header is plausible: its sizes are trusted when the page is read. */
const isPossible = (header: pages.PageHeader, rowsLeft: number): boolean => {
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
const withCompression = (header: pages.PageHeader): pages.PageHeader => {
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
): Effect.Effect<{ readonly header: pages.PageHeader; readonly end: number }, E | FormatError, R> =>
  Effect.flatMap(read(position, length), (bytes) => {
    const parsed = attempt(() => {
      const { header, length } = pages.headerOf(bytes)
      return { header: withCompression(header), end: position + length }
    }, fail(damaged))
    return bytes.length < length || length >= maxPageBytes
      ? parsed
      : Effect.catchAll(parsed, () => headerAt(read, position, fail, length * 16))
  })

const pageTypes = ["DICTIONARY_PAGE", "DATA_PAGE", "DATA_PAGE_V2"]

const isSize = (size: unknown): boolean => Number.isInteger(size) && (size as number) >= 0

/** Tells a header of a page from other bytes; its content begins at `begin`. */
const isSound = (header: pages.PageHeader, begin: number, { codec, end, values }: Chunk): boolean => {
  const { compressed_page_size: size, uncompressed_page_size: uncompressed } = header
  const page = header.data_page_header ?? header.data_page_header_v2
  const isLast = page !== undefined && begin + size === end
  return (
    [size, uncompressed, page?.num_values ?? 0].every(isSize) &&
    begin + size <= end &&
    (pages.codecOf(codec)?.name !== "UNCOMPRESSED" || size === uncompressed) &&
    (isLast ? page.num_values === values : (page?.num_values ?? 0) <= values)
  )
}

/** Finds out if the content of a page is compressed as its chunk says. One with levels in front of its values is not looked at. */
const isCompressed = (header: pages.PageHeader, bytes: Uint8Array, { codec }: Chunk): boolean => {
  const decompress = pages.codecOf(codec)?.decompress
  const { data_page_header_v2, uncompressed_page_size: size } = header
  return (
    decompress === undefined || data_page_header_v2 !== undefined || decompress(bytes, size).length === size
  )
}

/**
 * Checks that the pages of a chunk begin where they should, up to the first with values. Their content is looked at
 * where it is short.
 */
export const checkFirst = <E, R>(
  read: ReturnType<typeof makeWindow<E, R>>,
  chunk: Chunk,
  fail: Fail
): Effect.Effect<void, E | FormatError, R> => {
  const check = (at: number): Effect.Effect<void, E | FormatError, R> =>
    Effect.gen(function* () {
      if (at >= chunk.end) return yield* fail(damaged)
      const { end: begin, header } = yield* headerAt(read, at, fail)
      const { compressed_page_size: size } = header
      if (!isSound(header, begin, chunk)) return yield* fail(damaged)
      if (size <= shortBytes) {
        const bytes = yield* read(begin, size)
        if (!(yield* attempt(() => isCompressed(header, bytes, chunk), fail(damaged))))
          return yield* fail(damaged)
      }
      const isOfValues = (header.data_page_header ?? header.data_page_header_v2) !== undefined
      if (!isOfValues) return yield* check(begin + size)
      if (![at, chunk.start].includes(chunk.firstValues)) return yield* fail(damaged)
    })
  return chunk.values === 0 ? Effect.void : check(chunk.start)
}

const pageOf = (
  header: pages.PageHeader,
  bytes: Uint8Array,
  decoding: ReturnType<typeof pages.decoderOf>,
  dictionary: Position["dictionary"],
  fail: Fail
) =>
  Effect.flatMap(
    attempt(() => pages.valuesOf(header, bytes, decoding, dictionary), fail(damaged)),
    // A dictionary that lacks a value leaves a gap.
    (values) =>
      values.includes(undefined) ? fail(damaged) : attempt(() => values.map(toText) as Texts, fail(notText))
  )

/** The texts of a chunk, which has to have one in each row. */
export const texts = <E, R>(
  file: RandomAccess<E, R>,
  column: TextColumn,
  chunk: Chunk,
  rows: number,
  fail: Fail
): Stream.Stream<Texts, E | FormatError, R> => {
  const codec = pages.codecOf(chunk.codec)
  if (codec === undefined || (codec.name !== "UNCOMPRESSED" && codec.decompress === undefined)) {
    const name = codec?.name ?? `method ${chunk.codec}`
    return Stream.fail(
      fail(`it is compressed by ${name}, which is not known: compress it by Zstandard or Snappy.`)
    )
  }
  const decoding = pages.decoderOf(column, codec)
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
      if (!pageTypes.includes(header.type)) {
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
