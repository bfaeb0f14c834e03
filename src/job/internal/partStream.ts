import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type * as Format from "../../format/Format.js"
import * as Outcome from "../../stream/Outcome.js"
import * as Targets from "../../stream/Targets.js"
import type * as TranslateStream from "../../stream/TranslateStream.js"
import type * as FileTranslation from "../FileTranslation.js"
import { telling } from "./observing.js"
import type { Opened } from "./opened.js"
import * as partTranslation from "./partTranslation.js"
import * as limiting from "./pilotLimit.js"
import type { Forecasting, Translation } from "./sourceContract.js"

/** A file whose format streams, and what a unit that failed leaves in it. */
export type Streamed = Pick<Opened, "failed" | "file" | "format">

const optionsOf = (
  { failed, file, format }: Streamed,
  { unordered: _, ...options }: TranslateStream.Options
): FileTranslation.Options => ({
  ...options,
  ...file,
  format,
  failedText: failed === "empty" ? () => "" : undefined
})

/** Translates bytes piece by piece into parts, of which the job is told before. */
export const translate = <E, R>(
  streamed: Streamed,
  { halted, limit, observe, options, wantsUnits }: Translation,
  bytes: Stream.Stream<Uint8Array, E, R>
) => {
  const given = optionsOf(streamed, options)
  const { failedText, format } = given
  const limited = limiting.make(limit)
  /** How many parts have left, and how many texts of them have a translation. */
  const count = { parts: 0, translated: 0 }
  const textsOf = ({ text, translation }: Format.Unit) => ({
    text,
    translation: translation ?? (format.isBilingual ? undefined : text)
  })
  const read = bytes.pipe(format.decode(partTranslation.decodeOptions(given)), Stream.map(limited.limit))
  const parts = partTranslation.translate(read, given, halted).pipe(
    telling(observe, { wantsUnits, textsOf, failedText }),
    Stream.mapChunks((chunk) => {
      count.parts += chunk.length
      for (const { texts } of chunk) count.translated += texts.translated + texts.cached
      return chunk
    }),
    Outcome.orSource
  )
  return { parts, count, isCut: limited.isCut }
}

/** What such a translation takes, for each language. */
export const forecast = <E, R>(
  streamed: Streamed,
  { limit, options }: Forecasting,
  bytes: Stream.Stream<Uint8Array, E, R>
) => {
  const targets = options.map(({ targetLang }) => targetLang)
  return Targets.run(bytes, targets, (targetLang) => (bytes) => {
    const given = optionsOf(streamed, options[targets.indexOf(targetLang)]!)
    const parts = streamed.format.decode(partTranslation.decodeOptions(given))(bytes)
    return partTranslation.forecast(Stream.map(parts, limiting.make(limit).limit), given)
  }).pipe(Effect.flatMap((results) => Effect.all(results.map(({ result }) => result))))
}
