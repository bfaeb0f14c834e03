/** What is wrong with outputs that exist: by what is remembered of them, and by checks of their texts. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
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

/** An output, and how its source is read. */
interface Place {
  readonly options: OutputCheck.Options
  readonly file: JobSource.FileOptions
  readonly format: Format.Format
  readonly found: outputs.Found
}

type Problems<E = JobSource.FileError, R = FileSystem.FileSystem> = Stream.Stream<OutputCheck.Problem, E, R>

const translationOf = ({
  file: { maxFileBytes, path, useContext },
  format,
  found,
  options: { checks: _, files: _1, targets: _2, terms: _3, ...options }
}: Place) => ({
  ...options,
  targetLang: found.output.targetLang,
  format,
  file: Address.shown(path),
  maxFileBytes,
  useContext
})

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

/** The units of a part of a source, and what the same part of the output has of them. */
const inspect = (
  { format: { isBilingual } }: Place,
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
      line: found?.line
    }
  })
}

/** What is remembered of an output as a whole: no text has failed if it says what it was made of. */
const ofWhole = (place: Place): Problems =>
  Stream.unwrap(
    Effect.gen(function* () {
      const { file, format, found } = place
      const { state } = found.output
      const one = (kind: OutputCheck.Kind) => Stream.make<[OutputCheck.Problem]>(problem(place, { kind }))
      // Of a format that does not tell its settings nothing is remembered.
      if (state === undefined || format.settings === undefined) return Stream.empty
      if (state.made === undefined) return one("failed")
      const { options, source } = state.made
      const isStale = (yield* sourceFile.hashOf(file.path)) !== source
      const isOther = options !== hashOfOptions(translationOf(place))
      return Stream.concat(
        isStale ? one("stale") : Stream.empty,
        isOther ? one("otherOptions") : Stream.empty
      )
    })
  )

const none: Format.Part = { raw: "", units: [] }

/** Both files are read piece by piece. What is remembered is of the whole output. */
const ofStreamed = (place: Place): Problems => {
  const { file, format, found } = place
  const { existing, name, path, targetLang } = found.output
  const languages = decodeOptions(translationOf(place))
  const decode = format.decode(languages)
  const source = decode(sourceFile.bytesOf(file.path))
  if (existing === undefined) {
    return Stream.mapConcat(source, ({ units }) =>
      units.flatMap((unit) =>
        problemsOf(place, { unit, status: "missing", translation: undefined, line: undefined })
      )
    )
  }
  const own = format.isBilingual ? languages : { ...languages, sourceLang: targetLang }
  const target = format.decode({ ...own, file: name })(sourceFile.bytesOf(path))
  const ofTexts = Stream.zipAll(source, { other: target, defaultSelf: none, defaultOther: none }).pipe(
    Stream.mapConcat(([source, target]) =>
      inspect(place, source, target).flatMap((unit) => problemsOf(place, unit))
    )
  )
  return Stream.concat(ofWhole(place), ofTexts)
}

const ofOutput = (place: Place): Problems =>
  place.format.isStreamed === true
    ? ofStreamed(place)
    : Stream.unwrap(Effect.map(ofUpdated(place), Stream.fromChunk))

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
  const targets = options.targets.map(LanguageCode.canonical)
  return Effect.gen(function* () {
    const format = yield* sourceFile.formatOf(path, file.format)
    if (format.columnar !== undefined) {
      const message = "outputs of this format are not checked: leave the file out."
      return yield* Format.formatError(format.name, path, { message })
    }
    const info = yield* sourceFile.infoOf(path)
    const found = yield* outputs.findAll(targets, info, format, {
      source: path,
      outputOf,
      stateFolder,
      existing
    })
    return Stream.flatMap(Stream.fromIterable(found), (found) =>
      Stream.catchAll(
        ofOutput({ options, file, format, found }),
        unreadable(found.output.name, found.output.targetLang)
      )
    )
  }).pipe(Stream.unwrap, Stream.catchAll(unreadable(Address.shown(path), undefined)))
}

export const run = (options: OutputCheck.Options) =>
  Stream.flatMap(Stream.fromIterable(options.files), (file) => ofFile(options, file))
