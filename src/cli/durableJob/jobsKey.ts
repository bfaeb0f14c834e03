/** The key with which workers serve the control of jobs over HTTP, and the secret by which they know each other. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Parameter } from "../commandLine/declare.js"
import { type Usage, usage } from "../failure.js"
import { jobsKeys, workerSecrets } from "../settings/serviceDeclarations.js"

/** The value of a variable of the environment, or of the file that another one names; `undefined` if neither is set. */
const read = ([plain, file]: readonly [Parameter, Parameter]) => {
  const [variable = "", fileVariable = ""] = [plain.setting?.variable, file.setting?.variable]
  return Effect.suspend(() => {
    const { [variable]: given = "", [fileVariable]: path = "" } = process.env
    if (given !== "" || path === "") return Effect.succeed(given)
    return Effect.flatMap(FileSystem.FileSystem, (fs) =>
      Effect.mapError(fs.readFileString(path), () =>
        usage(`The file that ${fileVariable} names can't be read.`)
      )
    )
  }).pipe(
    Effect.map((text) => text.trim()),
    Effect.filterOrFail(
      (text) => !/\s/.test(text),
      () => usage(`The key in ${variable} or the file of ${fileVariable} has a space in it.`)
    ),
    Effect.map((text) => (text === "" ? undefined : Redacted.make(text)))
  )
}

/** The key of the control of jobs over HTTP. */
export const find: Effect.Effect<Redacted.Redacted, Usage, FileSystem.FileSystem> = Effect.flatMap(
  read([jobsKeys.jobsKey, jobsKeys.jobsKeyFile]),
  (key) =>
    key === undefined
      ? usage(
          "There is no key for the control of jobs over HTTP: set EFFECT_TRANSLATE_JOBS_KEY, or EFFECT_TRANSLATE_JOBS_KEY_FILE to a file that holds it."
        )
      : Effect.succeed(key)
)

/** The secret of the workers, if they have one. */
export const findSecret: Effect.Effect<Redacted.Redacted | undefined, Usage, FileSystem.FileSystem> = read([
  workerSecrets.secret,
  workerSecrets.secretFile
])
