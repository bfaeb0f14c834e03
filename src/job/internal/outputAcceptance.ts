/** Texts of outputs that a person says are right: as a person's, or in spite of the findings of checks. Their records tell of it. */
import type * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isColumnar } from "../../format/Columnar.js"
import type { Format } from "../../format/Format.js"
import { hashOf as hashOfFile } from "../../internal/files.js"
import * as Address from "../../storage/Address.js"
import type { StoreError } from "../../store/StoreError.js"
import type { FailedUnit } from "../../stream/FailedUnits.js"
import * as StreamOptions from "../../stream/StreamOptions.js"
import type { StateUnusable } from "../FileSourceError.js"
import * as acceptance from "./acceptance.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as columnarFile from "./columnarFile.js"
import type { FlaggedUnit } from "./contract.js"
import * as fileReading from "./fileReading.js"
import type * as jobTarget from "./jobTarget.js"
import type * as outputs from "./outputFiles.js"
import * as outputInspection from "./outputInspection.js"
import type { Accepted, AcceptOptions, AcceptUnitsOptions } from "./outputProblem.js"
import { streamOptions } from "./partOptions.js"
import { type Entry, empty, hashOf, type OutputRecord } from "./record.js"
import * as recordFiles from "./recordFiles.js"
import * as recordPlaces from "./recordPlaces.js"
import { recorded } from "./unitMatching.js"
import * as unitStatus from "./unitStatus.js"

/** A file, and an output of it in some languages. */
interface Place {
  readonly options: AcceptOptions
  readonly file: fileReading.FileOptions
  readonly format: Format
  readonly found: outputs.Found
  readonly targets: ReadonlyArray<jobTarget.OwnTarget>
}

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
  return { ...record, units: recorded(format, entries) }
}

const acceptable: ReadonlySet<unitStatus.Status> = new Set(["unknown", "stale"])

const isOfRows = ({ columnar, isStreamed }: Format): boolean => isStreamed === true || columnar !== undefined

/** The units of an output and of its source, which is of one language. Rows have no record of each text. */
const readUnits = (place: Place) =>
  Effect.gen(function* () {
    const [target] = place.targets
    if (isOfRows(place.format) || target === undefined) return undefined
    const { known } = yield* outputInspection.read({ ...place, target })
    return { known, target, inspected: unitStatus.inspect(known) }
  })

type Read = Effect.Effect.Success<ReturnType<typeof readUnits>>

/** The texts of an output that become a person's, and its record with them. */
const personsIn = (read: Read, { keys, only }: AcceptOptions) => {
  if (read === undefined || only !== undefined) return undefined
  const accepted = new Map(
    read.inspected
      .filter(({ status, unit }) => acceptable.has(status) && (keys?.includes(unit.key) ?? true))
      .map((one) => [one.unit.key, one])
  )
  return accepted.size === 0
    ? undefined
    : { keys: Array.from(accepted.keys()), units: accepting(read.known, accepted) }
}

/** The units that look wrong in a language of an output: those that the last run has told of, unless something has changed since. */
const flaggedIn = ({ file, format, found, options }: Place, target: jobTarget.OwnTarget) =>
  Effect.gen(function* () {
    const { hash, state } = found.output
    const { made } = state ?? {}
    const { checks, terms } = options
    const isAsTold =
      made?.seen !== undefined &&
      (yield* hash) === state?.written &&
      (yield* fileReading.digestOf(file.path, file.version)) === made.source
    if (isAsTold) return made.seen.flagged.filter(({ targetLang }) => targetLang === target.lang)
    const given = canonicalTarget.optionsFor(target, options.options)
    const flagged = outputInspection.look(
      { file, format, found },
      { ...given, verify: { checks }, glossaryTerms: terms?.(target.lang) }
    )
    return flagged === undefined ? [] : Array.from(yield* Stream.runCollect(flagged))
  })

/** The units of a file that are not sent for their syntax. */
const unreadIn = (read: Read, place: Place): ReadonlyArray<FlaggedUnit> => {
  if (read === undefined) return []
  const notUnderstood = StreamOptions.notUnderstood(
    streamOptions(outputInspection.translationInto(place, read.target))
  )
  return read.inspected
    .filter(({ unit }) => notUnderstood(unit.text) !== undefined)
    .map(({ unit: { key, line, text } }) => ({
      key,
      line,
      text,
      translation: "",
      findings: [acceptance.unread]
    }))
}

/** A finding to accept. */
interface Finding extends acceptance.Accepted {
  readonly key: string
}

/** The findings in units that are to be accepted, and are not yet. */
const findingsOf = (
  flagged: ReadonlyArray<FlaggedUnit>,
  targetLang: string,
  { keys, only }: Pick<AcceptOptions, "keys" | "only">,
  accepted: ReadonlyArray<acceptance.Accepted> | undefined
): ReadonlyArray<Finding> => {
  const filter = acceptance.filter(accepted, targetLang)
  return flagged
    .filter(({ key }) => keys?.includes(key) ?? true)
    .flatMap(({ findings, key, text = "", translation }) =>
      filter(findings, text, translation)
        .filter(({ check }) => only?.includes(check) ?? true)
        .map(({ check }) => ({
          key,
          accepted: check,
          pair: acceptance.pairOf(targetLang, text, translation)
        }))
    )
}

const named = (findings: ReadonlyArray<Finding>): Accepted["findings"] =>
  findings.map(({ accepted, key }) => ({ key, check: accepted }))

const withFindings = (
  state: recordFiles.FileState | undefined,
  findings: ReadonlyArray<Finding>
): recordFiles.FileState["accepted"] =>
  acceptance.distinct([
    ...(state?.accepted ?? []),
    ...findings.map(({ accepted, pair }) => ({ accepted, pair }))
  ])

/** Accepts texts of one output. */
const acceptOne = (place: Place) =>
  Effect.gen(function* () {
    const { format, found, options, targets } = place
    const { name, record, state: before } = found.output
    const read = yield* readUnits(place)
    const persons = personsIn(read, options)
    const unread = unreadIn(read, place)
    const findings = yield* Effect.forEach(targets, (target) =>
      Effect.map(flaggedIn(place, target), (flagged) =>
        findingsOf([...flagged, ...unread], target.lang, options, before?.accepted)
      )
    )
    if (persons !== undefined || findings.some(({ length }) => length > 0)) {
      const units = persons?.units ?? (isOfRows(format) ? undefined : (before?.units ?? empty))
      const state = {
        ...before,
        written: before?.written,
        made: persons === undefined ? before?.made : undefined,
        units,
        accepted: withFindings(before, findings.flat())
      }
      yield* recordFiles.prepare(record)
      yield* recordFiles.replace(record, recordFiles.render(record, state), state)
    }
    return targets.map(
      ({ lang }, index): Accepted => ({
        output: name,
        targetLang: lang,
        keys: persons?.keys ?? [],
        findings: named(findings[index]!)
      })
    )
  })

/** The outputs of a file that are there, with their languages. */
const placesOf = (options: AcceptOptions, file: fileReading.FileOptions) =>
  Effect.gen(function* () {
    const format = yield* fileReading.formatOf(file.path, file.format)
    const given = yield* fileReading.outputsOf(file)
    const targets = options.targets.map(canonicalTarget.canonical)
    const all = isColumnar(format)
      ? yield* columnarFile.find({ format, outputs: given }, targets, yield* fileReading.infoOf(file.path))
      : (yield* outputInspection.find({ file, format }, given, targets)).map(({ found }) => found)
    return all
      .filter(({ isSource, output }) => isSource || output.existing !== undefined)
      .map(
        (found): Place => ({
          options,
          file,
          format,
          found,
          targets: found.languages.map((index) => targets[index]!)
        })
      )
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
    Effect.flatMap(placesOf(options, file), Effect.forEach(acceptOne))
  ).pipe(Effect.map((all) => all.flat(2)))

/** The output of a record, with what is known of it. */
const recordedOutput = (output: recordFiles.RecordedOutput, place: recordPlaces.Place) =>
  Effect.gen(function* () {
    const { path, targetLang } = output
    const source = yield* recordFiles.sourceOf(output, place)
    return { path, targetLang, source }
  })

const isInto = (targetLang: string, unit: FailedUnit): boolean =>
  targetLang === columnarFile.severalLanguages || targetLang === canonicalTarget.langOf(unit.targetLang)

/** Accepts the findings in listed units, where their outputs have a record. */
export const acceptUnits = ({
  units,
  ...place
}: AcceptUnitsOptions): Effect.Effect<
  ReadonlyArray<Accepted>,
  StateUnusable,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.gen(function* () {
    const accepted = units.flatMap(({ accepted, ...unit }) => {
      const findings = unit.reason === "NotUnderstood" ? [acceptance.unread] : (unit.findings ?? [])
      return accepted === true && findings.length > 0 ? [{ ...unit, findings }] : []
    })
    if (accepted.length === 0) return []
    const { resolve } = yield* Path.Path
    const root = yield* recordPlaces.root(place)
    const pathOf = ({ source }: FailedUnit) => (Address.isAddress(source) ? source : resolve(root, source))
    const all = yield* recordFiles.outputsIn(place.stateFolder, place.stateRoot)
    const known = yield* Effect.forEach(all, (output) => recordedOutput(output, place))
    return yield* Effect.forEach(known, ({ path, source, targetLang }) =>
      Effect.gen(function* () {
        const own = accepted.filter((unit) => pathOf(unit) === source && isInto(targetLang, unit))
        if (own.length === 0 || source === undefined) return []
        const record = yield* recordPlaces.locate(place, targetLang, { output: path, source })
        const before = yield* recordFiles.load(
          record,
          Effect.orElseSucceed(hashOfFile(path), () => "")
        )
        const findings = own.flatMap((unit) =>
          findingsOf(
            [{ ...unit, text: unit.text, translation: unit.translation ?? "" }],
            canonicalTarget.langOf(unit.targetLang),
            {},
            before?.accepted
          )
        )
        if (before === undefined || findings.length === 0) return []
        const state = { ...before, accepted: withFindings(before, findings) }
        yield* recordFiles.replace(record, recordFiles.render(record, state), state)
        return [
          {
            output: path,
            targetLang,
            keys: [],
            findings: named(findings)
          }
        ]
      })
    ).pipe(Effect.map((all) => all.flat()))
  })
