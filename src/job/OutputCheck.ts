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
import * as Check from "../text/Check.js"
import type { StateUnusable } from "./FileSourceError.js"
import type { FileError } from "./internal/fileReading.js"
import * as outputAcceptance from "./internal/outputAcceptance.js"
import * as outputCheck from "./internal/outputCheck.js"
import type {
  Accepted,
  AcceptOptions,
  AcceptUnitsOptions,
  Options,
  Problem
} from "./internal/outputProblem.js"

/**
 * The files to check, and their faults.
 *
 * @since 0.1.0
 * @category models
 */
export type {
  Accepted,
  AcceptOptions,
  AcceptUnitsOptions,
  Kind,
  Options,
  Problem
} from "./internal/outputProblem.js"

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
 * True if a problem is among those with these names: of a kind, such as `stale`; found by a check, such as `numbers`; or `strict`, found by a
 * check of `Check.strict`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isAmong = (
  problem: Pick<Problem, "finding" | "kind">,
  names: ReadonlyArray<string>
): boolean => {
  const { finding, kind } = problem
  if (names.includes(kind)) return true
  return (
    finding !== undefined &&
    (names.includes(finding.check) ||
      (names.includes("strict") && Check.strict.some(({ name }) => name === finding.check)))
  )
}

/**
 * Accepts texts of outputs: those that no record tells of, and a person's whose sources have changed, as a person's translations of the
 * sources as they are now; and findings of `checks`. An accepted finding is neither told nor counted any more, by jobs and by {@link run},
 * until the source or the translation changes. Writes records, and neither sends nor changes a text. Tells what was accepted.
 *
 * Rows (of CSV, JSON Lines, Parquet and other formats that stream) have no record of each text: of them findings are accepted only.
 *
 * Fails with the error of the first file that can't be read.
 *
 * @since 0.1.0
 * @category combinators
 */
export const accept: (
  options: AcceptOptions
) => Effect.Effect<ReadonlyArray<Accepted>, FileError | StoreError, FileSystem.FileSystem | Path.Path> =
  outputAcceptance.accept

/**
 * Accepts the findings in texts that a job has listed, such as a file of `FailedUnits` in which a person has added `"accepted": true`.
 * Texts whose outputs have no record are left alone. Tells what was accepted.
 *
 * @since 0.1.0
 * @category combinators
 */
export const acceptUnits: (
  options: AcceptUnitsOptions
) => Effect.Effect<ReadonlyArray<Accepted>, StateUnusable, FileSystem.FileSystem | Path.Path> =
  outputAcceptance.acceptUnits
