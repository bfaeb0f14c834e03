/** The folder of the state of outputs, translations and documents. */
import * as FileSystem from "@effect/platform/FileSystem"
import type * as Path from "@effect/platform/Path"
import * as Effect from "effect/Effect"
import { type Incomplete, type Usage, usage } from "./failure.js"
import * as files from "./namedFiles.js"
import { Settings } from "./settings/settings.js"

/** The files that version control leaves out: paid texts, keys of documents and addresses of files. The state of outputs belongs in it. */
const ignored = ["store.db*", "jobs.db*", "failed.jsonl", "documents.jsonl*", "translation-memories.json*"]

/** A file of it. */
export const fileOf = (name: string): Effect.Effect<string, never, Settings> =>
  Effect.map(Settings, ({ stateFolder }) => `${stateFolder}/${name}`)

/** Makes it, with the file that keeps texts and keys out of version control. */
export const make: Effect.Effect<void, Incomplete | Usage, Settings | FileSystem.FileSystem | Path.Path> =
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { stateFolder } = yield* Settings
    const file = `${stateFolder}/.gitignore`
    yield* Effect.catchTag(files.makeFolder(stateFolder), "Usage", ({ message }) =>
      usage(`${message} Name another folder by --state-folder.`)
    )
    if (!(yield* Effect.orElseSucceed(fs.exists(file), () => true))) {
      yield* Effect.ignore(fs.writeFileString(file, `${ignored.join("\n")}\n`))
    }
  })
