import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Violation from "../../api/Violation.js"
import * as Young from "../../api/Young.js"
import * as TranslateError from "../../client/TranslateError.js"
import type * as Outcome from "../Outcome.js"
import type * as Progress from "../Progress.js"
import type { StreamError } from "../StreamError.js"
import * as pipeline from "./pipeline.js"
import type { MaybeText } from "./row.js"

/** Elements that are texts themselves. */
export const texts: pipeline.Elements<string, string> = {
  texts: (text) => Young.listOf(text),
  replace: (_, [text]) => text as string,
  field: () => "text"
}

/** Elements of which functions know the texts. */
export const elements = <A, T extends ReadonlyArray<MaybeText>, B>(
  texts: (element: A) => T,
  replace: (element: A, texts: T) => B
): pipeline.Elements<A, B> => ({
  texts,
  replace: (element, found) => replace(element, found as T),
  field: (index) => index
})

/** What a stage sends, as its caller wants it. */
export interface Sent<O extends Progress.Languages, I>
  extends Omit<pipeline.Requests, "overheadBytes" | "send">,
    Partial<pipeline.Extras> {
  /** What goes with every batch, and the schema that checks it. */
  readonly options: O
  readonly schema: Schema.Schema<O, I>
  /** The option that may take all the room of a body. */
  readonly growing: string
  /** What is wrong with the options besides. */
  readonly refused?: ReadonlyArray<Violation.Violation>
  readonly concurrency: number | undefined
  readonly unordered: boolean | undefined
}

export interface Options<O extends Progress.Languages, I, S> extends Sent<O, I> {
  /** Finds the service that takes the batches. */
  readonly connect: Effect.Effect<pipeline.Requests["send"], never, S>
}

/** A stage without its elements and its service. */
export type Prepared = Omit<
  pipeline.Stage<unknown, unknown>,
  keyof pipeline.Elements<unknown, unknown> | "send"
>

/** What is wrong with an option that must be a whole number. */
export const wholeNumber = (
  field: string,
  value: number,
  least: number
): ReadonlyArray<Violation.Violation> =>
  Number.isInteger(value) && value >= least
    ? []
    : [{ field, rule: `is ${value}; it must be a whole number of at least ${least}` }]

/** The bytes of a body without its texts. */
const overhead = <O extends Progress.Languages, I>({
  growing,
  maxBytes,
  options,
  schema
}: Sent<O, I>): Either.Either<number, ReadonlyArray<Violation.Violation>> =>
  Schema.encodeUnknownEither(schema)(options).pipe(
    Either.mapLeft((error) => Violation.fromIssue(error.issue)),
    Either.map((encoded) => new TextEncoder().encode(JSON.stringify({ text: [], ...encoded })).length),
    Either.filterOrLeft(
      (bytes) => bytes < maxBytes,
      (bytes) => [
        {
          field: growing,
          rule: `and options alone take ${bytes} bytes; the limit of a body is ${maxBytes}: shorten the ${growing}`
        }
      ]
    )
  )

const languagesOf = ({ sourceLang, targetLang }: Progress.Languages): Progress.Languages => ({
  sourceLang: sourceLang && LanguageCode.canonical(sourceLang),
  targetLang: targetLang && LanguageCode.canonical(targetLang)
})

/** The options, checked, and the bytes that they take in a body. */
export const prepare = <O extends Progress.Languages, I>(
  options: Sent<O, I>
): Either.Either<Prepared, TranslateError.InvalidRequest> => {
  const { concurrency = 8, endpoint, maxBytes, maxTexts, unordered = false } = options
  const refused = [...wholeNumber("concurrency", concurrency, 1), ...(options.refused ?? [])]
  return overhead(options).pipe(
    Either.filterOrLeft(
      () => refused.length === 0,
      () => refused
    ),
    Either.mapLeft((violations) => TranslateError.invalidRequest(endpoint, violations)),
    Either.map((overheadBytes) => ({
      endpoint,
      overheadBytes,
      maxBytes,
      maxTexts,
      concurrency,
      ordered: !unordered,
      languages: languagesOf(options.options),
      segments: options.segments,
      placeholders: options.placeholders,
      retryUnprotected: options.retryUnprotected ?? false,
      duplicates: options.duplicates,
      budget: options.budget,
      progress: options.progress
    }))
  )
}

/** Runs elements through an endpoint. Options are checked before anything is pulled. */
export const run = <A, B, E, R, O extends Progress.Languages, I, S>(
  self: Stream.Stream<A, E, R>,
  elements: pipeline.Elements<A, B>,
  options: Options<O, I, S>
): Stream.Stream<Outcome.Outcome<B, A>, E | StreamError, R | S> =>
  Stream.unwrap(
    Effect.zipWith(prepare(options), options.connect, (prepared, send) =>
      pipeline.run(self, { ...elements, ...prepared, send })
    )
  )
