/**
 * Files on a path that all workers share, as the corpus of a durable job.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type * as Translator from "../client/Translator.js"
import type * as Format from "../format/Format.js"
import * as Formats from "../format/Formats.js"
import * as OutputPath from "../format/OutputPath.js"
import * as columnPattern from "../internal/columnPattern.js"
import { encodings } from "../internal/encodings.js"
import { read } from "../internal/files.js"
import { hash, makeByteHash } from "../internal/hash.js"
import { isFileSourceError, type ReadError, SourceUnreadable } from "../job/FileSourceError.js"
import * as JobSource from "../job/JobSource.js"
import * as Address from "../storage/Address.js"
import * as Corpus from "./Corpus.js"
import type * as CorpusJob from "./CorpusJob.js"
import * as fileSlices from "./internal/corpora/fileSlices.js"
import * as folderGuard from "./internal/corpora/folderGuard.js"

/**
 * The name of this kind of corpus in jobs.
 *
 * @since 0.1.0
 * @category constants
 */
export const name = "files"

const File = Schema.Struct({
  /** The source. A relative path is one from the working directory. An address has neither a user nor a query, as jobs are stored. */
  path: Schema.NonEmptyString,
  /** The version of an address: see {@link pinned}. @default the one that is there when it is read */
  version: Schema.optional(Schema.NonEmptyString),
  /** The path of the output in a language: a pattern such as `locales/{lang}.json`, or the one path of all. */
  output: Schema.NonEmptyString,
  /** Names the file in reports. @default its path */
  name: Schema.optional(Schema.NonEmptyString)
})

const repeated = (values: ReadonlyArray<string>): string | undefined => {
  const seen = new Set<string>()
  return values.find((value) => seen.size === seen.add(value).size)
}

const texts = Schema.Array(Schema.String)

/**
 * Files and the options of `JobSource.file` for reading and writing them, as data. All of it holds for all files.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Options = Schema.Struct({
  files: Schema.NonEmptyArray(File),
  /** The name of the format: see `Formats.byName`. @default found by the name of each file and its beginning */
  format: Schema.optional(
    Schema.String.pipe(
      Schema.filter((format) => {
        const found = Formats.byName(format)
        return found._tag === "Right" || found.left.message
      })
    )
  ),
  /** The columns to translate of CSV, TSV and Parquet files. @default none: such a file is refused */
  columns: Schema.optional(texts),
  /** Columns or paths that tell the rows of CSV, TSV, JSON Lines and Parquet files apart: see `Formats.Options`. @default their places, or their texts */
  key: Schema.optional(texts),
  /** The name of a new column of Parquet files: a pattern. @default "{column}_{lang}" */
  outputColumn: Schema.optional(Schema.String),
  /** The values to translate of JSON, JSON Lines and YAML files. @default all strings; JSON Lines files are refused */
  select: Schema.optional(texts),
  /**
   * Fails at, or skips, lines of JSON Lines that are not JSON, and records of CSV with other fields than the header or
   * quotes that are wrong. @default "fail"
   */
  onBadLine: Schema.optional(Schema.Literal("fail", "skip")),
  /** The framework whose plural forms stand between bars in JSON files: see `Json.Options`. @default the one that texts of a file show */
  plurals: Schema.optional(Schema.Literal("laravel", "vue-i18n")),
  /** The encoding of CSV files: see `Csv.Options`. @default UTF-16 by its mark, or else UTF-8 */
  encoding: Schema.optional(Schema.Literal(...encodings)),
  /** The treatment of an output that exists: see `JobSource.FileOptions`. @default "keep" */
  existing: Schema.optional(Schema.Literal("keep", "overwrite")),
  /** The content of the output in place of a unit that failed. @default "previous" */
  failed: Schema.optional(Schema.Literal("previous", "source", "empty", "drop")),
  /** Marks translations that look wrong for a person to look at, in formats that can say that. @default "none" */
  mark: Schema.optional(Schema.Literal("flagged", "none")),
  /** Keeps or drops units of an output that the source no longer has. @default "keep" */
  removed: Schema.optional(Schema.Literal("keep", "drop")),
  /** The folder of the state of outputs, on the shared path too. @default ".effect-translate" */
  stateFolder: Schema.optional(Schema.NonEmptyString),
  /** The folder from which the state names outputs. @default the folder that holds `stateFolder` */
  stateRoot: Schema.optional(Schema.NonEmptyString),
  /** The largest file, in bytes, of formats that read files as a whole. @default 16777216, which is 16 MiB */
  maxFileBytes: Schema.optional(Schema.Positive.pipe(Schema.int())),
  /** Sends units with the file's notes on them, as `context`. @default false */
  useContext: Schema.optional(Schema.Boolean)
}).pipe(
  Schema.filter(({ columns = [], files, outputColumn }) => {
    const problem = outputColumn && columnPattern.problemOf(outputColumn, columns)
    if (problem !== undefined) return problem
    const secret = files.find(({ path }) => Address.hasSecret(path))
    if (secret !== undefined) {
      return `${Address.shown(secret.path)} has a user or a query, which would be stored with the job: give the workers the right to read it, or copy it to where they may read.`
    }
    const named = repeated(files.map(({ name, path }) => name ?? path))
    if (named !== undefined)
      return `two files have the name ${JSON.stringify(named)}: give each one of its own.`
    const output = repeated(files.map(({ output }) => output))
    return (
      output === undefined || `two files have the output ${JSON.stringify(output)}: give each one of its own.`
    )
  })
)

/**
 * Files, and how they are read and written.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Schema.Schema.Type<typeof Options> {}

/**
 * Why files can't be translated, beside the errors of streams.
 *
 * @since 0.1.0
 * @category errors
 */
export type Error = JobSource.FileError

/**
 * The context for translating files.
 *
 * @since 0.1.0
 * @category models
 */
export type Context = FileSystem.FileSystem | Path.Path | Translator.Translator

const sourceOf = (
  options: Options,
  file: Options["files"][number],
  byName: (name: string) => Either.Either<Format.Format, Formats.UnknownFormat>,
  detect: JobSource.Detect
): Corpus.Source<Error, Context> => {
  const { existing, failed, format, mark, maxFileBytes, removed, stateFolder, useContext } = options
  const { name = file.path, output, path, version } = file
  const find: JobSource.Detect = format === undefined ? detect : () => byName(format)
  const cut = { name, path, version, useContext, find, byName }
  return {
    source: JobSource.file({
      name,
      path,
      version,
      output: OutputPath.make(output as OutputPath.Pattern).path,
      format: find,
      existing,
      failed,
      mark,
      removed,
      stateFolder,
      stateRoot: options.stateRoot,
      maxFileBytes,
      useContext
    }),
    slices: (size) => fileSlices.cut(cut, size),
    slice: (reference) => fileSlices.open(cut, reference)
  }
}

/**
 * Options for reading and writing files on workers.
 *
 * @since 0.1.0
 * @category models
 */
export interface KindOptions {
  /** The name that jobs have of it. @default "files" */
  readonly name?: string | undefined
  /**
   * Absolute paths of the folders that jobs may read and write in. A job that names anything else is refused, and links that lead out of
   * them are not followed. @default all that the worker may
   */
  readonly folders?: ReadonlyArray<string> | undefined
  /**
   * Prefixes of addresses that jobs may read and write: `s3://bucket/in/`, `https://host/path/`. A job that names
   * another one is refused. The workers need a layer of `Storage`. @default none
   */
  readonly sources?: ReadonlyArray<string> | undefined
}

/** True if jobs may use all addresses that they name, else the problem. */
const mayRead = (sources: ReadonlyArray<string>, { files }: Options): true | string => {
  const outside = files
    .flatMap(({ output, path }) => [path, output])
    .filter(Address.isAddress)
    .find((address) => !sources.some((prefix) => Address.isWithin(prefix, address)))
  return (
    outside === undefined ||
    `the workers may not use ${JSON.stringify(outside)}: ${
      sources.length === 0
        ? "name what it begins with when they are started (--sources), and when the job is submitted."
        : `it begins with none of their sources (${sources.join(", ")}).`
    }`
  )
}

const isAllowed =
  (folders: ReadonlyArray<string> | undefined) =>
  ({ files, stateFolder }: Options): true | string => {
    if (folders === undefined) return true
    const outside = files
      .flatMap(({ output, path }) => [path, output])
      .filter((path) => !Address.isAddress(path))
      .find((path) => !folders.some((folder) => folderGuard.isIn(folder, path)))
    const why = `which is in none of their folders (${folders.join(", ")})`
    if (outside !== undefined) {
      return `the workers may not use ${JSON.stringify(outside)}, ${why}: name files in one, or start the workers with other folders.`
    }
    return (
      stateFolder === undefined ||
      folders.some((folder) => folderGuard.isSameOrIn(folder, stateFolder)) ||
      `the workers may not use ${JSON.stringify(stateFolder)}, ${why}, for what they know of outputs: submit the job from one, or name a stateFolder there.`
    )
  }

/** Where it is kept that outputs were written, unless a job says so. */
const stateFolderIn = (folders: ReadonlyArray<string> | undefined): string | undefined =>
  folders?.[0] && `${folders[0].replace(/[/\\]+$/, "")}/.effect-translate`

/**
 * A kind of corpus that is files, in folders that are allowed.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeKind: (options?: KindOptions) => Corpus.Kind<Error, Context> = ({
  folders,
  name: called = name,
  sources = []
} = {}) =>
  Corpus.kind({
    name: called,
    reference: Options.pipe(
      Schema.filter((options) => mayRead(sources, options)),
      Schema.filter(isAllowed(folders))
    ),
    open: (options) =>
      Effect.sync(() => {
        const formats = Formats.make(options)
        const byName = (name: string) => Formats.byName(name, formats)
        const detect: JobSource.Detect = (file) => Formats.detect(file, formats)
        const given = { ...options, stateFolder: options.stateFolder ?? stateFolderIn(folders) }
        const opened = options.files.map((file) => sourceOf(given, file, byName, detect))
        return {
          sources:
            folders === undefined ? opened : opened.map((source) => folderGuard.source(source, folders))
        }
      })
  })

/**
 * The kind of corpus that is files.
 *
 * Each file is a source, and it is translated as by `JobSource.file`. Files of formats that stream (CSV, JSON Lines,
 * lines and paragraphs of text) and Parquet files are cut into slices, unless a worker translates the whole file as one of
 * its steps; a file of another format is one step of one worker. Slices are ranges of bytes that end where records do, or of
 * row groups, so a worker reads only its slice, and the memory it takes does not grow with the file.
 *
 * A file that was changed after it was cut may fill the store with texts that it does not have any more, and a slice that
 * can't be read any more translates nothing. Its outputs are right all the same: the step that writes them reads the file as
 * it is then.
 *
 * A submitter of jobs reads and writes all files that the workers may: run these as a user that has no others, or see
 * `folders` of {@link makeKind}.
 *
 * @since 0.1.0
 * @category constructors
 */
export const kind: Corpus.Kind<Error, Context> = makeKind()

const decode = Schema.decodeUnknown(Options)

const resolved = (options: Options) =>
  Effect.gen(function* () {
    const given = yield* Effect.mapError(
      decode(options),
      ({ message }) =>
        new Corpus.InvalidReference({ kind: name, message: `The files can't be translated: ${message}` })
    )
    const { resolve } = yield* Path.Path
    const absolute = (path: string) => (Address.isAddress(path) ? path : resolve(path))
    return {
      ...given,
      stateFolder: resolve(given.stateFolder ?? ".effect-translate"),
      ...(given.stateRoot === undefined ? undefined : { stateRoot: resolve(given.stateRoot) }),
      files: given.files.map((file) => ({
        path: absolute(file.path),
        ...(file.version === undefined ? undefined : { version: file.version }),
        output: absolute(file.output),
        name: file.name ?? file.path
      }))
    }
  })

/**
 * Files as the corpus of a job. Paths become absolute, as workers may have another working directory: all of them have to
 * find the files there. Fails if two files have the same name or output, or the format is not known; the files themselves
 * are read by workers only. `name` is the name of the kind of the workers, if it has one of its own.
 *
 * @since 0.1.0
 * @category constructors
 */
export const reference: (
  options: Options,
  kindOptions?: Pick<KindOptions, "name">
) => Effect.Effect<CorpusJob.Reference, Corpus.InvalidReference, Path.Path> = (
  options,
  { name: called = name } = {}
) => Effect.map(resolved(options), (reference) => ({ kind: called, reference }))

/**
 * The same files, with the versions of their addresses as they are now: all steps of the job read these, also after a restart, and fail as
 * `SourceChanged` if another one has taken its place.
 *
 * @since 0.1.0
 * @category combinators
 */
export const pinned = (options: Options): Effect.Effect<Options, ReadError, FileSystem.FileSystem> => {
  const [first, ...others] = options.files
  return Effect.map(
    Effect.zip(pin(first), Effect.forEach(others, pin, { concurrency: 8 })),
    ([first, others]): Options => ({ ...options, files: [first, ...others] })
  )
}

const pin = (file: Options["files"][number]) =>
  Address.isAddress(file.path) && file.version === undefined
    ? Effect.scoped(
        Effect.map(JobSource.openAt(file.path), ({ version }): typeof file => ({ ...file, version }))
      )
    : Effect.succeed(file)

/** Files up to this size are known by their content, so that a copy is the same file. */
const smallBytes = 65_536

const fingerprint = ({ path, version }: Pick<Options["files"][number], "path" | "version">) =>
  Effect.gen(function* () {
    if (Address.isAddress(path)) {
      return version ?? (yield* Effect.scoped(JobSource.openAt(path))).version
    }
    const fs = yield* FileSystem.FileSystem
    const { mtime, size } = yield* fs.stat(path)
    if (size > smallBytes) {
      return `${size} ${Option.match(mtime, { onNone: () => "", onSome: (time) => time.getTime() })}`
    }
    const content = makeByteHash()
    yield* read(fs, path).pipe(Stream.runForEach((bytes) => Effect.sync(() => content.update(bytes))))
    return content.digest()
  }).pipe(
    Effect.mapError((error) =>
      isFileSourceError(error) ? error : new SourceUnreadable({ path, reason: error.message })
    )
  )

/**
 * The version of files, as the `revision` of a job: a hash of the content of small ones, of the size and the time of the
 * last change of others, of the versions of addresses, and of the options. Fails with `SourceUnreadable` if a file is
 * missing.
 *
 * @since 0.1.0
 * @category combinators
 */
export const revision = (
  options: Options
): Effect.Effect<string, ReadError | Corpus.InvalidReference, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const { stateFolder: _, stateRoot: __, ...given } = yield* resolved(options)
    const found = yield* Effect.forEach(given.files, fingerprint, { concurrency: 8 })
    return hash(JSON.stringify([given, found]))
  })
