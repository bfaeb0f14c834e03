/** The key with which workers serve the control of jobs over HTTP. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { Usage } from "../failure.js"
import { jobsKeys } from "../settings/declarations.js"

const [variable, fileVariable] = [jobsKeys.jobsKey, jobsKeys.jobsKeyFile].map(
  ({ setting }) => setting?.variable ?? ""
)

const read = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) =>
    Effect.mapError(
      fs.readFileString(file),
      () => new Usage({ message: `The file that ${fileVariable} names can't be read.` })
    )
  )

/** From the environment, or a file that it names. */
export const find: Effect.Effect<Redacted.Redacted, Usage, FileSystem.FileSystem> = Effect.suspend(() => {
  const { [variable!]: given = "", [fileVariable!]: file = "" } = process.env
  return given === "" && file !== "" ? read(file) : Effect.succeed(given)
}).pipe(
  Effect.map((text) => text.trim()),
  Effect.filterOrFail(
    (text) => text !== "" && !/\s/.test(text),
    (text) =>
      new Usage({
        message:
          text === ""
            ? `There is no key for the control of jobs over HTTP: set ${variable}, or ${fileVariable} to a file that holds it.`
            : `The key of ${variable} holds a space.`
      })
  ),
  Effect.map(Redacted.make)
)
