/** What is to be done. The whole file is read once before anything is sent: a mistake in it costs nothing. */
import { FileSystem, Path } from "@effect/platform"
import { Array as Arr, Chunk, Config, Effect, Stream } from "effect"
import type { Format } from "effect-translate"
import { Formats } from "effect-translate/formats"
import { Failure } from "./failure.js"
import type { Options } from "./options.js"
import * as Unique from "./unique.js"
import { plural } from "./words.js"

export interface Job {
  readonly file: string
  /** The file as the user would write it. */
  readonly name: string
  readonly format: Format.Format
  readonly languages: ReadonlyArray<string>
  /** Where the translated files go. */
  readonly folder: string
  /** The translated file of a language. */
  readonly target: (language: string) => string
  /** A path as the user would write it. */
  readonly shown: (path: string) => string
  /** Texts of the file, for one language. */
  readonly texts: number
  /** Different texts, blanks aside; `undefined` if there are too many to count. */
  readonly unique: number | undefined
}

const survey = (name: string, file: string, format: Format.Format, targetLang: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const unique = Unique.make()
    let texts = 0
    yield* fs.stream(file).pipe(
      format.decode({ file: name, targetLang }),
      Stream.runForEachChunk((parts) =>
        Effect.sync(() => {
          for (const { units } of parts) {
            texts += units.length
            for (const { text } of units) unique.add(text)
          }
        })
      )
    )
    return texts === 0
      ? yield* new Failure({ message: `${name} has no texts: there is nothing to translate.` })
      : { texts, unique: unique.count() }
  })

/** By name, or by the name and the beginning of the file. */
const formatOf = (name: string, file: string, options: Options) =>
  Effect.gen(function* () {
    const formats = Formats.make({
      columns: options.columns.length === 0 ? ["text"] : options.columns,
      select: options.fields.length === 0 ? undefined : options.fields
    })
    if (options.format !== undefined) return yield* Formats.byName(options.format, formats)
    const fs = yield* FileSystem.FileSystem
    const pieces = yield* Stream.runCollect(fs.stream(file, { bytesToRead: 4096 }))
    const head = new TextDecoder().decode(Buffer.concat(Chunk.toReadonlyArray(pieces) as Array<Uint8Array>))
    return yield* Formats.detect({ path: name, head }, formats)
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
    const name = shown(file)
    yield* checkFile(name, file)
    const { format, texts, unique } = yield* formatOf(name, file, options).pipe(
      Effect.bindTo("format"),
      Effect.bind("survey", ({ format }) => survey(name, file, format, options.languages[0]!)),
      Effect.map(({ format, survey }) => ({ format, ...survey })),
      Effect.catchTag(
        "SystemError",
        ({ message }) => new Failure({ message: `${name} cannot be read: ${message}` })
      )
    )
    yield* checkFolder(shown(folder), folder)
    const { ext, name: base } = path.parse(file)
    const job: Job = {
      file,
      name,
      format,
      languages: Arr.dedupe(options.languages),
      folder,
      target: (language) => path.join(folder, `${base}.${language}${ext}`),
      shown,
      texts,
      unique
    }
    return job
  })

export const describe = ({ languages, name, texts }: Job): string =>
  `Translating ${plural(texts, "text")} of ${name} into ${languages.join(", ")}.
The service is an emulator on this machine, which only marks the texts; examples/readme.ts shows the way to the real one.`
