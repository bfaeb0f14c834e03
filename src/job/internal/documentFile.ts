import * as FileSystem from "@effect/platform/FileSystem"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { OutputUnusable } from "../FileSourceError.js"
import * as fileUpdate from "./fileUpdate.js"
import { observed } from "./observing.js"
import type { Opened } from "./opened.js"
import * as outputs from "./outputFiles.js"
import { type Forecasting, isJobStopped, type Translation, type Written } from "./sourceContract.js"
import { bytesOf, wholeOf } from "./sourceFile.js"

/** What the memory of a run should bear: a file takes some sixty times its size, for each language at a time. */
const memoryBytes = 1_073_741_824
const growth = 60

/** How many languages a file goes into at a time. */
const concurrencyOf = (pieces: ReadonlyArray<Uint8Array>): number => {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return Math.max(1, Math.floor(memoryBytes / (growth * Math.max(1, size))))
}

/** How an output is updated: what it holds, and what is remembered of it. */
const settingsOf = ({ existing, failed, removed }: Opened, { isSource, output }: outputs.Found) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const isKept = existing === "keep" && output.existing !== undefined && !isSource
    const target = isKept
      ? yield* Effect.mapError(
          fs.readFile(output.path),
          ({ message }) => new OutputUnusable({ output: output.name, reason: message })
        )
      : undefined
    return {
      failed,
      removed,
      target,
      targetFile: isSource ? undefined : output.name,
      manifest: isKept || isSource ? output.state?.manifest : undefined
    }
  })

const translateOne = (
  opened: Opened,
  found: outputs.Found,
  pieces: ReadonlyArray<Uint8Array>,
  { halted, limit, observe, options: { unordered: _, ...options }, partial, refresh, wantsUnits }: Translation
) =>
  Effect.gen(function* () {
    const { output } = found
    const update = yield* fileUpdate.update(
      Stream.fromIterable(pieces),
      {
        settings: { ...(yield* settingsOf(opened, found)), limit, partial, refresh },
        options: { ...options, ...opened.file, format: opened.format }
      },
      {
        halted,
        onOutcomes: (outcomes, telling) =>
          observe(outcomes.map((outcome) => observed(outcome, { ...telling, wantsUnits })))
      }
    )
    const { error, isWhole, stale, tally } = update
    if (error !== undefined && tally.translated + tally.cached === 0) return yield* Effect.fail(error)
    if (!isWhole && !partial) return { output: output.name, state: "withheld", stale } satisfies Written
    const draft = yield* outputs.draft(output, Stream.succeed(update.bytes))
    const state = yield* outputs.publish(output, draft, update.manifest)
    if (error !== undefined && !isJobStopped(error)) return yield* Effect.fail(error)
    return { output: output.name, state: isWhole ? state : "partial", stale } satisfies Written
  }).pipe(Effect.scoped)

/** Translates a file that is read as a whole. One that is its own output gets one language after the other. */
export const translate = (opened: Opened, translations: ReadonlyArray<Translation>) =>
  Effect.gen(function* () {
    const { file, found } = opened
    const whole = wholeOf(bytesOf(file.file), file.maxFileBytes)
    const pieces = yield* whole
    const results = yield* Effect.forEach(
      found,
      (one, index) =>
        one.isSource
          ? Effect.succeed(undefined)
          : Effect.either(translateOne(opened, one, pieces, translations[index]!)),
      { concurrency: concurrencyOf(pieces) }
    )
    return yield* Effect.forEach(results, (result, index) => {
      if (result !== undefined) return Effect.succeed(result)
      const { isSource, output } = found[index]!
      return Effect.gen(function* () {
        const existing = yield* outputs.infoOf(output.path)
        const own = yield* whole
        return yield* translateOne(
          opened,
          { isSource, output: { ...output, existing } },
          own,
          translations[index]!
        )
      }).pipe(Effect.either)
    })
  })

/** What the translation takes. */
export const forecast = (opened: Opened, { limit, options, refresh }: Forecasting) =>
  Effect.gen(function* () {
    const { file, found } = opened
    const pieces = yield* wholeOf(bytesOf(file.file), file.maxFileBytes)
    return yield* Effect.forEach(found, (one, index) =>
      Effect.gen(function* () {
        const { unordered: _, ...given } = options[index]!
        return yield* fileUpdate.forecast(Stream.fromIterable(pieces), {
          settings: { ...(yield* settingsOf(opened, one)), limit, refresh },
          options: { ...given, ...file, format: opened.format }
        })
      })
    )
  })
