/** Forecasts of the translation of parts. */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Translator from "../../client/Translator.js"
import type * as Format from "../../format/Format.js"
import type { Part } from "../../format/Format.js"
import * as Forecast from "../../stream/Forecast.js"
import type * as Outcome from "../../stream/Outcome.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type { SharedForecast, SourceForecast } from "./contract.js"
import type * as FileTranslation from "./fileOptions.js"
import type { Elements } from "./fileOptions.js"
import { mostNamed } from "./observedOutcomes.js"
import { collect, type Grouping, groupsOf, sharedGroupsOf, window } from "./partGroups.js"
import { elements, isGrouped, streamOptions } from "./partOptions.js"

/** Forecasts such a translation: the sum over all groups. */
const forecastGroups = <E, R>(
  self: Stream.Stream<Part, E, R>,
  options: TranslateStream.Options,
  grouping: Grouping,
  { replace: _, ...elements }: Elements
) =>
  self.pipe(
    Stream.rechunk(window),
    Stream.chunks,
    Stream.flatMap((parts) => Stream.fromIterable(groupsOf(Chunk.toReadonlyArray(parts), options, grouping))),
    Stream.mapEffect((group) =>
      Forecast.forecastWith(Stream.fromIterable(group.parts), {
        ...group.options,
        targets: [options.targetLang],
        ...elements
      })
    ),
    Stream.runFold(Forecast.sum(options.targetLang, []), (total, [forecast]) =>
      Forecast.sum(options.targetLang, [total, forecast!])
    )
  )

/** Forecasts the translation of parts. Records that can't be read are no texts of the stream. */
export const forecast = <E, R>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  shared?: SharedForecast | undefined
): Effect.Effect<SourceForecast, E | Outcome.StreamError, R | Translator.Translator> =>
  Effect.suspend(() => {
    const messages: Array<string> = []
    let records = 0
    let selection: Format.Selection | undefined
    const watched = Stream.map(self, (part) => {
      selection ??= part.selection
      if (part.problem !== undefined && ++records <= mostNamed) messages.push(part.problem.message)
      return part
    })
    return Effect.map(forecastTexts(watched, options, shared), (forecast) => ({
      ...forecast,
      in: forecast.in + records,
      failed: forecast.failed + records,
      selection,
      unread: records === 0 ? undefined : { records, messages }
    }))
  })

const forecastTexts = <E, R>(
  self: Stream.Stream<Format.Part, E, R>,
  options: FileTranslation.Options,
  shared: SharedForecast | undefined
): Effect.Effect<Forecast.Forecast, E | Outcome.StreamError, R | Translator.Translator> => {
  const found = elements(options.units)
  const { replace: _, ...texts } = found
  if (shared !== undefined) {
    return Effect.flatMap(collect(self), ({ end, parts }) =>
      Effect.map(end, () => {
        shared.add(sharedGroupsOf(parts, options).map(({ texts }) => texts))
        return Forecast.sum(options.options.targetLang, [])
      })
    )
  }
  return isGrouped(options)
    ? forecastGroups(self, streamOptions(options), options, found)
    : Effect.map(
        Forecast.forecastWith(self, {
          ...streamOptions(options),
          targets: [options.options.targetLang],
          ...texts
        }),
        ([forecast]) => forecast!
      )
}
