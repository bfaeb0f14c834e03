/** Bytes that are read as a whole into languages: each output is updated. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Output, Settings, Source } from "./bytesTranslation.js"
import * as fileUpdate from "./fileUpdate.js"
import * as halting from "./halting.js"
import { observed, observedAll } from "./observedOutcomes.js"
import type { Forecasting, Translation, Written } from "./sourceContract.js"
import { wholeOf } from "./sourceFile.js"

/** What the memory of a run should bear: a file takes some sixty times its size, for each language at a time. */
const memoryBytes = 1_073_741_824
const growth = 60

/** How many languages a file goes into at a time. */
const concurrencyOf = (pieces: ReadonlyArray<Uint8Array>): number => {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  return Math.max(1, Math.floor(memoryBytes / (growth * Math.max(1, size))))
}

/** Translates into all languages. An output that is the source gets one language after the other. */
export const translate = <E, R, E2, R2>(
  source: Source<E, R>,
  translations: ReadonlyArray<Translation>,
  outputs: ReadonlyArray<Output<E, R, E2, R2>>
) =>
  Effect.gen(function* () {
    const { failed, file, format } = source
    const halted = translations[0]?.halted
    const whole = wholeOf(halting.ending(source.bytes, halted), file.maxFileBytes)
    const halt = halted === undefined ? Effect.succeed(Option.none()) : Deferred.poll(halted)
    const translateOne = (pieces: ReadonlyArray<Uint8Array>, index: number) =>
      Effect.gen(function* () {
        // What was read may be cut.
        yield* Effect.flatMap(
          halt,
          Option.getOrElse(() => Effect.void)
        )
        const { limit, observe, options, partial, refresh, wantsUnits } = translations[index]!
        const { unordered: _, ...given } = options
        const { name, open } = outputs[index]!
        const { settings, write } = yield* open
        const { byPersons, bytes, error, isWhole, manifest, stale, tally } = yield* fileUpdate.update(
          Stream.fromIterable(pieces),
          {
            settings: { ...settings, failed, limit, partial, refresh },
            options: { ...given, ...file, format }
          },
          {
            halted,
            onOutcomes: (outcomes, telling) =>
              observe(
                observedAll(outcomes, wantsUnits, (outcome) => observed(outcome, { ...telling, wantsUnits }))
              )
          }
        )
        if (error !== undefined && tally.translated + tally.cached === 0) return yield* Effect.fail(error)
        if (!isWhole && !partial) {
          return { output: name, state: "withheld", stale, byPersons } satisfies Written
        }
        const isCut = error !== undefined && !source.isReadAgain
        const end = isCut ? Stream.fail(error) : Stream.empty
        const written = { bytes: Stream.concat(Stream.succeed(bytes), end), manifest, stale, byPersons }
        return yield* Effect.flatten(write({ ...written, ended: () => error, isWhole: () => isWhole }))
      })
    const pieces = yield* whole
    const results = yield* Effect.forEach(
      outputs,
      ({ isSource }, index) =>
        isSource ? Effect.succeed(undefined) : Effect.either(translateOne(pieces, index)),
      { concurrency: concurrencyOf(pieces) }
    )
    return yield* Effect.forEach(results, (result, index) =>
      result === undefined
        ? Effect.either(Effect.flatMap(whole, (pieces) => translateOne(pieces, index)))
        : Effect.succeed(result)
    )
  })

/** What the translation takes, for each language. */
export const forecast = <E, R, E2, R2>(
  { bytes, failed, file, format }: Source<E, R>,
  { limit, options, refresh }: Forecasting,
  settings: (index: number) => Effect.Effect<Settings, E2, R2>
) =>
  Effect.flatMap(wholeOf(bytes, file.maxFileBytes), (pieces) =>
    Effect.forEach(options, ({ unordered: _, ...given }, index) =>
      Effect.flatMap(settings(index), (settings) =>
        fileUpdate.forecast(Stream.fromIterable(pieces), {
          settings: { ...settings, failed, limit, refresh },
          options: { ...given, ...file, format }
        })
      )
    )
  )
