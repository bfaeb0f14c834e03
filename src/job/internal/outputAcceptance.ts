/** Texts of outputs that a person says are right: the record takes them as a person's, of the sources as they are now. */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Format from "../../format/Format.js"
import type { StoreError } from "../../store/StoreError.js"
import * as fileReading from "./fileReading.js"
import * as outputInspection from "./outputInspection.js"
import type { Accepted, AcceptOptions } from "./outputProblem.js"
import { type Entry, hashOf, type OutputRecord } from "./record.js"
import * as recordFiles from "./recordFiles.js"
import { recorded } from "./unitMatching.js"
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
  return { ...record, units: recorded(format, entries) }
}

const acceptable: ReadonlySet<unitStatus.Status> = new Set(["unknown", "stale"])

/** Accepts texts of one output. */
const acceptOne = (keys: AcceptOptions["keys"], place: outputInspection.Place) =>
  Effect.gen(function* () {
    const { format, found } = place
    const { name, record, state: before, targetLang } = found.output
    if (format.isStreamed === true || format.columnar !== undefined) {
      return yield* Format.formatError(format.name, name, {
        message:
          "its format has no record of each text: write a text anew in the output, and it is the correction of its source, or give it to the store as one."
      })
    }
    const { known } = yield* outputInspection.read(place)
    const accepted = new Map(
      unitStatus
        .inspect(known)
        .filter(({ status, unit }) => acceptable.has(status) && (keys?.includes(unit.key) ?? true))
        .map((one) => [one.unit.key, one])
    )
    if (accepted.size > 0) {
      const state = {
        ...before,
        written: before?.written,
        made: undefined,
        units: accepting(known, accepted)
      }
      yield* recordFiles.prepare(record)
      yield* recordFiles.replace(record, recordFiles.render(record, state), state)
    }
    return { output: name, targetLang, keys: Array.from(accepted.keys()) } satisfies Accepted
  })

/** Accepts texts of outputs, and tells which. */
export const accept = ({
  files,
  keys,
  targets,
  ...options
}: AcceptOptions): Effect.Effect<
  ReadonlyArray<Accepted>,
  fileReading.FileError | StoreError,
  FileSystem.FileSystem | Path.Path
> =>
  Effect.forEach(files, (file) =>
    Effect.gen(function* () {
      const source = { file, format: yield* fileReading.formatOf(file.path, file.format), options }
      const all = yield* outputInspection.find(source, yield* fileReading.outputsOf(file), targets)
      const there = all.filter(({ found: { isSource, output } }) => isSource || output.existing !== undefined)
      return yield* Effect.forEach(there, (own) => acceptOne(keys, { ...source, ...own }))
    })
  ).pipe(Effect.map((all) => all.flat()))
