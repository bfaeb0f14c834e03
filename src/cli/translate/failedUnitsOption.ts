/** The file of the texts that were not translated: people's translations in it are taken before a run, and the rest is listed after it. */
import type * as PlatformError from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { makeFolder } from "../../internal/files.js"
import { reasonOf } from "../../internal/systemCauses.js"
import type * as JobReport from "../../job/JobReport.js"
import * as Address from "../../storage/Address.js"
import * as TranslationStore from "../../store/TranslationStore.js"
import * as FailedUnits from "../../stream/FailedUnits.js"
import { usage } from "../failure.js"

const unusable = (file: string) => (error: PlatformError.PlatformError) =>
  usage(
    `The list of texts that failed, ${file}, can't be used: ${reasonOf(error)}. Name another with --failed-units.`
  )

const isPlatformError = (error: { readonly _tag: string }): error is PlatformError.PlatformError =>
  error._tag === "SystemError" || error._tag === "BadArgument"

/**
 * Gives the store the translations that people have filled in since the last run, and prints their number. Without a
 * store it would be lost.
 */
export const takeCorrections = (file: string, keeps: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* fs.exists(file))) return 0
    const corrections = FailedUnits.corrections(FailedUnits.decode(file)(fs.stream(file)))
    if (!keeps) {
      if (Option.isNone(yield* Stream.runHead(corrections))) return 0
      return yield* usage(
        `--store none keeps no corrections, and ${file} holds some: name a store for them, or another list with --failed-units.`
      )
    }
    const store = yield* TranslationStore.TranslationStore
    return yield* Stream.runFoldEffect(Stream.chunks(corrections), 0, (sum, chunk) =>
      Effect.as(store.correct(chunk), sum + chunk.length)
    )
  }).pipe(Effect.mapError((error) => (isPlatformError(error) ? unusable(file)(error) : error)))

const outputOf = ({ source, targetLang }: { readonly source: string; readonly targetLang: string }) =>
  `${targetLang} ${source}`

/** Earlier entries stay for outputs of which this run does not tell all, and for those of other runs. */
const ofOthers = (
  listed: ReadonlySet<string>,
  exit: Exit.Exit<JobReport.JobReport, unknown>,
  named: (source: string) => string
) => {
  const outputs = Exit.isSuccess(exit) ? exit.value.outputs : []
  const told = new Set(
    outputs.flatMap(({ source, state, targetLang }) =>
      state === "written" || state === "unchanged" ? [outputOf({ source: named(source), targetLang })] : []
    )
  )
  return ({ accepted, correction = "", ...unit }: FailedUnits.FailedUnit): boolean => {
    const output = outputOf(unit)
    return accepted !== true && correction.trim() === "" && !listed.has(output) && !told.has(output)
  }
}

/** A source by its path from a folder: a list may hold those of other working folders. */
export const namedFrom = (root: string): Effect.Effect<(source: string) => string, never, Path.Path> =>
  Effect.map(
    Path.Path,
    ({ isAbsolute, relative, resolve }) =>
      (source) =>
        Address.isAddress(source) || isAbsolute(source) || root === resolve()
          ? source
          : relative(root, resolve(source))
  )

/** Lists failures in a file, which exists when the job has ended. A list that can't be written ends no job, and hides no error of it. */
export const toFile = <E extends { readonly _tag: string }, R>(
  file: string | undefined,
  /** The name of a source there. */
  named: (source: string) => string,
  use: (
    onFailed: (unit: FailedUnits.FailedUnit) => Effect.Effect<void>
  ) => Effect.Effect<JobReport.JobReport, E, R>
) =>
  Effect.gen(function* () {
    if (file === undefined) return yield* use(() => Effect.void)
    const { dirname } = yield* Path.Path
    yield* makeFolder(dirname(file))
    const listed = new Set<string>()
    return yield* FailedUnits.toFile(
      file,
      (onFailed) =>
        use((found) => {
          const unit = { ...found, source: named(found.source) }
          listed.add(outputOf(unit))
          return Effect.ignore(onFailed(unit))
        }),
      { keep: (exit) => ofOthers(listed, exit, named) }
    )
  }).pipe(
    Effect.mapError((error) =>
      isPlatformError(error)
        ? unusable(file ?? "")(error)
        : (error as Exclude<E, PlatformError.PlatformError>)
    )
  )
