import * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as Format from "../../../format/Format.js"
import type * as Formats from "../../../format/Formats.js"
import * as Lines from "../../../format/Lines.js"
import { read } from "../../../internal/files.js"
import { byteLength, encoder } from "../../../internal/utf8.js"
import { SourceUnreadable } from "../../../job/FileSourceError.js"
import * as JobSource from "../../../job/JobSource.js"
import type * as Translator from "../../../stream/Translator.js"
import type { Slice } from "../../Corpus.js"
import { maxTextBytes } from "./sliceSize.js"

/** A range of bytes of a file. It ends where a line does, and so does the one before it. */
const Range = Schema.Struct({
  /** The name of the format, as it may have been found by what the file begins with. */
  format: Schema.String,
  start: Schema.NonNegativeInt,
  end: Schema.NonNegativeInt,
  /** Where the head ends that each slice needs in front of it: the header of CSV. */
  head: Schema.optional(Schema.NonNegativeInt)
})

interface Range extends Schema.Schema.Type<typeof Range> {}

const decodeRange = Schema.decodeUnknownOption(Range)

/** What a slice takes at most of a file that holds much beside its texts, unless one record is larger. */
const maxBytes = 1_048_576

const unreadable =
  (path: string) =>
  (error: { readonly message: string }): SourceUnreadable =>
    new SourceUnreadable({ path, reason: error.message })

/** A byte order mark, and blank lines, in front of the header of a CSV file. */
const isBeforeHeader = (raw: string): boolean => /^[\uFEFF\r\n]*$/.test(raw)

/** Makes slices from the parts of a file. */
const makeCutter = (format: string, texts: number) => {
  let head: number | undefined
  let needsHead = format === "csv"
  /** Where the next part begins. */
  let position = 0
  let start = 0
  let count = 0
  let textBytes = 0
  /** Pieces of a line that is too long are parts too, and no slice begins with one of them. */
  let isAtLine = true
  /** A file that makes one slice only is not cut. */
  let held: Slice | undefined
  let isCut = false
  let slices: Array<Slice> = []

  const close = () => {
    if (count > 0) {
      const reference: Range = {
        format,
        start,
        end: position,
        ...(head === undefined ? undefined : { head })
      }
      if (held !== undefined) slices.push(held)
      isCut ||= held !== undefined
      held = { reference, texts: count }
    }
    start = position
    count = 0
    textBytes = 0
  }

  const add = ({ problem, raw, units }: Format.Part) => {
    // A line that could not be read counts as a text that failed.
    const own = problem === undefined ? units.length : 1
    const bytes = byteLength(raw)
    if (needsHead) {
      position += bytes
      start = position
      if (isBeforeHeader(raw)) return
      head = position
      needsHead = false
      return
    }
    if (own > 0) {
      let length = 0
      for (const { text } of units) length += byteLength(text)
      const isFull =
        count + own > texts || textBytes + length > maxTextBytes || position + bytes - start > maxBytes
      if (isAtLine && (count === 0 || isFull)) close()
      count += own
      textBytes += length
    } else if (isAtLine && position - start > maxBytes) close()
    position += bytes
    isAtLine = raw.endsWith("\n") || raw.endsWith("\r")
  }

  const flush = (): Chunk.Chunk<Slice> => {
    const found = slices
    slices = []
    return Chunk.unsafeFromArray(found)
  }

  return {
    push: (parts: Chunk.Chunk<Format.Part>) => {
      for (const part of Chunk.toReadonlyArray(parts)) add(part)
      return flush()
    },
    end: () => {
      close()
      if (held !== undefined && isCut) slices.push(held)
      return flush()
    }
  }
}

/** The format of a file, if it streams. */
const formatOf = (path: string, find: JobSource.Detect) =>
  Effect.map(JobSource.headOf(path), (head) =>
    // What is of no known format fails with its source, which says why.
    Option.filter(Either.getRight(find({ path, head })), ({ isStreamed }) => isStreamed === true)
  )

/** How a file is read. */
export interface File {
  readonly name: string
  readonly path: string
  readonly useContext: boolean | undefined
  readonly find: JobSource.Detect
  readonly byName: (name: string) => Either.Either<Format.Format, Formats.UnknownFormat>
}

/**
 * Cuts a file of a format that streams. What can't be decoded ends the slices, not the job: the source as a whole meets the same error,
 * and says it as it does without slices.
 */
export const cut = (
  { find, path }: File,
  texts: number
): Stream.Stream<Slice, SourceUnreadable, FileSystem.FileSystem> =>
  Stream.unwrap(
    Effect.map(Effect.all([FileSystem.FileSystem, formatOf(path, find)]), ([fs, found]) => {
      if (Option.isNone(found)) return Stream.empty
      const format = found.value
      const cutter = makeCutter(format.name, texts)
      return Stream.mapError(read(fs, path), unreadable(path)).pipe(
        format.decode({ targetLang: "en" }),
        Stream.mapChunks(cutter.push),
        Stream.catchAll((error) => (Format.isFormatError(error) ? Stream.empty : Stream.fail(error))),
        Stream.concat(Stream.flatMap(Stream.sync(cutter.end), Stream.fromChunk))
      )
    })
  )

/** The bytes of a range, or those that are there. */
const bytesFrom = (file: FileSystem.File, start: number, end: number) =>
  Effect.gen(function* () {
    const bytes = new Uint8Array(Math.max(0, end - start))
    yield* file.seek(FileSystem.Size(start), "start")
    let filled = 0
    while (filled < bytes.length) {
      const count = Number(yield* file.read(bytes.subarray(filled)))
      if (count === 0) break
      filled += count
    }
    return bytes.subarray(0, filled)
  })

const bytesOf = (path: string, { end, format, head, start }: Range) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const file = yield* fs.open(path, { flag: "r" })
      const pieces = [
        // Only the first line of JSON Lines may begin with a byte order mark.
        ...(format === "jsonl" && start > 0 ? [encoder.encode("\n")] : []),
        ...(head === undefined ? [] : [yield* bytesFrom(file, 0, head)]),
        yield* bytesFrom(file, start, end)
      ]
      return Stream.fromIterable(pieces)
    }).pipe(Effect.scoped, Effect.mapError(unreadable(path)))
  )

const nothing: JobSource.Written = { state: "partial", stale: [] }

/**
 * The texts of a slice. A range that can't be decoded any more, as the file was changed since it was cut, has nothing to translate: the
 * source as a whole reads the file as it is.
 */
export const open = (
  { byName, name, path, useContext }: File,
  reference: unknown
): JobSource.JobSource<
  SourceUnreadable | Format.FormatError,
  FileSystem.FileSystem | Translator.Translator
> => {
  const range = Option.filterMap(decodeRange(reference), (range) =>
    Option.map(Either.getRight(byName(range.format)), (format) => ({ format, range }))
  )
  const source: JobSource.JobSource<
    SourceUnreadable | Format.FormatError,
    FileSystem.FileSystem | Translator.Translator
  > = JobSource.fill({
    name,
    // A range of a later version of this library can't be read here either.
    format: Option.match(range, { onNone: () => Lines.format, onSome: ({ format }) => format }),
    bytes: Option.match(range, { onNone: () => Stream.empty, onSome: ({ range }) => bytesOf(path, range) }),
    useContext
  })
  return {
    ...source,
    translate: (translations) =>
      Effect.map(source.translate(translations), (results) =>
        results.map(
          Either.orElse((error) => (Format.isFormatError(error) ? Either.right(nothing) : Either.left(error)))
        )
      )
  }
}
