import type * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Format from "../../format/Format.js"
import type * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type { SourceChanged, SourceUnreadable } from "../FileSourceError.js"
import * as halting from "./halting.js"
import type { Opened } from "./opened.js"
import * as outputs from "./outputFiles.js"
import * as partStream from "./partStream.js"
import * as partTranslation from "./partTranslation.js"
import {
  type Forecasting,
  isJobStopped,
  type JobStopped,
  type Translation,
  type Written
} from "./sourceContract.js"
import { bytesOf } from "./sourceFile.js"

/** What ends a translation. */
type Ending = Format.FormatError | Outcome.StreamError | JobStopped

type Rest = Stream.Stream<Format.Part, Ending | SourceUnreadable | SourceChanged, FileSystem.FileSystem>

/** Writes the translation of bytes into a draft. */
const draftOf = (
  opened: Opened,
  output: outputs.Output,
  translation: Translation,
  bytes: Stream.Stream<Uint8Array>
) =>
  Effect.gen(function* () {
    const { file, format } = opened
    const { count, isCut, parts } = partStream.translate(opened, translation, bytes)
    const decode = format.decode(partTranslation.decodeOptions({ ...translation.options, ...file }))
    let ended: Ending | undefined
    // What an error has left is as in the source.
    const written = Stream.catchAll(parts, (error): Rest => {
      ended = error
      return translation.partial && count.translated > 0
        ? Stream.drop(decode(bytesOf(file.file)), count.parts)
        : Stream.fail(error)
    })
    const draft = yield* outputs.draft(output, Format.encode(written))
    return { draft, ended, isWhole: ended === undefined && !isCut() }
  })

/** Translates a file that streams: into drafts, which get their names once the source was read to its end. */
export const translate = (opened: Opened, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const { file, found } = opened
    const targets = found.map(({ output }) => output.targetLang)
    const bytes = halting.ending(bytesOf(file.file), translations[0]?.halted)
    const results = yield* Targets.run(bytes, targets, (targetLang) => (bytes) => {
      const index = targets.indexOf(targetLang)
      return draftOf(opened, found[index]!.output, translations[index]!, bytes)
    })
    return yield* Effect.forEach(results, ({ result }, index) =>
      Effect.gen(function* () {
        const { draft, ended, isWhole } = yield* result
        const { output } = found[index]!
        const { partial } = translations[index]!
        const written = { output: output.name, stale: [] }
        if (!isWhole && !partial) return { ...written, state: "withheld" } satisfies Written
        const state = yield* outputs.publish(output, draft, undefined)
        if (ended !== undefined && !isJobStopped(ended)) return yield* Effect.fail(ended)
        return { ...written, state: isWhole ? state : "partial" } satisfies Written
      }).pipe(Effect.either)
    )
  }).pipe(Effect.scoped)

/** What the translation takes. */
export const forecast = (opened: Opened, forecasting: Forecasting) =>
  partStream.forecast(opened, forecasting, bytesOf(opened.file.file))
