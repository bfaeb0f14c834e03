/** The identity of a project: a small file in the folder of the state, which is committed with it, so that all clones have the same. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { isMissing } from "../internal/files.js"
import { usage } from "./failure.js"
import * as files from "./namedFiles.js"
import * as stateFolder from "./stateFolder.js"

const ids = /"id":\s*"([\da-f]{16})"/g

/** A file that git has merged may hold the ids of both sides: of these, all clones take the same. */
const idIn = (content: string): string | undefined =>
  Array.from(content.matchAll(ids), ([, id]) => id!).sort()[0]

const newId = Effect.sync(() => crypto.randomUUID().replaceAll("-", "").slice(-16))

const contentOf = (id: string): string => `${JSON.stringify({ id }, undefined, 2)}\n`

/** The identity of the project. It is made when it is first asked for; a dry run, which writes nothing, gets one that is kept nowhere. */
export const identity = (isDry: boolean) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const file = yield* stateFolder.fileOf("project.json")
    const content = yield* fs.readFileString(file).pipe(
      Effect.catchIf(isMissing, () => Effect.succeed(undefined)),
      Effect.mapError(files.unreadable(file))
    )
    const known = content === undefined ? yield* newId : idIn(content)
    if (known === undefined) {
      return yield* usage(
        `${file} holds no id of the project, by which its glossaries are named: take it from version control, or delete it to get a new one.`
      )
    }
    if (!isDry && content !== contentOf(known)) {
      yield* stateFolder.make
      yield* files.write(file, Stream.encodeText(Stream.make(contentOf(known))))
    }
    return known
  })
