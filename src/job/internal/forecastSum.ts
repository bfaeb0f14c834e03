import type * as LanguageCode from "../../api/LanguageCode.js"
import type * as Forecast from "../../stream/Forecast.js"
import * as Outcome from "../../stream/Outcome.js"

const counts = ["in", "translated", "cached", "skipped", "failed", "characters", "requests", "bytes"] as const

/** The sum over forecasts of a language. */
export const sum = (
  targetLang: LanguageCode.TargetLanguage,
  forecasts: ReadonlyArray<Forecast.Forecast>
): Forecast.Forecast => {
  const { ambiguousCharacters: _, ...zero } = Outcome.zero
  const total = { ...zero, requests: 0, bytes: 0 }
  for (const forecast of forecasts) for (const name of counts) total[name] += forecast[name]
  return { targetLang, ...total }
}
