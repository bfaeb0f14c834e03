import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { Selection } from "../../format/Format.js"
import { isMissing, prepareFolderOf, replace as replaceFile, syncFolderOf } from "../../internal/files.js"
import { canonicalJson } from "../../internal/hash.js"
import { reasonWithCode } from "../../internal/systemCauses.js"
import { encoder } from "../../internal/utf8.js"
import * as Address from "../../storage/Address.js"
import * as TranslateSchema from "../../stream/TranslateSchema.js"
import { StateUnusable } from "../FileSourceError.js"
import * as acceptance from "./acceptance.js"
import { NamedTexts } from "./contract.js"
import * as record from "./record.js"
import { extension, folders, type Located, nameOf, type Place, rootOf } from "./recordPlaces.js"

/** A translation that looks wrong. */
const Flagged = Schema.Struct({
  targetLang: Schema.String,
  key: Schema.String,
  line: Schema.optional(Schema.Number),
  text: Schema.String,
  translation: Schema.String,
  findings: Schema.Array(TranslateSchema.Finding)
})

/** All findings of checks in an output, accepted ones included. */
const Seen = Schema.Struct({
  /** The version of what the checks look for. */
  checks: Schema.String,
  flagged: Schema.Array(Flagged),
  /** The blocks of texts in which nothing was found, as hashes. */
  faultless: Schema.optional(Schema.Array(Schema.String))
})

/** The ingredients of a whole output, in which no text is left to translate, or to report: see `upToDate`. */
const Made = Schema.Struct({
  /** The version of the source's bytes: of an object its version, or else their hash. */
  source: Schema.String,
  /** The hash of all else. */
  settings: Schema.String,
  /** The hash of the options among it. */
  options: Schema.String,
  /** The hash of the terms of the glossary among it. */
  terms: Schema.optional(Schema.String),
  /** The revision of the corrections of the store. */
  corrections: Schema.optional(Schema.String),
  /** The policies that all of its translations have passed. */
  policies: Schema.optional(Schema.String),
  /** The counts of its texts for the next run. */
  texts: Schema.Struct({ cached: Schema.Number, skipped: Schema.Number }),
  byPersons: Schema.optional(Schema.Number),
  onlyPlaceholders: Schema.optional(NamedTexts),
  selection: Schema.optional(Selection),
  /** The findings; not known of an output that was made in another clone, or by checks without a version. */
  seen: Schema.optional(Seen)
})

export interface Made extends Schema.Schema.Type<typeof Made> {}

/** A text that has failed, in rows. */
const FailedText = Schema.Struct({ targetLang: Schema.String, key: Schema.String })

/** A committed line for an output of rows: the hash of its bytes, and its ingredients. */
const RowsLine = Schema.Struct({
  output: Schema.String,
  /** The name of the source in records. */
  source: Schema.optional(Schema.String),
  made: Schema.optional(Made),
  /** The texts that have failed; not known if there are many, or if others were not asked for. */
  failed: Schema.optional(Schema.Array(FailedText)),
  /** Marks a person's texts in rows of the output that are in no store: by hashes of their sources and of themselves. */
  onlyHere: Schema.optional(Schema.Array(Schema.String))
})

/** Facts that only save time: which bytes an output has, and what they were made of. Not committed. */
const Cache = Schema.Struct({
  written: Schema.String,
  /** The version that has these bytes, of an object in a bucket. */
  object: Schema.optional(Schema.String),
  made: Schema.optional(Made),
  /** The record that was written with it: git may have replaced that since. */
  record: Schema.String,
  places: Schema.optional(Schema.Array(Schema.String))
})

/** The state of an output: the hash of its bytes, as far as it is known, its ingredients, and the record of its units. */
export interface FileState {
  readonly written: string | undefined
  readonly object?: string | undefined
  readonly made?: Made | undefined
  /** The texts of rows that have failed. @default not known */
  readonly failed?: ReadonlyArray<Schema.Schema.Type<typeof FailedText>> | undefined
  /** Marks a person's texts in rows of the output that are in no store. */
  readonly onlyHere?: ReadonlyArray<string> | undefined
  /** The findings that a person has accepted. @default none */
  readonly accepted?: ReadonlyArray<acceptance.Accepted> | undefined
  /** The record of its units, if its format does not stream. */
  readonly units?: record.OutputRecord | undefined
  /** The record as it is stored; `undefined` if it is to be written again. */
  readonly saved?: string | undefined
  /** Records whose entries it has taken over, if any: of outputs that are gone. */
  readonly movedFrom?: ReadonlyArray<string> | undefined
}

const decodeRows = Schema.decodeUnknownEither(Schema.parseJson(RowsLine))
const decodeCache = Schema.decodeUnknownOption(Schema.parseJson(Cache))

const unusable = (path: string) => (error: PlatformError.PlatformError) =>
  new StateUnusable({ path, reason: reasonWithCode(error) })

/** An output that a record is of: its address or absolute path. */
export interface RecordedOutput {
  readonly path: string
  readonly targetLang: string
  /** The file of its record. */
  readonly record: string
}

/** The outputs that the records of a folder are of; none if there is no such folder. */
export const outputsIn = (
  stateFolder: string,
  stateRoot?: string
): Effect.Effect<ReadonlyArray<RecordedOutput>, never, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const paths = yield* Path.Path
    const { join, resolve, sep } = paths
    const root = rootOf(paths, { stateFolder, stateRoot })
    const records = join(stateFolder, folders.records)
    const files = yield* fs.readDirectory(records, { recursive: true })
    return files.flatMap((file) => {
      const [targetLang = "", ...place] = file.split(sep)
      if (place.length === 0 || !file.endsWith(extension)) return []
      const [first = "", ...rest] = place.map(nameOf)
      const path = first === "s3:" ? `s3://${rest.join("/")}` : resolve(root, first, ...rest)
      return [{ path: path.slice(0, -extension.length), targetLang, record: join(records, file) }]
    })
  }).pipe(Effect.orElseSucceed(() => []))

const read = (path: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(path)).pipe(
    Effect.catchIf(isMissing, () => Effect.succeed(undefined)),
    Effect.mapError(unusable(path))
  )

const isOfRows = (line: string): boolean => line.startsWith(`{"output"`)

/** The lines of a record that may be cut in its last one. */
const wholeLinesOf = (text: string): ReadonlyArray<string> =>
  record.linesOf(text.slice(0, text.lastIndexOf("\n") + 1))

const damaged = (path: string) => () => new StateUnusable({ path, reason: "damaged, or of a newer version" })

/** Records of outputs in a language that are not there any more: they may have been moved. */
const movedInto = (targetLang: string, place: Place) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const all = yield* outputsIn(place.stateFolder, place.stateRoot)
    const gone = yield* Effect.filter(all, (one) =>
      one.targetLang !== targetLang || Address.isAddress(one.path)
        ? Effect.succeed(false)
        : Effect.map(
            Effect.orElseSucceed(fs.exists(one.path), () => true),
            (isThere) => !isThere
          )
    )
    return yield* Effect.forEach(gone, ({ record: path }) =>
      Effect.map(read(path), (text = "") => ({ path, lines: record.linesOf(text) }))
    )
  })

const parse = (path: string, lines: ReadonlyArray<string>) =>
  Either.mapLeft(
    record.parse(lines.filter((line) => !isOfRows(line) && !acceptance.isLine(line))),
    damaged(path)
  )

/** The accepted findings among the lines of records. */
const acceptedIn = (path: string, lines: ReadonlyArray<string>) =>
  Effect.mapBoth(
    Effect.forEach(new Set(lines.filter(acceptance.isLine)), (line) => acceptance.parse(line)),
    { onSuccess: acceptance.distinct, onFailure: damaged(path) }
  )

/**
 * The state of an output. A process may have ended after it wrote the record and before it wrote the output: then the lines of both count,
 * as they do of a record that git has merged, and the output says which of them hold. Of an output without a record, or with other bytes
 * than were written, the lines of records count whose outputs are gone.
 */
export const load = <E, R>(
  { files, place, targetLang }: Located,
  /** `undefined` if there is no output. */
  hashOfOutput: Effect.Effect<string, E, R> | undefined
): Effect.Effect<FileState | undefined, StateUnusable | E, R | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const text = yield* read(files.record)
    const next = yield* read(files.next)
    const isNew = text === undefined && next === undefined
    if (isNew && hashOfOutput === undefined) return undefined
    const moved = isNew ? yield* movedInto(targetLang, place) : []
    if (isNew && moved.length === 0) return undefined
    const own = [...record.linesOf(text ?? ""), ...wholeLinesOf(next ?? "")]
    const cached = yield* Effect.map(
      Effect.orElseSucceed(read(files.cache), () => undefined),
      decodeCache
    )
    const cache = Option.getOrUndefined(cached)
    const past = [...record.linesOf(cache?.record ?? ""), ...moved.flatMap(({ lines }) => lines)]
    const rows = yield* Effect.mapError(
      Effect.forEach(new Set([...own, ...(isNew ? past : [])].filter(isOfRows)), (line) => decodeRows(line)),
      damaged(files.record)
    )
    const saved = next === undefined ? text : undefined
    const movedFrom = moved.map(({ path }) => path)
    const acceptedWith = (moved: ReadonlyArray<{ readonly lines: ReadonlyArray<string> }>) =>
      acceptedIn(files.record, [...own, ...moved.flatMap(({ lines }) => lines)])
    const isUnclear = rows.length > (isNew ? 0 : 1)
    const hash = isUnclear && hashOfOutput !== undefined ? yield* hashOfOutput : undefined
    const row = rows.find(({ output }) => output === hash) ?? (isNew ? undefined : rows.at(-1))
    if (row !== undefined) {
      const { failed, made, onlyHere, output } = row
      const known = cache?.written === output ? cache : undefined
      const { corrections, policies, seen } = known?.made ?? {}
      return {
        written: output,
        object: known?.object,
        accepted: yield* acceptedWith(moved),
        made: made && { ...made, corrections, policies, seen },
        failed,
        onlyHere,
        saved,
        movedFrom
      }
    }
    const units = yield* parse(files.record, own)
    // An output that was moved away, written and moved back has another record than the one at its place.
    const isOther =
      !isNew &&
      hashOfOutput !== undefined &&
      cache !== undefined &&
      cache.object === undefined &&
      cache.written !== (yield* hashOfOutput)
    const away = isOther ? yield* movedInto(targetLang, place) : []
    // As a rule the record is the one that was written last.
    const isCurrent = !isNew && cache?.record === text && next === undefined && away.length === 0
    const before = isCurrent
      ? units
      : yield* parse(files.record, [...past, ...away.flatMap(({ lines }) => lines)])
    return {
      written: cache?.written,
      object: cache?.object,
      accepted: yield* acceptedWith([...moved, ...away]),
      made: cache?.record === text ? cache?.made : undefined,
      units: {
        ...units,
        choices: new Map([...before.choices, ...units.choices]),
        past: before.units,
        places: cache?.places
      },
      saved,
      movedFrom: [...movedFrom, ...away.map(({ path }) => path)]
    }
  })

/** The ingredients as they are committed: without facts that only this clone has. */
const committed = ({ corrections: _, policies: _1, seen: _2, ...made }: Made): Made => made

/** The text of the record of a state. */
export const render = ({ source }: Located, state: FileState): string => {
  const { accepted = [], failed, made, onlyHere, units, written: output } = state
  return record.fileOf(accepted).concat(
    units === undefined
      ? record.fileOf([
          {
            output,
            source,
            made: made && committed(made),
            failed: made === undefined ? failed : undefined,
            onlyHere
          }
        ])
      : record.render({ ...units, file: units.file && { ...units.file, source } })
  )
}

/** Files that tell git what to do with a folder of states: two branches add lines to a record, and what only saves time is left out. */
const forGit = [
  { folder: folders.records, name: ".gitattributes", content: "* merge=union\n" },
  { folder: folders.cache, name: ".gitignore", content: "*\n" }
]

const tellGit = ({ stateFolder }: Place) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { join } = yield* Path.Path
    for (const { content, folder, name } of forGit) {
      const path = join(stateFolder, folder, name)
      const isThere = yield* Effect.mapError(fs.exists(path), unusable(path))
      if (!isThere) yield* replaceFile(path, Stream.succeed(encoder.encode(content)), unusable(path))
    }
  })

/** Checks that a state can be written. */
export const prepare = ({ files: { cache, record } }: Located) =>
  Effect.forEach([record, cache], (path) => Effect.mapError(prepareFolderOf(path), unusable(path)))

/** True if a state is stored as it is. */
export const isSaved = (text: string, state: FileState, saved: FileState | undefined): boolean =>
  saved?.saved === text &&
  saved.written === state.written &&
  saved.object === state.object &&
  canonicalJson(saved.made ?? null) === canonicalJson(state.made ?? null)

/** Writes the record of an output that is about to get its name. */
export const begin = ({ files: { next }, place }: Located, text: string) =>
  Effect.zipRight(
    tellGit(place),
    Effect.flatMap(FileSystem.FileSystem, (fs) => fs.open(next, { flag: "w" })).pipe(
      Effect.flatMap((file) => Effect.zipRight(file.writeAll(encoder.encode(text)), file.sync)),
      Effect.scoped,
      Effect.mapError(unusable(next))
    )
  )

/** A line without the name of the source, which a move changes. */
const unmoved = (line: string): string => (isOfRows(line) ? line.slice(0, line.indexOf(",")) : line)

/** Removes the record of an output that was moved: one of which another record has most lines. */
const removeIfTaken = (path: string, text: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const lines = record.linesOf(yield* fs.readFileString(path)).map(unmoved)
    const own = new Set(record.linesOf(text).map(unmoved))
    if (lines.filter((line) => own.has(line)).length * 2 > lines.length) yield* fs.remove(path)
  })

/** Writes what only saves time. Without it, the next run reads the output again. */
const remember = (cache: string, text: string, { made, object, units, written }: FileState) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => {
    const json = JSON.stringify({ written, object, made, record: text, places: units?.places })
    return Effect.ignore(fs.writeFileString(cache, `${json}\n`))
  })

/** Remembers more of an output that stays as it is, and whose record does. */
export const rememberMade = ({ files: { cache } }: Located, state: FileState, made: Made) =>
  state.saved === undefined ? Effect.void : remember(cache, state.saved, { ...state, made })

/** Makes the record that was begun the one that is true. */
export const commit = ({ files: { cache, next, record } }: Located, text: string, state: FileState) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    // Another process may have written the same output at the same time.
    yield* Effect.catchIf(fs.rename(next, record), isMissing, () => Effect.void)
    yield* syncFolderOf(record)
    yield* remember(cache, text, state)
    yield* Effect.forEach(state.movedFrom ?? [], (path) => Effect.ignore(removeIfTaken(path, text)))
  }).pipe(Effect.mapError(unusable(record)))

/** Replaces the record of an output that stays as it is. */
export const replace = (located: Located, text: string, state: FileState) =>
  Effect.zipRight(begin(located, text), commit(located, text, state))

/** The source that a record names: its address or absolute path. */
export const sourceOf = (
  { record: path }: RecordedOutput,
  place: Place
): Effect.Effect<string | undefined, StateUnusable, FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const lines = record.linesOf((yield* read(path)) ?? "")
    const rows = yield* Effect.mapError(
      Effect.forEach(lines.filter(isOfRows), (line) => decodeRows(line)),
      damaged(path)
    )
    const source = (yield* parse(path, lines)).file?.source ?? rows.at(-1)?.source
    if (source === undefined || Address.isAddress(source)) return source
    return paths.resolve(rootOf(paths, place), source)
  })
