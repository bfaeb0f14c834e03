/** The folder of what is remembered: outputs, translations and documents. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as files from "./namedFiles.js"

/** The default of the library too. */
export const stateFolder = ".effect-translate"

/** What is remembered of outputs belongs in version control. Texts that were paid for, keys of documents and addresses of files do not. */
const ignored = ["store.db*", "jobs.db*", "failed.jsonl", "documents.jsonl*", "translation-memories.json*"]

/** Makes it, with what keeps texts and keys out of version control. */
export const make = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const file = `${stateFolder}/.gitignore`
  yield* files.makeFolder(stateFolder)
  if (!(yield* Effect.orElseSucceed(fs.exists(file), () => true))) {
    yield* Effect.ignore(fs.writeFileString(file, `${ignored.join("\n")}\n`))
  }
})
