/** The file of the texts that were not translated: what persons have filled in is taken before a run, and the rest is listed after it. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as FailedUnits from "../../job/FailedUnits.js"
import type * as JobReport from "../../job/JobReport.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import { Usage } from "../failure.js"

const unusable = (file: string) => (error: PlatformError.PlatformError) =>
  new Usage({
    message: `The list of texts that failed, ${file}, can't be used (${error._tag === "SystemError" ? error.reason : error._tag}): name another with --failed-units.`
  })

const isPlatformError = (error: { readonly _tag: string }): error is PlatformError.PlatformError =>
  error._tag === "SystemError" || error._tag === "BadArgument"

/** Gives the store what persons have filled in since the last run, and says how much that was. Without a store it would be lost. */
export const takeCorrections = (file: string, keeps: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* fs.exists(file))) return 0
    const corrections = FailedUnits.corrections(FailedUnits.decode(file)(fs.stream(file)))
    if (!keeps) {
      if (Option.isNone(yield* Stream.runHead(corrections))) return 0
      return yield* new Usage({
        message: `--store none keeps no corrections, and ${file} holds some: name a store for them, or another list with --failed-units.`
      })
    }
    const store = yield* TranslationStore.TranslationStore
    return yield* Stream.runFoldEffect(Stream.chunks(corrections), 0, (sum, chunk) =>
      Effect.as(store.correct(chunk), sum + chunk.length)
    )
  }).pipe(Effect.mapError((error) => (isPlatformError(error) ? unusable(file)(error) : error)))

const outputOf = ({ source, targetLang }: { readonly source: string; readonly targetLang: string }) =>
  `${targetLang} ${source}`

/** What was listed before stays for outputs that this run has not made anew, and for those of other runs. */
const ofOthers = (listed: ReadonlySet<string>, exit: Exit.Exit<JobReport.JobReport, unknown>) => {
  const outputs = Exit.isSuccess(exit) ? exit.value.outputs : []
  const written = new Set(outputs.filter(({ state }) => state === "written").map(outputOf))
  return ({ correction = "", ...unit }: FailedUnits.FailedUnit): boolean => {
    const output = outputOf(unit)
    return correction.trim() === "" && !listed.has(output) && !written.has(output)
  }
}

/** Lists what fails in a file, which is there when the job has ended. A list that can't be written ends no job, and hides no error of it. */
export const toFile = <E extends { readonly _tag: string }, R>(
  file: string,
  use: (
    onFailed: (unit: FailedUnits.FailedUnit) => Effect.Effect<void>
  ) => Effect.Effect<JobReport.JobReport, E, R>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { dirname } = yield* Path.Path
    yield* fs.makeDirectory(dirname(file), { recursive: true })
    const listed = new Set<string>()
    return yield* FailedUnits.toFile(
      file,
      (onFailed) =>
        use((unit) => {
          listed.add(outputOf(unit))
          return Effect.ignore(onFailed(unit))
        }),
      { keep: (exit) => ofOthers(listed, exit) }
    )
  }).pipe(
    Effect.mapError((error) =>
      isPlatformError(error) ? unusable(file)(error) : (error as Exclude<E, PlatformError.PlatformError>)
    )
  )
