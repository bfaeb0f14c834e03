import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Translator from "../../../client/Translator.js"
import * as Columnar from "../../../format/Columnar.js"
import * as Compression from "../../../format/Compression.js"
import * as Format from "../../../format/Format.js"
import type * as Formats from "../../../format/Formats.js"
import * as Lines from "../../../format/Lines.js"
import { encoder } from "../../../internal/utf8.js"
import type { ReadError } from "../../../job/FileSourceError.js"
import * as JobSource from "../../../job/JobSource.js"
import type { Slice, SliceSize } from "../../Corpus.js"

/** A range of bytes of a file. It ends where a line does, and so does the one before it. */
const Range = Schema.Struct({
  /** The name of the format, which may have been found by the beginning of the file. */
  format: Schema.String,
  start: Schema.NonNegativeInt,
  end: Schema.NonNegativeInt,
  /** Where the head ends that each slice needs in front of it: the header of CSV. */
  head: Schema.optional(Schema.NonNegativeInt),
  /** The version of an address that was cut. */
  version: Schema.optional(Schema.String)
})

interface Range extends Schema.Schema.Type<typeof Range> {}

const decodeRange = Schema.decodeUnknownOption(Range)

/** Row groups of a file that is read at any place. */
const Groups = Schema.Struct({
  format: Schema.String,
  firstGroup: Schema.NonNegativeInt,
  endGroup: Schema.NonNegativeInt,
  /** The version of an address that was cut. */
  version: Schema.optional(Schema.String)
})

interface Groups extends Schema.Schema.Type<typeof Groups> {}

const decodeGroups = Schema.decodeUnknownOption(Groups)

/** The most bytes of a slice, unless one record is larger: it is read as a whole. */
const maxBytes = 1_048_576

/** A record that is larger is in no slice, as one whose quote is never closed. */
const maxRecordBytes = 16 * maxBytes

const lineBreak = [0x0a, 0x0d]
const byteOrderMark = [0xef, 0xbb, 0xbf]

/** True if there are line breaks and byte order marks only. */
const isBlankBytes = (bytes: Uint8Array, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    if (!lineBreak.includes(bytes[at]!) && !byteOrderMark.includes(bytes[at]!)) return false
  }
  return true
}

/** Makes slices from the bytes of a file, which it does not decode. */
const makeCutter = (
  format: Format.Format,
  { hasHeader, texts }: Format.Records,
  ends: Format.RecordEnds,
  size: SliceSize,
  version: string | undefined
) => {
  let head: number | undefined
  let needsHead = hasHeader
  /** Where the next piece begins. */
  let position = 0
  /** Where the next record begins. */
  let begin = 0
  /** True if there were only line breaks since then. */
  let isBlank = true
  let start = 0
  let count = 0
  let wanted = size()
  let slices: Array<Slice> = []

  const close = () => {
    if (count > 0) {
      const reference: Range = {
        format: format.name,
        start,
        end: begin,
        ...(head === undefined ? undefined : { head }),
        ...(version === undefined ? undefined : { version })
      }
      slices.push({ reference, texts: count, bytes: begin - start })
      wanted = size()
    }
    start = begin
    count = 0
  }

  const endRecord = (end: number) => {
    if (end - begin > maxRecordBytes) {
      close()
      start = end
    } else if (needsHead) {
      if (!isBlank) {
        head = end
        needsHead = false
      }
      start = end
    } else {
      const own = isBlank ? 0 : texts
      if (count + own > wanted || end - start > maxBytes) close()
      count += own
    }
    begin = end
    isBlank = true
  }

  return {
    push: (bytes: Uint8Array): Chunk.Chunk<Slice> => {
      let from = 0
      for (const end of ends(bytes)) {
        isBlank &&= isBlankBytes(bytes, from, end)
        endRecord(position + end)
        from = end
      }
      isBlank &&= isBlankBytes(bytes, from, bytes.length)
      position += bytes.length
      const found = slices
      slices = []
      return Chunk.unsafeFromArray(found)
    },
    end: (): Chunk.Chunk<Slice> => {
      if (begin < position) endRecord(position)
      close()
      return Chunk.unsafeFromArray(slices)
    }
  }
}

/** A file and its options. */
export interface File {
  readonly name: string
  readonly path: string
  readonly version: string | undefined
  readonly useContext: boolean | undefined
  readonly find: JobSource.Detect
  readonly byName: (name: string) => Either.Either<Format.Format, Formats.UnknownFormat>
}

/** Slices of whole row groups: as many as hold the texts that are wanted, or one that holds more. */
const cutGroups = (
  format: Columnar.ColumnarFormat,
  { groups, version }: Effect.Effect.Success<ReturnType<typeof JobSource.groupsOf>>,
  size: SliceSize
): ReadonlyArray<Slice> => {
  const slices: Array<Slice> = []
  let firstGroup = 0
  let texts = 0
  let bytes = 0
  let wanted = size()
  for (const [index, group] of groups.entries()) {
    texts += group.texts
    bytes += group.bytes
    const isLast = index === groups.length - 1
    if (!isLast && texts + groups[index + 1]!.texts <= wanted && bytes < maxBytes) continue
    const reference: Groups = {
      format: format.name,
      firstGroup,
      endGroup: index + 1,
      ...(version === undefined ? undefined : { version })
    }
    if (texts > 0) slices.push({ reference, texts, bytes })
    firstGroup = index + 1
    texts = 0
    bytes = 0
    wanted = size()
  }
  return slices
}

/** Cuts a file whose format knows where its records end. A file of no known format fails with its source, which gives the reason. */
export const cut = (
  { find, path, version }: File,
  size: SliceSize
): Stream.Stream<Slice, ReadError, FileSystem.FileSystem> =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const head = yield* JobSource.headOf(path)
      const format = Either.getOrUndefined(find({ path, head }))
      if (format !== undefined && Columnar.isColumnar(format)) {
        return Stream.fromIterable(
          yield* JobSource.groupsOf({ path, version }, format).pipe(
            Effect.map((found) => cutGroups(format, found, size)),
            Effect.catchTag("FormatError", () => Effect.succeed([]))
          )
        )
      }
      const records = format?.records
      const ends = records?.ends(head)
      if (format === undefined || records === undefined || ends === undefined) return Stream.empty
      // Nothing is known of a place in the middle of a compressed file.
      if (Compression.ofPath(path).compression !== undefined) return Stream.empty
      const file = yield* JobSource.openAt(path, version)
      const cutter = makeCutter(format, records, ends, size, file.version)
      return file.bytes.pipe(
        Stream.flatMap((bytes) => Stream.fromChunk(cutter.push(bytes))),
        Stream.concat(Stream.flatMap(Stream.sync(cutter.end), Stream.fromChunk))
      )
    })
  )

const bytesOf = (path: string, { end, format, head, start, version }: Range) =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { read } = yield* JobSource.openAt(path, version)
      const pieces = [
        // Only the first line of JSON Lines may begin with a byte order mark.
        ...(format === "jsonl" && start > 0 ? [encoder.encode("\n")] : []),
        ...(head === undefined ? [] : [yield* read(0, head)]),
        yield* read(start, end)
      ]
      return Stream.fromIterable(pieces)
    }).pipe(Effect.scoped)
  )

const nothing: JobSource.Written = { state: "partial", stale: [] }

type Fill = JobSource.JobSource<ReadError | Format.FormatError, FileSystem.FileSystem | Translator.Translator>

/** The texts of row groups, if the reference is of some. */
const ofGroups = (
  { byName, name, path, useContext, version }: File,
  reference: unknown
): Option.Option<Fill> =>
  Option.flatMap(
    decodeGroups(reference),
    ({ endGroup: end, firstGroup: from, format, version: cut = version }) =>
      Either.getRight(byName(format)).pipe(
        Option.filter(Columnar.isColumnar),
        Option.map((format) =>
          JobSource.fillGroups({ name, path, version: cut, useContext, format, from, end })
        )
      )
  )

/** The texts of a range of bytes. */
const ofRange = ({ byName, name, path, useContext, version }: File, reference: unknown): Fill => {
  const range = Option.filterMap(decodeRange(reference), (range) =>
    Option.map(Either.getRight(byName(range.format)), (format) => ({ format, range }))
  )
  return JobSource.fill({
    name,
    // A range of a later version of this library can't be read here either.
    format: Option.match(range, { onNone: () => Lines.format, onSome: ({ format }) => format }),
    bytes: Option.match(range, {
      onNone: () => Stream.empty,
      onSome: ({ range }) => bytesOf(path, { ...range, version: range.version ?? version })
    }),
    useContext
  })
}

/**
 * The texts of a slice. A slice that can't be decoded any more, as the file was changed since it was cut, has nothing to
 * translate: the source as a whole reads the file as it is.
 */
export const open = (file: File, reference: unknown): Fill => {
  const source = Option.getOrElse(ofGroups(file, reference), () => ofRange(file, reference))
  return {
    ...source,
    translate: (translations) =>
      source.translate(translations).pipe(
        Effect.map((results) =>
          results.map(
            Either.orElse((error) =>
              Format.isFormatError(error) ? Either.right(nothing) : Either.left(error)
            )
          )
        ),
        Effect.catchIf(Format.isFormatError, () =>
          Effect.succeed(translations.map(() => Either.right(nothing)))
        )
      )
  }
}
