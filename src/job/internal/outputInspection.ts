/** A source and its output as they are. No service is asked. */
import * as Effect from "effect/Effect"
import type { Format, Part } from "../../format/Format.js"
import * as Address from "../../storage/Address.js"
import * as canonicalTarget from "./canonicalTarget.js"
import type { FlaggedUnit } from "./contract.js"
import * as fileReading from "./fileReading.js"
import * as findings from "./findings.js"
import type * as jobTarget from "./jobTarget.js"
import * as outputs from "./outputFiles.js"
import type * as OutputCheck from "./outputProblem.js"
import { hashOfOptions } from "./partOptions.js"
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

/** Reads both files as a whole, and finds the authors of texts that no record tells of in the store. */
export const read = (place: Place, termsOf?: unitStatus.Inspecting["termsOf"]) =>
  Effect.gen(function* () {
    const { isSource, output } = place.found
    const options = translationInto(place, place.target)
    const { known, textless } = yield* targetUpdate.read(fileReading.bytesOf(place.file.path), {
      ...options,
      target: output.existing === undefined || isSource ? undefined : yield* outputs.read(output),
      record: output.state?.units,
      targetFile: output.name
    })
    const unasked: unitStatus.Inspecting = { ...known, choices: { options: hashOfOptions(options) }, termsOf }
    const { store } = place.options
    const found = yield* targetUpdate.find(unasked, { ...options.options, store })
    return { known: { ...unasked, found }, textless, isThere: output.existing !== undefined || isSource }
  })

/** The parts of a source by the keys of their units. */
export const partsOf = ({ source }: Pick<unitStatus.Inspecting, "source">): ReadonlyMap<string, Part> =>
  new Map(source.flatMap((part) => part.units.map(({ key }) => [key, part])))

/** The units that look wrong, among those that have a translation. */
export const flagged = (look: findings.Look, known: unitStatus.Inspecting): ReadonlyArray<FlaggedUnit> => {
  const parts = partsOf(known)
  return unitStatus
    .inspect(known)
    .filter(({ status }) => status !== "missing" && status !== "failed")
    .flatMap(({ translation, unit }) => findings.flagged(look, unit, translation, parts.get(unit.key)!))
}
