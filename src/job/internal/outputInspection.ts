/** A source and its output as they are. No service is asked. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import { type ColumnarFormat, isColumnar } from "../../format/Columnar.js"
import type { Format, Part } from "../../format/Format.js"
import * as Address from "../../storage/Address.js"
import type { StoreError } from "../../store/StoreError.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as columnarReading from "./columnarReading.js"
import * as columnarRows from "./columnarRows.js"
import * as correctedRows from "./correctedRows.js"
import * as fileReading from "./fileReading.js"
import * as findings from "./findings.js"
import type * as jobTarget from "./jobTarget.js"
import * as outputs from "./outputFiles.js"
import type * as OutputCheck from "./outputProblem.js"
import { decodeOptions, hashOfOptions } from "./partOptions.js"
import * as targetUpdate from "./targetUpdate.js"
import * as unitStatus from "./unitStatus.js"

/** A file, and how it is read. */
export interface Source {
  readonly options: Pick<OutputCheck.Options, "options" | "store">
  readonly file: fileReading.FileOptions
  readonly format: Format
}

/** A file, and its output in a language. */
export interface Place extends Source {
  readonly found: outputs.Found
  readonly target: jobTarget.OwnTarget
}

/** The options of the translation of a file into a language. */
export const translationInto = (
  { file: { maxFileBytes, path, useContext }, format, options: { options } }: Source,
  target: jobTarget.OwnTarget
) => ({
  options: canonicalTarget.optionsFor(target, options),
  format,
  file: Address.shown(path),
  maxFileBytes,
  useContext,
  isOneOfSeveral: true
})

/** The languages of a file's outputs, and the outputs of one that is read from its beginning to its end. */
export const find = (
  { file, format }: Pick<Source, "file" | "format">,
  given: outputs.Options,
  targets: ReadonlyArray<jobTarget.Target>
) =>
  Effect.gen(function* () {
    const own = targets.map(canonicalTarget.canonical)
    const all = yield* outputs.findAll(own, yield* fileReading.infoOf(file.path), format, given)
    return all.map((found, index) => ({ found, target: own[index]! }))
  })

/** True for rows as they were written: all that a person has written in them is in the store. */
const isOfRows = ({ hash, state }: outputs.Output) =>
  state === undefined || state.units !== undefined || (state.onlyHere ?? []).length > 0
    ? Effect.succeed(false)
    : Effect.map(hash, (hash) => hash === state.written)

/** The content of an output that is updated; none of one that a run with another format has left, which is written anew. */
export const readUpdated = (output: outputs.Output, isSource: boolean) =>
  output.existing === undefined || isSource
    ? Effect.succeed(undefined)
    : Effect.flatMap(isOfRows(output), (isAnew) =>
        isAnew ? Effect.succeed(undefined) : outputs.read(output)
      )

/** Reads both files as a whole, and finds the authors of texts that no record tells of in the store. */
export const read = (place: Place, termsOf?: unitStatus.Inspecting["termsOf"]) =>
  Effect.gen(function* () {
    const { isSource, output } = place.found
    const options = translationInto(place, place.target)
    const target = yield* readUpdated(output, isSource)
    const { known, textless } = yield* targetUpdate.read(fileReading.bytesOf(place.file.path), {
      ...options,
      target,
      record: output.state?.units,
      targetFile: output.name
    })
    const unasked: unitStatus.Inspecting = { ...known, choices: { options: hashOfOptions(options) }, termsOf }
    const { store } = place.options
    const found = yield* targetUpdate.find(unasked, { ...options.options, store })
    return { known: { ...unasked, found }, textless, isThere: target !== undefined || isSource }
  })

/** The parts of a source by the keys of their units. */
export const partsOf = ({ source }: Pick<unitStatus.Inspecting, "source">): ReadonlyMap<string, Part> =>
  new Map(source.flatMap((part) => part.units.map(({ key }) => [key, part])))

/** The units of a file that is read as a whole that look wrong, among those that have a translation. */
const inWhole = (judge: findings.Judge, place: Place) =>
  Effect.flatMap(read(place), ({ known }) => {
    const parts = partsOf(known)
    return findings.judged(
      judge,
      unitStatus
        .inspect(known)
        .filter(({ status }) => status !== "missing" && status !== "failed")
        .map(({ translation, unit }) => [unit, translation, parts.get(unit.key)!] as const)
    )
  })

/** The parts of a file that is read at any place, and of a language of its output. */
const columns = (format: ColumnarFormat, { file: { path, version }, found, target }: Place) =>
  Effect.gen(function* () {
    const options = { path, version }
    const file = yield* columnarReading.open(options)
    const columnar = yield* columnarReading.openFor({ format, options }, file, [])
    const output = { path: found.output.path, targetLang: target.lang }
    return columnarRows.parts(format, { file, path, columnar }, output)
  })

/** The units that look wrong in the language of an output as it is, or that a check has not looked at. Nobody is asked. */
export const look = (
  place: Pick<Place, "file" | "format" | "found">,
  options: TranslateStream.Options
): Stream.Stream<findings.JudgedUnit, fileReading.FileError | StoreError, FileSystem.FileSystem> => {
  const { file, format, found } = place
  const { store } = options
  const { checks } = StreamOptions.checksOf(options)
  if (checks.length === 0) return Stream.empty
  const judge = findings.judging(findings.pairing({ format, options }), { checks, store })
  const target = { lang: LanguageCode.canonical(options.targetLang) }
  const own: Place = { ...place, options: { options }, target }
  if (isColumnar(format)) {
    return Stream.unwrapScoped(Effect.map(columns(format, own), (sides) => findings.ofSides(judge, sides)))
  }
  if (format.isStreamed !== true) return Stream.fromIterableEffect(inWhole(judge, own))
  const bytes = {
    source: fileReading.bytesOf(file.path, file.version),
    output: fileReading.bytesOf(found.output.path)
  }
  const languages = decodeOptions(translationInto(own, target))
  return findings.ofSides(judge, correctedRows.streamed(format, languages, bytes, found.output.name)())
}
