/** A Parquet file, and the same file with new columns. Their chunks come behind all that it has, so nothing of it is moved. */
import * as Arr from "effect/Array"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { concat } from "../../../internal/bytes.js"
import * as columnPattern from "../../../internal/columnPattern.js"
import type { RandomAccess } from "../../../internal/randomAccess.js"
import { encoder } from "../../../internal/utf8.js"
import type { ColumnarFile, OpenOptions, Translated } from "../../Columnar.js"
import * as Format from "../../Format.js"
import * as columnNames from "../columnNames.js"
import * as columnReader from "./columnReader.js"
import * as columnWriter from "./columnWriter.js"
import * as footers from "./footer.js"
import * as footerCheck from "./footerCheck.js"

export interface Options extends OpenOptions {
  readonly format: string
  readonly columns: ReadonlyArray<string>
  /** The names of the columns in keys. */
  readonly names: ReadonlyArray<string>
  readonly outputColumn: string
}

/** The length of the footer, and the mark behind it. */
const endBytes = 8
const mark = "PAR1"
const encryptedMark = "PARE"

const maxFooterBytes = 268_435_456

/** The largest size of a row group's texts with those of all languages, in bytes: they wait in memory until all of them are there. */
const maxGroupBytes = 2_147_483_648

/** The bytes that are copied at once. */
const blockBytes = 262_144

/** The bytes that are read at once for the first page of each column, and the row groups of which they are read at a time. */
const headBytes = 65_536
const groupsAtOnce = 8

/** The parts that are handed on at once. */
const chunkSize = 100

/** The contents of an opened file. */
interface Opened<E, R> {
  readonly file: RandomAccess<E, R>
  readonly footer: footers.Footer
  /** Where the footer begins. */
  readonly end: number
  readonly columns: ReadonlyArray<footers.TextColumn>
  /** The columns as keys call them. */
  readonly names: ReadonlyArray<string>
  readonly selection: Format.Selection
  /** Of each row group the chunk of each column. */
  readonly chunks: ReadonlyArray<ReadonlyArray<footers.Chunk>>
  readonly options: Options
}

const problem = ({ file, format }: Options, message: string): Format.FormatError =>
  Format.formatError(format, file, { message })

/** Turns a fault of a footer, which shows where it is used, into a problem. */
const attempt = <A>(options: Options, evaluate: () => A) =>
  Effect.try({ try: evaluate, catch: () => problem(options, "its footer can't be read: it is damaged.") })

const readFooter = <E, R>(file: RandomAccess<E, R>, options: Options) =>
  Effect.gen(function* () {
    const fail = (message: string) => problem(options, message)
    const last = yield* file.read(Math.max(0, file.size - endBytes), file.size)
    const found = new TextDecoder().decode(last.subarray(4))
    if (found === encryptedMark) return yield* fail("its footer is encrypted: decrypt the file first.")
    if (last.length < endBytes || found !== mark) {
      return yield* fail("it does not end as a Parquet file does: it is cut, or of another format.")
    }
    const length = new DataView(last.buffer, last.byteOffset).getUint32(0, true)
    const end = file.size - endBytes - length
    if (end < mark.length) return yield* fail("its footer begins before the file: it is damaged.")
    if (length > maxFooterBytes) {
      return yield* fail(`its footer has ${length} bytes, and may have ${maxFooterBytes}.`)
    }
    const bytes = yield* file.read(end, end + length)
    const footer = yield* attempt(options, () => footers.read(bytes))
    if (yield* attempt(options, () => footers.isEncrypted(footer)))
      return yield* fail("columns of it are encrypted: decrypt the file first.")
    const wrong = yield* attempt(options, () => footerCheck.problemOf(footer, mark.length, end))
    return wrong === undefined ? { footer, end } : yield* fail(wrong)
  })

/** The columns that are translated and their names, or the problem of the chosen ones. */
const findColumns = (
  { names, texts }: footers.Footer,
  { columns: chosen, isOneOfSeveral, names: called, outputColumn, targets }: Options
): Either.Either<Pick<Opened<never, never>, "columns" | "names" | "selection">, Format.Problem> => {
  const known = texts.map(({ name }) => name)
  if (known.length === 0) {
    return Either.left({
      message: `it has no column of texts, but ${columnNames.list(names)}: texts are of the type STRING, one in a row.`
    })
  }
  if (chosen.length === 0) return Either.left(columnNames.noneChosen(known))
  const list = columnNames.list(known)
  const [lacks, columns] = Arr.partition(chosen, (column) => names.includes(column))
  const found = columns.flatMap((column) => texts.find(({ name }) => name === column) ?? [])
  const missing =
    columns.find((column) => !known.includes(column)) ??
    (columns.length === 0 || isOneOfSeveral !== true ? lacks[0] : undefined)
  if (missing !== undefined) {
    return Either.left(
      names.includes(missing)
        ? {
            message: `the column ${JSON.stringify(missing)} is not of texts, one in a row: choose some of ${list}.`
          }
        : {
            choice: { option: "columns", value: missing, known: list },
            message: `it has no column ${JSON.stringify(missing)}, but ${list}: correct \`columns\`.`
          }
    )
  }
  const problem = columnPattern.problemOf(outputColumn, columns)
  if (problem !== undefined) return Either.left({ message: problem })
  const taken = new Set(names)
  const added = targets.flatMap((target) =>
    columns.map((column) => columnNames.translated(outputColumn, column, target))
  )
  for (const name of added) {
    if (taken.has(name)) {
      return Either.left({
        message: `it has a column ${JSON.stringify(name)} already, which translations would go into: rename it, or translate the file that this one was made of.`
      })
    }
    taken.add(name)
  }
  return Either.right({
    columns: found,
    names: columns.map((column) => called[chosen.indexOf(column)]!),
    selection: { option: "columns", found: columns, lacks, known: list, absent: 0, noTexts: 0, keys: [] }
  })
}

/** The chunks of the translated columns, or their problem. */
const findChunks = (
  chunks: ReadonlyArray<footers.Chunk | undefined>,
  columns: ReadonlyArray<footers.TextColumn>,
  languages: number
): Either.Either<ReadonlyArray<footers.Chunk>, string> => {
  const known = columns.flatMap(({ leaf }) => chunks[leaf] ?? [])
  if (known.length < columns.length) return Either.left("is in another file: join both first.")
  const bytes = known.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0) * languages
  return bytes > maxGroupBytes
    ? Either.left(
        `has ${bytes} bytes of texts with those of each language, and may have ${maxGroupBytes}: write the file with smaller row groups, or each language into a file of its own.`
      )
    : Either.right(known)
}

/** The chunks of those columns that are translated. The first pages of all columns have to be there: of others nothing more is read. */
const openGroup = <E, R>(
  file: RandomAccess<E, R>,
  { leaves }: footers.Footer,
  columns: ReadonlyArray<footers.TextColumn>,
  options: Options,
  [index, group]: readonly [number, footers.Group]
) =>
  Effect.gen(function* () {
    const place = `row group ${index + 1}`
    const chunks = footers.chunksOf(group)
    const read = columnReader.makeWindow(file, file.size, headBytes)
    for (const [leaf, chunk] of chunks.entries()) {
      if (chunk === undefined) continue
      const column = leaves[leaf]!.path.join(".")
      yield* columnReader.checkFirst(read, chunk, (message) =>
        problem(options, `column ${JSON.stringify(column)}, ${place}: ${message}`)
      )
    }
    return yield* Either.mapLeft(findChunks(chunks, columns, options.targets.length), (message) =>
      problem(options, `${place} ${message}`)
    )
  })

/** A text, or no text. */
const toPart = (text: string | null, row: number, column: string): Format.Part =>
  text === null
    ? { raw: "", units: [] }
    : {
        raw: text,
        units: [{ key: `${row}:${column}`, text, line: row, state: "missing" }],
        write: ([translation]) => Either.right(translation ?? text)
      }

const partsOf = function* (
  texts: ReadonlyArray<string | null>,
  first: number,
  column: string
): Generator<Format.Part> {
  for (let index = 0; index < texts.length; index++) yield toPart(texts[index]!, first + index, column)
}

const parts =
  <E, R>({ chunks, columns, file, footer, names, options }: Opened<E, R>): ColumnarFile<E, R>["parts"] =>
  (group, most = Number.POSITIVE_INFINITY) => {
    const { rows } = footer.groups[group]!
    const before = footer.groups.slice(0, group).reduce((sum, { rows }) => sum + rows, 0)
    return Stream.flatMap(Stream.fromIterable([...columns.entries()]), ([index, column]) => {
      const fail = (message: string) =>
        problem(options, `column ${JSON.stringify(column.name)}, row group ${group + 1}: ${message}`)
      let row = before + 1
      const pages = columnReader.texts(file, column, chunks[group]![index]!, rows, fail)
      const all = Stream.flatMap(pages, (texts) => {
        const first = row
        row += texts.length
        return Stream.fromIteratorSucceed(partsOf(texts, first, names[index]!), chunkSize)
      })
      return most >= rows ? all : Stream.take(all, most)
    })
  }

/** The parts of a language, row group by row group. */
const makeGroups = <E, R>(
  { columns, chunks, footer }: Opened<unknown, unknown>,
  added: ReadonlyArray<footers.NewColumn>,
  pull: Effect.Effect<Chunk.Chunk<Format.Part>, Option.Option<E>, R>
) => {
  let read: ReadonlyArray<Format.Part> = []
  let at = 0
  const next = Effect.map(pull, (parts) => {
    read = Chunk.toReadonlyArray(parts)
    at = 0
  })
  return (group: number) =>
    Effect.gen(function* () {
      const written: Array<columnWriter.Written> = []
      for (const index of columns.keys()) {
        const writer = columnWriter.make(added[index]!, chunks[group]![index]!.codec)
        for (let left = footer.groups[group]!.rows; left > 0; ) {
          if (at === read.length) yield* next
          for (; at < read.length && left > 0; at++, left--) {
            const { raw, units } = read[at]!
            writer.push(units.length === 0 ? undefined : raw)
          }
        }
        written.push(writer.end())
      }
      return written
    })
}

const copy = <E, R>(file: RandomAccess<E, R>, end: number): Stream.Stream<Uint8Array, E, R> =>
  Stream.paginateEffect(0, (start) => {
    const next = Math.min(end, start + blockBytes)
    return Effect.map(
      file.read(start, next),
      (bytes) => [bytes, next < end ? Option.some(next) : Option.none()] as const
    )
  })

const encode =
  <E, R>(opened: Opened<E, R>): ColumnarFile<E, R>["encode"] =>
  <E2, R2>(languages: ReadonlyArray<Translated<E2, R2>>) => {
    const { columns, end, file, footer, options } = opened
    const added = languages.map(({ targetLang }) =>
      columns.map(({ isRequired, name }) => ({
        name: columnNames.translated(options.outputColumn, name, targetLang),
        isRequired
      }))
    )
    const all = added.flat()
    const extended: Array<Uint8Array> = []
    let position = end
    const place = ({ pages: _, ...written }: columnWriter.Written): footers.NewChunk => {
      const start = position
      position += written.bytes
      return { ...written, start }
    }
    const chunks = Stream.unwrapScoped(
      Effect.gen(function* () {
        const readers = yield* Effect.forEach(languages, ({ parts }, index) =>
          Effect.map(Stream.toPull(parts), (pull) => makeGroups(opened, added[index]!, pull))
        )
        return Stream.flatMap(Stream.fromIterable([...footer.groups.entries()]), ([index, group]) =>
          Effect.forEach(readers, (read) => read(index), { concurrency: "unbounded" }).pipe(
            Effect.catchAll(
              // A reader that hands out less than all parts gives the reason by an error.
              Option.match({
                onNone: () => Effect.dieMessage("A text of each row is needed."),
                onSome: Effect.fail
              })
            ),
            Effect.tap((written) =>
              attempt(options, () => {
                extended.push(footers.extendGroup(group, all, written.flat().map(place)))
              })
            ),
            Effect.map((written) => Stream.fromIterable(written.flat().flatMap(({ pages }) => pages))),
            Stream.unwrap
          )
        )
      })
    )
    const rest = Stream.fromEffect(
      attempt(options, () => {
        const bytes = footers.extend(footer, all, extended)
        const length = new Uint8Array(4)
        new DataView(length.buffer).setUint32(0, bytes.length, true)
        return concat([bytes, length, encoder.encode(mark)])
      })
    )
    return copy(file, end).pipe(Stream.concat(chunks), Stream.concat(rest))
  }

export const open = <E, R>(
  file: RandomAccess<E, R>,
  options: Options
): Effect.Effect<ColumnarFile<E, R>, E | Format.FormatError, R> =>
  Effect.gen(function* () {
    const { end, footer } = yield* readFooter(file, options)
    const found = yield* Either.mapLeft(findColumns(footer, options), (problem) =>
      Format.formatError(options.format, options.file, problem)
    )
    const { columns, selection } = found
    const chunks = yield* Effect.forEach(
      footer.groups.entries(),
      (group) => openGroup(file, footer, columns, options, group),
      { concurrency: groupsAtOnce }
    )
    const opened = { ...found, file, footer, end, chunks, options }
    return {
      groups: footer.groups.map(({ rows }, index) => ({
        rows,
        texts: rows * columns.length,
        bytes: chunks[index]!.reduce((sum, { uncompressedBytes }) => sum + uncompressedBytes, 0)
      })),
      selection,
      parts: parts(opened),
      encode: encode(opened)
    }
  })
