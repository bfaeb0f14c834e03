import * as DateTime from "effect/DateTime"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"

const withoutZone = /T[\d:.]+$/i

/** A time in an answer. Where the service leaves the zone out, it means UTC. */
export const Utc = Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) =>
    Either.fromOption(
      Option.map(DateTime.make(withoutZone.test(text) ? `${text}Z` : text), DateTime.toUtc),
      () => new ParseResult.Type(ast, text)
    ),
  encode: (time) => ParseResult.succeed(DateTime.formatIso(time))
}).annotations({ description: "A time of UTC", jsonSchema: { type: "string", format: "date-time" } })

/** A time in a query, a date with or without a time of UTC. It is sent with this number of characters. */
const sent = (characters: (time: DateTime.Utc) => number, jsonSchema: object) =>
  Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
    strict: true,
    decode: (text, _, ast) =>
      Either.fromOption(
        Option.filter(
          DateTime.make(text.length > 10 ? `${text}Z` : text),
          (time) => /^[-\d]{10}(T[:\d]{8})?$/.test(text) && DateTime.formatIso(time).startsWith(text)
        ),
        () => new ParseResult.Type(ast, undefined, "must be a date of UTC: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS")
      ),
    encode: (time) => ParseResult.succeed(DateTime.formatIso(time).slice(0, characters(time)))
  }).annotations({ description: "A date of UTC", jsonSchema })

const isMidnight = (time: DateTime.Utc): boolean => time.epochMillis % 86_400_000 === 0

/** Midnight is sent as `YYYY-MM-DD`, which as an end means the whole day; other times as `YYYY-MM-DDTHH:MM:SS`. */
export const DayOrSecond = sent((time) => (isMidnight(time) ? 10 : 19), {
  type: "string",
  examples: ["2026-05-01", "2026-05-01T12:00:00"]
})

/** Sent as `YYYY-MM-DD`. */
export const Day = sent(() => 10, { type: "string", format: "date" })
