/** Outputs whose records name sources that are not there any more. */
import * as Path from "@effect/platform/Path"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Order from "effect/Order"
import * as Address from "../../storage/Address.js"
import * as canonicalTarget from "./canonicalTarget.js"
import * as columnarFile from "./columnarFile.js"
import * as fileReading from "./fileReading.js"
import * as outputs from "./outputFiles.js"
import type { Options, Problem } from "./outputProblem.js"
import * as recordFiles from "./recordFiles.js"
import type * as recordPlaces from "./recordPlaces.js"

/** An object that can't be looked at counts as there. */
const isThere = (path: string) =>
  Effect.match(outputs.infoOf(path), { onSuccess: (info) => info !== undefined, onFailure: () => true })

/** Records keep addresses of `https:` without the queries by which they were read. */
const isHttp = (source: string): boolean => Address.isAddress(source) && !Address.isObject(source)

/** An output that is there, if its source was one of the check's and is gone. */
const inspect = (
  output: recordFiles.RecordedOutput,
  place: recordPlaces.Place,
  isOwn: (output: string, source: string) => boolean
) =>
  Effect.gen(function* () {
    const paths = yield* Path.Path
    const named = (path: string) => (Address.isAddress(path) ? path : paths.relative("", path))
    const { path, record, targetLang } = output
    if (!(yield* isThere(path))) return Option.none<Problem>()
    const language = targetLang === columnarFile.severalLanguages ? undefined : targetLang
    return yield* recordFiles.sourceOf(output, place).pipe(
      Effect.flatMap((source) =>
        source === undefined || isHttp(source) || !isOwn(path, source)
          ? Effect.succeedNone
          : Effect.map(isThere(source), (isThere) =>
              isThere
                ? Option.none()
                : Option.some<Problem>({
                    kind: "orphaned",
                    source: named(source),
                    output: named(path),
                    targetLang: language,
                    record: named(record)
                  })
            )
      ),
      // A record that is damaged names no source.
      Effect.catchTag("StateUnusable", () => Effect.succeedNone)
    )
  })

const inOrder = Order.mapInput(Order.string, ({ output }: Problem) => output)

/** Finds the outputs in the languages of a check whose sources are gone: files, or objects of buckets. */
export const find = ({ files, isSource, targets }: Options) =>
  Effect.gen(function* () {
    const { dirname } = yield* Path.Path
    const given = yield* Effect.forEach(files, fileReading.outputsOf)
    const own = targets.map(canonicalTarget.canonical)
    const names = given.flatMap(({ outputOf }) => own.map(({ lang, name }) => outputOf(lang, name)))
    const known = new Set(yield* Effect.forEach(names, outputs.absolute))
    const folders = new Set(Array.from(known, (path) => dirname(path)))
    const languages = new Set<string>([...own.map(({ lang }) => lang), columnarFile.severalLanguages])
    const isOwn = (output: string, source: string) =>
      folders.has(dirname(output)) || isSource?.(source) === true
    const places = Arr.dedupeWith(
      given,
      (one, other) => one.stateFolder === other.stateFolder && one.stateRoot === other.stateRoot
    )
    const found = yield* Effect.forEach(places, (place) =>
      Effect.flatMap(recordFiles.outputsIn(place.stateFolder, place.stateRoot), (all) =>
        Effect.forEach(
          all.filter(({ path, targetLang }) => languages.has(targetLang) && !known.has(path)),
          (output) => inspect(output, place, isOwn)
        )
      )
    )
    return Arr.sort(found.flat().flatMap(Option.toArray), inOrder)
  })
