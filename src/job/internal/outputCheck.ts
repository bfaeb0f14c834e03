/** What is wrong with outputs that exist: by what is remembered of them, and by checks of their texts. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import { type ColumnarFormat, isColumnar } from "../../format/Columnar.js"
import * as Format from "../../format/Format.js"
import * as LocalePath from "../../format/LocalePath.js"
import * as Address from "../../storage/Address.js"
import type * as JobSource from "../JobSource.js"
import type * as OutputCheck from "../OutputCheck.js"
import * as fileUpdate from "./fileUpdate.js"
import * as Manifest from "./manifest.js"
import * as outputs from "./outputFiles.js"
import { decodeOptions, hashOfOptions } from "./partTranslation.js"
import * as revision from "./revision.js"
import * as sourceFile from "./sourceFile.js"
import * as tableFile from "./tableFile.js"

/** A file, and how it is read. */
interface Source {
  readonly options: OutputCheck.Options
  readonly file: JobSource.FileOptions
  readonly format: Format.Format
  readonly digest: Effect.Effect<string, JobSource.FileError, FileSystem.FileSystem>
}

/** A file, and its output in a language. */
interface Place extends Source {
  readonly found: outputs.Found
}

type Problems<E = JobSource.FileError, R = FileSystem.FileSystem> = Stream.Stream<OutputCheck.Problem, E, R>

const translationInto = (
  {
    file: { maxFileBytes, path, useContext },
    format,
    options: { checks: _, files: _1, targets: _2, terms: _3, ...options }
  }: Source,
  targetLang: string
) => ({
  ...options,
  targetLang,
  format,
  file: Address.shown(path),
  maxFileBytes,
  useContext
})

const translationOf = (place: Place) => translationInto(place, place.found.output.targetLang)

const problem = <A extends object>({ file, found: { output } }: Place, more: A) => ({
  source: Address.shown(file.path),
  output: output.name,
  targetLang: output.targetLang,
  ...more
})

/** What is wrong with a unit. One that has no translation is not checked. */
const problemsOf = (
  place: Place,
  { line, status, translation, unit }: revision.Inspected
): ReadonlyArray<OutputCheck.Problem> => {
  const { checks, sourceLang, terms } = place.options
  const { targetLang } = place.found.output
  if (unit.text.trim() === "") return []
  const at = problem(place, { key: unit.key, line: unit.line, outputLine: line })
  const problems: Array<OutputCheck.Problem> =
    status === "current" ? [] : [{ ...at, kind: status === "changed" ? "stale" : status }]
  if (translation === undefined || status === "missing" || status === "failed") return problems
  const pair = {
    source: unit.text,
    translation,
    sourceLang,
    targetLang,
    glossary: terms?.(targetLang),
    maxCharacters: unit.maxCharacters
  }
  for (const { find } of checks ?? []) {
    problems.push(...find(pair).map((finding) => ({ ...at, kind: "flagged" as const, finding })))
  }
  return problems
}

/** Both files are read whole. */
const ofUpdated = (place: Place) =>
  Effect.gen(function* () {
    const { file, format, found } = place
    const { isSource, output } = found
    const target = output.existing === undefined || isSource ? undefined : yield* outputs.read(output)
    const manifest = output.state?.manifest ?? Manifest.empty
    const options = translationOf(place)
    const { isMerged, ofSource, ofTarget } = yield* fileUpdate.read(sourceFile.bytesOf(file.path), {
      options,
      settings: { target, manifest, targetFile: output.name }
    })
    const choices = { options: hashOfOptions(options) }
    const known = { choices, format, isMerged, manifest, source: ofSource, target: ofTarget }
    const isThere = output.existing !== undefined || isSource
    const inspected = revision
      .inspect(known)
      .map((unit) =>
        isThere ? unit : { ...unit, status: "missing" as const, translation: undefined, line: undefined }
      )
    return Chunk.fromIterable(inspected.flatMap((unit) => problemsOf(place, unit)))
  })

const none: Format.Part = { raw: "", units: [] }

/** The units of a part of a source, and what the same part of the output has of them. */
const inspect = (
  { format: { columnar, isBilingual } }: Place,
  source: Format.Part,
  target: Format.Part
): ReadonlyArray<revision.Inspected> => {
  const targets = revision.unitsOf([target])
  return source.units.map((unit) => {
    const found = targets.get(unit.key)
    const translation = isBilingual ? found?.translation : found?.text
    return {
      unit,
      status: translation === undefined || translation === "" ? "missing" : "current",
      translation,
      // A row is at its place, also where its value is null.
      line: found?.line ?? (columnar !== undefined && target !== none ? unit.line : undefined)
    }
  })
}

/** What is remembered of an output as a whole: no text has failed if it says what it was made of. */
const ofWhole = (place: Place, current: string): Problems =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { format, found } = place
      const { state } = found.output
      const one = (kind: OutputCheck.Kind) => Stream.make<[OutputCheck.Problem]>(problem(place, { kind }))
      // Of a format that does not tell its settings nothing is remembered.
      if (state === undefined || format.settings === undefined) return Stream.empty
      if (state.made === undefined) return one("failed")
      const { options, source } = state.made
      const isStale = (yield* place.digest) !== source
      const isOther = options !== current
      return Stream.concat(
        isStale ? one("stale") : Stream.empty,
        isOther ? one("otherOptions") : Stream.empty
      )
    })
  )

/** What is wrong with the texts of a source where there is no translation. */
const ofMissing = <E, R>(place: Place, source: Stream.Stream<Format.Part, E, R>) =>
  Stream.mapConcat(source, ({ units }) =>
    units.flatMap((unit) =>
      problemsOf(place, { unit, status: "missing", translation: undefined, line: undefined })
    )
  )

/** What is wrong with the texts of a source, of which the output has the same parts. */
const ofParts = <E, R, E2, R2>(
  place: Place,
  source: Stream.Stream<Format.Part, E, R>,
  target: Stream.Stream<Format.Part, E2, R2>
) =>
  Stream.zipAll(source, { other: target, defaultSelf: none, defaultOther: none }).pipe(
    Stream.mapConcat(([source, target]) =>
      inspect(place, source, target).flatMap((unit) => problemsOf(place, unit))
    )
  )

/** Both files are read piece by piece. What is remembered is of the whole output. */
const ofStreamed = (place: Place): Problems => {
  const { file, format, found } = place
  const { existing, name, path, targetLang } = found.output
  const languages = decodeOptions(translationOf(place))
  const decode = format.decode(languages)
  const source = decode(sourceFile.bytesOf(file.path))
  if (existing === undefined) return ofMissing(place, source)
  const own = format.isBilingual ? languages : { ...languages, sourceLang: targetLang }
  const target = format.decode({ ...own, file: name })(sourceFile.bytesOf(path))
  return Stream.concat(ofWhole(place, hashOfOptions(translationOf(place))), ofParts(place, source, target))
}

/** Opens a file that is read at any place. Texts of rows that both have are of one row by their place. */
const openTable = (path: string, format: ColumnarFormat) =>
  Effect.flatMap(tableFile.open({ path }), (file) =>
    tableFile.openFor({ format, options: { path } }, file, [])
  )

/** An output without a column for a language. */
const ofNoColumn = (place: Place, { known, value }: Format.Choice) => {
  const { name, targetLang } = place.found.output
  const message = `it has no column ${JSON.stringify(value)}, but ${known}: translate into ${targetLang}, or name new columns as they were named (outputColumn, --output-column).`
  return Stream.make<[OutputCheck.Problem]>(
    problem(place, { kind: "missing", error: Format.formatError(place.format.name, name, { message }) })
  )
}

/** The translations of a language are columns of the output, and what is remembered is of all languages in it. */
const ofTable = (
  place: Place,
  opened: ReturnType<typeof openTable>,
  format: ColumnarFormat,
  current: string
): Problems =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const { existing, path, targetLang } = place.found.output
      const source = tableFile.partsOf(yield* opened)
      if (existing === undefined) return ofMissing(place, source)
      const texts = yield* openTable(path, format.columnar.translated(targetLang)).pipe(
        Effect.map((target) => ofParts(place, source, tableFile.partsOf(target))),
        Effect.catchTag("FormatError", (error) =>
          error.choice === undefined ? error : Effect.succeed(ofNoColumn(place, error.choice))
        )
      )
      return Stream.concat(ofWhole(place, current), texts)
    })
  )

/** The outputs of a file that is read at any place: one may be of several languages. */
const ofTables = (source: Source, format: ColumnarFormat, given: outputs.Options) =>
  Effect.gen(function* () {
    const info = yield* sourceFile.infoOf(source.file.path)
    const groups = yield* tableFile.find({ format, outputs: given }, source.options.targets, info)
    const scope = yield* Effect.scope
    const opened = yield* Effect.cached(Scope.extend(openTable(source.file.path, format), scope))
    return groups.flatMap(({ languages, output }) => {
      const targets = languages.map((index) => LanguageCode.canonical(source.options.targets[index]!))
      const hashes = targets.map((targetLang) => hashOfOptions(translationInto(source, targetLang)))
      const current = tableFile.hashOfAll(targets, hashes)!
      return targets.map((targetLang) => {
        const found = { output: { ...output, targetLang }, isSource: false }
        return { found, problems: ofTable({ ...source, found }, opened, format, current) }
      })
    })
  })

/** The outputs of a file that is read from its beginning to its end. */
const ofFiles = (source: Source, given: outputs.Options) =>
  Effect.gen(function* () {
    const { file, format, options } = source
    const targets = options.targets.map(LanguageCode.canonical)
    const all = yield* outputs.findAll(targets, yield* sourceFile.infoOf(file.path), format, given)
    return all.map((found) => {
      const place = { ...source, found }
      const problems =
        format.isStreamed === true
          ? ofStreamed(place)
          : Stream.unwrap(Effect.map(ofUpdated(place), Stream.fromChunk))
      return { found, problems }
    })
  })

/** What is wrong with the outputs of a file. One that can't be read is wrong itself, and does not end the others. */
const ofFile = (options: OutputCheck.Options, file: JobSource.FileOptions) => {
  const { existing = "keep", output, path, stateFolder = ".effect-translate" } = file
  const outputOf = typeof output === "function" ? output : LocalePath.make(output).path
  const unreadable = (output: string, targetLang: string | undefined) => (error: JobSource.FileError) =>
    Stream.make<[OutputCheck.Problem]>({
      kind: "unreadable",
      source: Address.shown(path),
      output,
      targetLang,
      error
    })
  return Effect.gen(function* () {
    const format = yield* sourceFile.formatOf(path, file.format)
    const source = { options, file, format, digest: yield* Effect.cached(sourceFile.digestOf(path)) }
    const given = { source: path, outputOf, stateFolder, existing }
    const all = yield* isColumnar(format) ? ofTables(source, format, given) : ofFiles(source, given)
    return Stream.flatMap(Stream.fromIterable(all), ({ found: { output }, problems }) =>
      Stream.catchAll(problems, unreadable(output.name, output.targetLang))
    )
  }).pipe(Stream.unwrapScoped, Stream.catchAll(unreadable(Address.shown(path), undefined)))
}

export const run = (options: OutputCheck.Options) =>
  Stream.flatMap(Stream.fromIterable(options.files), (file) => ofFile(options, file))
