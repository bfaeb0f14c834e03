/**
 * Faults and limits of an emulator as data: the JSON file of `effect-translate emulator --faults FILE`.
 *
 * @since 0.1.0
 */
import * as FileSystem from "@effect/platform/FileSystem"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import * as TranslationMemory from "../api/TranslationMemory.js"
import * as Violation from "../api/Violation.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type * as Emulator from "./Emulator.js"
import * as Fault from "./Fault.js"

const strict = { parseOptions: { onExcessProperty: "error", errors: "all" } } as const

const number = (message: string, isValid: (value: number) => boolean) =>
  Schema.Number.pipe(Schema.filter((value) => isValid(value) || message))

const count = number("must be a whole number of at least 0", (value) => Number.isInteger(value) && value >= 0)

const duration = Schema.Union(Schema.Number, Schema.String)
  .annotations({ message: () => 'must be milliseconds, or a text such as "5 seconds"' })
  .pipe(
    Schema.filter(
      (value) =>
        Option.isSome(Duration.decodeUnknown(value)) || 'must be milliseconds, or a text such as "5 seconds"'
    )
  ) as Schema.Schema<unknown, unknown> as Schema.Schema<Duration.DurationInput>

const oneOf = <const Values extends ReadonlyArray<string>>(...values: Values) =>
  Schema.Literal(...values).annotations({
    message: () => `must be ${values.map((value) => `"${value}"`).join(", ")}`
  })

/** Which requests a fault happens to, and how often. */
const choice = {
  /** The HTTP method, in any casing. @default all */
  method: Schema.optional(Schema.String),
  /** The path as the endpoints are written: `{document_id}` stands for any id. @default all */
  path: Schema.optional(
    Schema.String.pipe(Schema.filter((path) => path.startsWith("/") || 'must begin with "/"'))
  ),
  /** A string that one of the texts contains. @default all */
  text: Schema.optional(Schema.String),
  /** The name of the document that is uploaded. @default all */
  fileName: Schema.optional(Schema.String),
  /** The number of these requests that are served first. @default 0 */
  after: Schema.optional(count),
  /** The number of requests that it happens to, or `"always"`. @default 1; `"always"` where there is a probability or a poison */
  times: Schema.optional(
    Schema.Union(Schema.Number, Schema.String)
      .annotations({ message: () => 'must be a whole number of at least 1, or "always"' })
      .pipe(
        Schema.filter(
          (times) =>
            times === "always" ||
            (Number.isInteger(times) && Number(times) >= 1) ||
            'must be a whole number of at least 1, or "always"'
        )
      )
  ),
  /** The probability that it happens, from 0 to 1. @default 1 */
  probability: Schema.optional(number("must be from 0 to 1", (value) => value >= 0 && value <= 1))
}

const status = number(
  "must be a status from 200 to 599",
  (value) => Number.isInteger(value) && value >= 200 && value <= 599
)

const when = Schema.optional(oneOf("before", "after", "mid-body"))

const kinds = [
  Schema.Struct({
    fault: Schema.Literal("status"),
    status,
    /** Seconds, or an HTTP date. @default none */
    retryAfter: Schema.optional(Schema.Union(Schema.Number, Schema.String)),
    /** A text as it stands, or a value as JSON. @default `{ message }` */
    body: Schema.optional(Schema.Unknown),
    when: Schema.optional(oneOf("before", "after")),
    ...choice
  }),
  Schema.Struct({ fault: Schema.Literal("html"), status, ...choice }),
  Schema.Struct({ fault: Schema.Literal("emptyBody"), status, ...choice }),
  Schema.Struct({ fault: Schema.Literal("cutConnection"), when, ...choice }),
  Schema.Struct({ fault: Schema.Literal("slow"), duration, when, ...choice }),
  Schema.Struct({ fault: Schema.Literal("shortAnswer"), ...choice }),
  Schema.Struct({ fault: Schema.Literal("longAnswer"), ...choice }),
  Schema.Struct({ fault: Schema.Literal("garbage"), ...choice }),
  Schema.Struct({ fault: Schema.Literal("poison"), marker: Schema.NonEmptyString, ...choice }),
  Schema.Struct({
    fault: Schema.Literal("documentError"),
    message: Schema.optional(Schema.String),
    ...choice
  })
] as const

/**
 * A fault as data: its name as in {@link Fault}, its parameters, the requests that it happens to, and the number of
 * times.
 *
 * @since 0.1.0
 * @category schemas
 */
export const FaultRule = Schema.Union(...kinds)

/**
 * A fault as data.
 *
 * @since 0.1.0
 * @category models
 */
export type FaultRule = typeof FaultRule.Type

const limit = Schema.optional(Schema.NullOr(count))

const key = Schema.Struct({
  key: Schema.NonEmptyString,
  characterLimit: limit,
  account: Schema.optional(Schema.String),
  admin: Schema.optional(Schema.Boolean),
  tier: Schema.optional(oneOf("paid", "free")),
  scopes: Schema.optional(Schema.Array(Schema.NonEmptyString))
})

/**
 * A file of rules: the settings of an emulator that are data. Durations are milliseconds, or texts such as `"5 seconds"`.
 *
 * @since 0.1.0
 * @category schemas
 */
export const Rules = Schema.Struct({
  keys: Schema.optional(Schema.Array(Schema.Union(Schema.NonEmptyString, key))),
  characterLimit: limit,
  kind: Schema.optional(oneOf("specification", "deepl")),
  scheme: Schema.optional(Schema.NonEmptyString),
  deprecatedAuth: Schema.optional(oneOf("reject", "brownout")),
  customTagHeader: Schema.optional(Schema.NonEmptyString),
  latency: Schema.optional(duration),
  maxConcurrent: Schema.optional(count),
  requestsPerSecond: Schema.optional(number("must be a number above 0", (value) => value > 0)),
  retryAfter: limit,
  maxBodyBytes: Schema.optional(count),
  faults: Schema.optional(Schema.Array(FaultRule)),
  translationMemories: Schema.optional(Schema.Array(TranslationMemory.TranslationMemory)),
  translationMemoryJobs: Schema.optional(
    Schema.Struct({ inputTime: Schema.optional(duration), processingTime: Schema.optional(duration) })
  ),
  instructionAnswer: Schema.optional(oneOf("list", "instruction")),
  allowUnknown: Schema.optional(Schema.Boolean),
  rough: Schema.optional(Schema.Boolean),
  documents: Schema.optional(
    Schema.Struct({
      queueTime: Schema.optional(duration),
      translationTime: Schema.optional(duration),
      secondsRemaining: Schema.optional(oneOf("honest", "absurd")),
      maxWaiting: Schema.optional(count),
      maxBytes: Schema.optional(count)
    })
  )
}).annotations(strict)

/**
 * A file of rules.
 *
 * @since 0.1.0
 * @category models
 */
export interface Rules extends Schema.Schema.Type<typeof Rules> {}

const kindOf = (rule: FaultRule): Fault.Fault => {
  switch (rule.fault) {
    case "status":
      return Fault.status(rule.status, rule)
    case "html":
      return Fault.html(rule.status)
    case "emptyBody":
      return Fault.emptyBody(rule.status)
    case "cutConnection":
      return Fault.cutConnection(rule)
    case "slow":
      return Fault.slow(rule.duration, rule)
    case "poison":
      return Fault.poison(rule.marker)
    case "documentError":
      return Fault.documentError(rule.message)
    case "shortAnswer":
      return Fault.shortAnswer
    case "longAnswer":
      return Fault.longAnswer
    case "garbage":
      return Fault.garbage
  }
}

const pathPattern = (path: string): RegExp =>
  new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, "[^/]+")}$`)

const matches = ({ fileName, method, path, text }: FaultRule) => {
  const wanted = path === undefined ? undefined : pathPattern(path)
  return (request: Fault.Incoming): boolean =>
    (method === undefined || request.method === method.toUpperCase()) &&
    (wanted === undefined || wanted.test(request.path)) &&
    (text === undefined || request.texts.some((each) => each.includes(text))) &&
    (fileName === undefined || request.fileName === fileName)
}

const timesOf = ({ fault, probability, times }: FaultRule): number => {
  const isEndless = times === undefined ? fault === "poison" || probability !== undefined : times === "always"
  return isEndless ? Number.POSITIVE_INFINITY : Number(times ?? 1)
}

/**
 * The fault that a rule describes.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toFault = (rule: FaultRule): Fault.Fault =>
  kindOf(rule).pipe(
    Fault.where(matches(rule)),
    Fault.after(rule.after ?? 0),
    Fault.times(timesOf(rule)),
    Fault.probability(rule.probability ?? 1)
  )

/**
 * The settings that rules describe.
 *
 * @since 0.1.0
 * @category constructors
 */
export const toOptions: (rules: Rules) => Emulator.Options = ({ faults = [], ...rules }) => ({
  ...rules,
  faults: faults.map(toFault)
})

/**
 * A file of rules cannot be used. The message names the file, and each field with the rule that it breaks; never a value.
 *
 * @since 0.1.0
 * @category errors
 */
export class RulesError extends TaggedError<RulesError>()(
  "RulesError",
  {
    /** The path of the file. */
    file: Schema.String,
    /** The fault of the file as a whole. */
    reason: Schema.optional(Schema.String),
    /** The faults of its fields. */
    violations: Schema.Array(Violation.Violation)
  },
  ({ file, reason, violations }) => `${file}: ${reason ?? Violation.format(violations)}`
) {}

/**
 * Returns `true` for a {@link RulesError}.
 *
 * @since 0.1.0
 * @category guards
 */
export const isRulesError = is(RulesError)

const parse = (file: string, text: string): Effect.Effect<Rules, RulesError> =>
  Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => new RulesError({ file, reason: "is no JSON", violations: [] })
  }).pipe(
    Effect.flatMap((value) =>
      Effect.mapError(
        ParseResult.decodeUnknown(Rules)(value),
        (issue) => new RulesError({ file, violations: Violation.fromIssue(issue) })
      )
    )
  )

/**
 * Reads a file of rules: JSON, as {@link Rules} describes it.
 *
 * @since 0.1.0
 * @category constructors
 */
export const load = (file: string): Effect.Effect<Rules, RulesError, FileSystem.FileSystem> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(file)).pipe(
    Effect.mapError(() => new RulesError({ file, reason: "can't be read", violations: [] })),
    Effect.flatMap((text) => parse(file, text))
  )
