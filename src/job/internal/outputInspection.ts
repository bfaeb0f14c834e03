/** A source and its output as they are. No service is asked. */
import * as Effect from "effect/Effect"
import type { Format } from "../../format/Format.js"
import * as Address from "../../storage/Address.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as fileReading from "./fileReading.js"
import type * as jobTarget from "./jobTarget.js"
import * as outputs from "./outputFiles.js"
import type * as OutputCheck from "./outputProblem.js"
import { hashOfOptions } from "./partOptions.js"
import * as targetUpdate from "./targetUpdate.js"
import type { Inspecting } from "./unitStatus.js"

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
export const read = (place: Place, termsOf?: Inspecting["termsOf"]) =>
  Effect.gen(function* () {
    const { isSource, output } = place.found
    const options = translationInto(place, place.target)
    const { known, textless } = yield* targetUpdate.read(fileReading.bytesOf(place.file.path), {
      ...options,
      target: output.existing === undefined || isSource ? undefined : yield* outputs.read(output),
      record: output.state?.units,
      targetFile: output.name
    })
    const unasked: Inspecting = { ...known, choices: { options: hashOfOptions(options) }, termsOf }
    const { store } = place.options
    const found = yield* targetUpdate.find(unasked, { ...options.options, store })
    return { known: { ...unasked, found }, textless, isThere: output.existing !== undefined || isSource }
  })
