/** Lists of texts in which a person has said that translations are right. */
import type { PlatformError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { reasonOf } from "../../internal/systemCauses.js"
import * as OutputCheck from "../../job/OutputCheck.js"
import * as FailedUnits from "../../stream/FailedUnits.js"
import { usage } from "../failure.js"
import { Settings } from "../settings/settings.js"
import * as text from "../textTable.js"

/** The number of texts with accepted findings. */
export const textsOf = ({ findings }: OutputCheck.Accepted): number =>
  new Set(findings.map(({ key }) => key)).size

/** Accepts the findings in texts of a list that are accepted there. */
const takeFrom = (file: string, bytes: Stream.Stream<Uint8Array, PlatformError>) =>
  Effect.gen(function* () {
    const { root, stateFolder } = yield* Settings
    const units = yield* bytes.pipe(
      FailedUnits.decode(file),
      Stream.filter(({ accepted }) => accepted === true),
      Stream.runCollect,
      Effect.catchTags({
        BadArgument: (error) => usage(`${file} can't be read: ${reasonOf(error)}.`),
        SystemError: (error) => usage(`${file} can't be read: ${reasonOf(error)}.`)
      })
    )
    return yield* OutputCheck.acceptUnits({ units: [...units], stateFolder, stateRoot: root })
  })

/** The same of a list that somebody names. */
export const take = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => takeFrom(file, fs.stream(file)))

/** Lines that may be accepted: to decode each of thousands would take a tenth of the time of a run that has nothing to do. */
const marked = (lines: Stream.Stream<string, PlatformError>) =>
  lines.pipe(
    Stream.filter((line) => line.includes('"accepted"')),
    Stream.map((line) => `${line}\n`),
    Stream.encodeText
  )

/** The number of texts that are accepted in a list, which may not be there. */
export const count = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    if (!(yield* Effect.orElseSucceed(fs.exists(file), () => false))) return 0
    const lines = fs.stream(file).pipe(Stream.decodeText(), Stream.splitLines)
    return text.sumOf(yield* takeFrom(file, marked(lines)), textsOf)
  })
