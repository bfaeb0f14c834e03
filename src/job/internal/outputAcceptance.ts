/** Texts of outputs that a person says are right: the record takes them as a person's, of the sources as they are now. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Format from "../../format/Format.js"
import * as OutputPath from "../../format/OutputPath.js"
import * as Address from "../../storage/Address.js"
import type { StoreError } from "../../store/StoreError.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as fileReading from "./fileReading.js"
import type * as jobTarget from "./jobTarget.js"
import * as outputs from "./outputFiles.js"
import type { Accepted, AcceptOptions } from "./outputProblem.js"
import { hashOfOptions } from "./partOptions.js"
import { type Entry, hashOf, type OutputRecord } from "./record.js"
import * as recordFiles from "./recordFiles.js"
import * as targetUpdate from "./targetUpdate.js"
import { recordKeys } from "./unitMatching.js"
import * as unitStatus from "./unitStatus.js"

/** The record of an output after some of its units were accepted, by their keys in the source. */
const accepting = (
  known: unitStatus.Inspecting,
  accepted: ReadonlyMap<string, unitStatus.Inspected>
): OutputRecord => {
  const { found, format, matching, record } = known
  const { entryOf, originOf, targets } = matching
  const sourceOf = new Map(Array.from(matching.sources.keys(), (key) => [originOf(key), key]))
  const entries = Array.from(targets.keys()).flatMap((key): ReadonlyArray<readonly [string, Entry]> => {
    const one = accepted.get(sourceOf.get(key) ?? "")
    const entry: Entry | undefined =
      one === undefined
        ? (found.get(key) ?? entryOf(key))
        : {
            source: hashOf(one.unit.text),
            target: hashOf(one.translation!),
            by: "person",
            text: one.unit.text
          }
    return entry === undefined ? [] : [[key, entry]]
  })
  const keys = recordKeys(
    format,
    entries.map(([key, { source }]) => [key, source])
  )
  return { ...record, units: new Map(entries.map(([key, entry]) => [keys.get(key)!, [entry]])) }
}

const acceptable: ReadonlySet<unitStatus.Status> = new Set(["unknown", "stale"])

/** Accepts texts of one output. */
const acceptOne = (
  { keys, options, store }: AcceptOptions,
  file: fileReading.FileOptions,
  format: Format.Format,
  target: jobTarget.OwnTarget,
  { isSource, output }: outputs.Found
) =>
  Effect.gen(function* () {
    const { name, targetLang } = output
    if (format.isStreamed === true || format.columnar !== undefined) {
      return yield* Format.formatError(format.name, name, {
        message:
          "its format has no record of each text: write a text anew in the output, and it is the correction of its source, or give it to the store as one."
      })
    }
    const reading = {
      options: canonicalTarget.optionsFor(target, options),
      format,
      file: Address.shown(file.path),
      maxFileBytes: file.maxFileBytes,
      useContext: file.useContext,
      isOneOfSeveral: true
    }
    const bytes = output.existing === undefined || isSource ? undefined : yield* outputs.read(output)
    const { known } = yield* targetUpdate.read(fileReading.bytesOf(file.path), {
      ...reading,
      target: bytes,
      record: output.state?.units,
      targetFile: name
    })
    const unasked = { ...known, choices: { options: hashOfOptions(reading) } }
    const all = { ...unasked, found: yield* targetUpdate.find(unasked, { ...reading.options, store }) }
    const accepted = new Map(
      unitStatus
        .inspect(all)
        .filter(({ status, unit }) => acceptable.has(status) && (keys?.includes(unit.key) ?? true))
        .map((one) => [one.unit.key, one])
    )
    if (accepted.size > 0) {
      const before = output.state
      const state = { ...before, written: before?.written, made: undefined, units: accepting(all, accepted) }
      yield* recordFiles.prepare(output.record)
      yield* recordFiles.begin(output.record, state)
      yield* recordFiles.commit(output.record, state)
    }
    return { output: name, targetLang, keys: Array.from(accepted.keys()) } satisfies Accepted
  })

/** Accepts texts of outputs, and tells which. */
export const accept = (
  options: AcceptOptions
): Effect.Effect<
  ReadonlyArray<Accepted>,
  fileReading.FileError | StoreError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.forEach(options.files, (file) =>
    Effect.gen(function* () {
      const { existing = "keep", output, path, stateFolder = ".effect-translate", stateRoot } = file
      const outputOf = typeof output === "function" ? output : OutputPath.make(output).path
      const format = yield* fileReading.formatOf(path, file.format)
      const given = { source: yield* outputs.absolute(path), outputOf, stateFolder, stateRoot, existing }
      const targets = options.targets.map(canonicalTarget.canonical)
      const found = yield* outputs.findAll(targets, yield* fileReading.infoOf(path), format, given)
      const there = found.filter(({ isSource, output }) => isSource || output.existing !== undefined)
      return yield* Effect.forEach(there, (one) =>
        acceptOne(options, file, format, targets[one.languages[0]!]!, one)
      )
    })
  ).pipe(Effect.map((all) => all.flat()))
