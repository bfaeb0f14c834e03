/** What is to be done. The whole file is read once before anything is sent: a mistake in it costs nothing. */
import { FileSystem, Path } from "@effect/platform"
import { Array as Arr, Chunk, Config, Effect, Stream } from "effect"
import { Csv } from "effect-translate"
import { Failure } from "./failure.js"
import type { Options } from "./options.js"
import * as Unique from "./unique.js"
import { plural } from "./words.js"

export interface Job {
  readonly file: string
  readonly columns: ReadonlyArray<string>
  readonly delimiter: string
  readonly languages: ReadonlyArray<string>
  /** Where the translated files go. */
  readonly folder: string
  /** The translated file of a language. */
  readonly target: (language: string) => string
  /** A path as the user would write it. */
  readonly shown: (path: string) => string
  /** Texts of the file: its rows times the columns. */
  readonly texts: number
  /** Different texts, blanks aside; `undefined` if there are too many to count. */
  readonly unique: number | undefined
}

const quoted = (names: Iterable<string>) => Array.from(names, (name) => `"${name}"`).join(", ")

const checkColumns = (name: string, columns: ReadonlyArray<string>, record: Record<string, string>) => {
  const missing = columns.filter((column) => !Object.hasOwn(record, column))
  return missing.length === 0
    ? Effect.void
    : new Failure({
        message: `${name} has no column ${quoted(missing)}. Its columns are ${quoted(Object.keys(record))}: choose with --column.`
      })
}

const survey = (name: string, file: string, columns: ReadonlyArray<string>, delimiter: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const unique = Unique.make()
    let rows = 0
    yield* fs.stream(file).pipe(
      Csv.decodeRecords({ delimiter }),
      Stream.runForEachChunk((records) =>
        Effect.gen(function* () {
          if (Chunk.isNonEmpty(records) && rows === 0) {
            yield* checkColumns(name, columns, Chunk.headNonEmpty(records))
          }
          rows += records.length
          for (const record of records) for (const column of columns) unique.add(record[column]!)
        })
      )
    )
    return rows === 0
      ? yield* new Failure({
          message: `${name} has no rows below its header: there is nothing to translate.`
        })
      : { texts: rows * columns.length, unique: unique.count() }
  })

const checkFile = (name: string, file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.stat(file)).pipe(
    Effect.mapError((error) =>
      error._tag === "SystemError" && error.reason === "NotFound"
        ? new Failure({ message: `There is no file ${name}.` })
        : new Failure({ message: `${name} cannot be read: ${error.message}` })
    ),
    Effect.filterOrFail(
      ({ type }) => type === "File",
      () => new Failure({ message: `${name} is not a file.` })
    )
  )

const checkFolder = (name: string, folder: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.zipRight(fs.makeDirectory(folder, { recursive: true }), fs.access(folder, { writable: true }))
  ).pipe(
    Effect.mapError(
      () =>
        new Failure({
          message: `The folder ${name} cannot be written: it is no folder, or belongs to somebody else. Choose another with --out.`
        })
    )
  )

/** Checks all that the user has given. */
export const make = (options: Options) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    // npm runs scripts in the package's folder, and says here where the user is.
    const here = yield* Config.string("INIT_CWD").pipe(Config.withDefault(path.resolve()))
    const shown = (file: string) => {
      const relative = path.relative(here, file)
      return relative === "" || relative.startsWith("..") ? file : relative
    }
    const file = path.resolve(here, options.file)
    const folder = path.resolve(here, options.out)
    const columns = options.columns.length === 0 ? ["text"] : Arr.dedupe(options.columns)
    yield* checkFile(shown(file), file)
    const { texts, unique } = yield* survey(shown(file), file, columns, options.delimiter).pipe(
      Effect.catchTags({
        CsvError: ({ message }) => new Failure({ message: `${shown(file)}: ${message}` }),
        SystemError: ({ message }) => new Failure({ message: `${shown(file)} cannot be read: ${message}` })
      })
    )
    yield* checkFolder(shown(folder), folder)
    const { ext, name } = path.parse(file)
    const job: Job = {
      file,
      columns,
      delimiter: options.delimiter,
      languages: Arr.dedupe(options.languages),
      folder,
      target: (language) => path.join(folder, `${name}.${language}${ext}`),
      shown,
      texts,
      unique
    }
    return job
  })

export const describe = ({ file, languages, shown, texts }: Job): string =>
  `Translating ${plural(texts, "text")} of ${shown(file)} into ${languages.join(", ")}.
The service is an emulator on this machine, which only marks the texts; examples/readme.ts shows the way to the real one.`
