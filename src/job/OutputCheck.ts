/**
 * Finds the faults of translated files, without a service or a key: from the files, their records, and a store if there is one.
 *
 * @since 0.1.0
 */
import type * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { StoreError } from "../store/StoreError.js"
import type { FileError } from "./internal/fileReading.js"
import * as outputAcceptance from "./internal/outputAcceptance.js"
import * as outputCheck from "./internal/outputCheck.js"
import type { Accepted, AcceptOptions, Options, Problem } from "./internal/outputProblem.js"

/**
 * The files to check, and their faults.
 *
 * @since 0.1.0
 * @category models
 */
export type { Accepted, AcceptOptions, Kind, Options, Problem } from "./internal/outputProblem.js"

/**
 * Checks the outputs of files, in their order. Sends nothing, and writes nothing.
 *
 * Files of formats that stream are read piece by piece. Changes of a glossary or style rules of the service can't be seen
 * without the service, and are not looked for.
 *
 * @since 0.1.0
 * @category constructors
 */
export const run: (
  options: Options
) => Stream.Stream<Problem, StoreError, FileSystem.FileSystem | Path.Path> = outputCheck.run

/**
 * Accepts texts of outputs as a person's translations of the sources as they are now: texts that no record tells of, and a person's whose
 * sources have changed. Writes their records, and neither sends nor changes a text. Tells which texts of each output were accepted.
 *
 * Fails with the error of the first file that can't be read, and with a `FormatError` for formats that stream: they have no record of
 * each text.
 *
 * @since 0.1.0
 * @category combinators
 */
export const accept: (
  options: AcceptOptions
) => Effect.Effect<ReadonlyArray<Accepted>, FileError | StoreError, FileSystem.FileSystem | Path.Path> =
  outputAcceptance.accept
