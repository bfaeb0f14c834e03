/** Lists of texts in which a person has said that translations are right. */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { reasonOf } from "../../internal/systemCauses.js"
import * as OutputCheck from "../../job/OutputCheck.js"
import * as FailedUnits from "../../stream/FailedUnits.js"
import { Usage } from "../failure.js"
import { Settings } from "../settings/settings.js"
import * as text from "../textTable.js"

/** The number of texts with accepted findings. */
export const textsOf = ({ findings }: OutputCheck.Accepted): number =>
  new Set(findings.map(({ key }) => key)).size

/** Accepts the findings in texts of a list that are accepted there. */
export const take = (file: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const { root, stateFolder } = yield* Settings
    const units = yield* fs.stream(file).pipe(
      FailedUnits.decode(file),
      Stream.filter(({ accepted }) => accepted === true),
      Stream.runCollect,
      Effect.catchTags({
        BadArgument: (error) => new Usage({ message: `${file} can't be read: ${reasonOf(error)}.` }),
        SystemError: (error) => new Usage({ message: `${file} can't be read: ${reasonOf(error)}.` })
      })
    )
    return yield* OutputCheck.acceptUnits({ units: [...units], stateFolder, stateRoot: root })
  })

/** The number of texts that are accepted in a list, which may not be there. */
export const count = (file: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.orElseSucceed(fs.exists(file), () => false)).pipe(
    Effect.flatMap((isThere) => (isThere ? take(file) : Effect.succeed([]))),
    Effect.map((accepted) => text.sumOf(accepted, textsOf))
  )
