/**
 * Streams of texts and rows through translation: packed into full requests, sent by a bounded number of fibers, one
 * outcome for each element.
 *
 * @since 0.1.0
 */
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Stream from "effect/Stream"
import type * as Text from "../api/Text.js"
import type * as TranslateError from "../client/TranslateError.js"
import type * as TranslationStore from "../store/TranslationStore.js"
import type * as MessageFormat from "../text/MessageFormat.js"
import type * as Placeholder from "../text/Placeholder.js"
import type * as Budget from "./Budget.js"
import * as Row from "./internal/element.js"
import * as namespace from "./internal/namespace.js"
import { defaultConcurrency as concurrencyOfStreams, translation } from "./internal/options.js"
import { type Connection, runStream } from "./internal/runStream.js"
import type * as Outcome from "./Outcome.js"
import type * as Progress from "./Progress.js"
import type * as ServiceLimits from "./ServiceLimits.js"
import * as Translator from "./Translator.js"
import type * as Verification from "./Verification.js"

/**
 * The options of a translation, and how it runs. `showBilledCharacters` is always on: outcomes carry the cost.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Omit<Text.TranslateOptions, "showBilledCharacters"> {
  /** Most requests in flight; the `ConcurrencyLimit` may allow fewer. @default 8 */
  readonly concurrency?: number | undefined
  /** Emits outcomes as they come instead of in the order of the elements. @default false */
  readonly unordered?: boolean | undefined
  /** Most texts of a request. @default 50, the most that the service takes */
  readonly maxTexts?: number | undefined
  /** Most bytes of a body; a text that takes more by itself is sent alone. @default 131072, the most that the service takes */
  readonly maxBytes?: number | undefined
  /**
   * How long texts wait for more of a slow source until their request is full: from the first of them on. What the source
   * gave last is sent at once. @default until the source has nothing more to give and no request is in flight
   */
  readonly linger?: Duration.DurationInput | undefined
  /**
   * What becomes of a text that fits into no request: it is cut into segments, or it is `Failed` with
   * its size. @default "segment"
   */
  readonly oversized?: "segment" | "fail" | undefined
  /**
   * How many characters around a segment go with it as its context; each segment is a request of its own then.
   * @default 0
   */
  readonly segmentContext?: number | undefined
  /**
   * Sends equal texts once, blanks around them aside: the first is paid for, the others are `Cached`. With a `store` they always
   * are. @default false
   */
  readonly dedupe?: boolean | DedupeOptions | undefined
  /**
   * Keeps placeholders out of the translation, and checks that all of them came back. A text that has lost one is `Failed` with
   * `TranslationRefused`, unless `verify` has another policy for `placeholders`. @default none
   */
  readonly placeholders?: Placeholders | undefined
  /** Checks translations for what looks wrong, and says what becomes of them then. @default nothing is checked */
  readonly verify?: Verification.Options | undefined
  /**
   * What may be spent, in characters, by this stream or by all that have the same `Budget`; `BudgetExceeded` ends the stream
   * before it is. @default no limit
   */
  readonly budget?: Budget.Service | number | undefined
  /** Receives the progress of this stream. @default none */
  readonly progress?: Pick<Progress.Progress, "observe"> | undefined
  /**
   * What was paid for, by this stream and by others: what it knows is `Cached`, and what was translated is stored before its
   * outcome leaves. A text is sent by one stream at a time. A store that fails ends the stream. @default none
   */
  readonly store?: TranslationStore.Service | undefined
  /**
   * What is known of the service already, and shared with other streams of the same account. @default nothing: each
   * stream begins with one request at a time, until the service has accepted its options
   */
  readonly serviceLimits?: ServiceLimits.ServiceLimits | undefined
}

/**
 * What is kept out of the translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Placeholders extends Omit<Placeholder.Options, "tagHandling"> {
  /**
   * The format of texts that are messages with arguments and branches: `IcuMessage.format` of `effect-translate/icu`. Each
   * branch is translated as a whole sentence, and the message counts as one text. A text that is no such message is
   * protected as any other. @default none: texts are no messages
   */
  readonly messageFormat?: MessageFormat.MessageFormat | undefined
}

/**
 * How much a stream remembers of what it has translated, so that equal texts are sent once. The least recently used
 * goes first.
 *
 * @since 0.1.0
 * @category models
 */
export interface DedupeOptions {
  /** Most texts. @default 1000 */
  readonly texts?: number | undefined
  /** Most bytes of texts and translations in memory. @default 8388608, which is 8 MiB */
  readonly bytes?: number | undefined
}

/**
 * The options of a translation, with the way texts leave and enter an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionsWith<A, T extends ReadonlyArray<Row.MaybeText>, B> extends Options {
  /** The texts of an element; blanks, `null` and whatever else is no text are skipped. */
  readonly texts: (element: A) => T
  /** Makes the result from the element and its texts, translated where they were. */
  readonly replace: (element: A, texts: T) => B
  /**
   * The most characters (code points) that the translation of the text at an index may have: what the check `maxLength` of `verify` goes
   * by. @default no limit
   */
  readonly maxCharacters?: ((element: A, index: number) => number | undefined) | undefined
}

/**
 * The fields of a row that hold texts.
 *
 * @since 0.1.0
 * @category models
 */
export type TextField<A> = { [K in keyof A]-?: A[K] extends Row.MaybeText ? K : never }[keyof A] & string

/** Whether the row of an operator is not known yet, since it is made outside of a pipe. */
type IsOpen<A> = [object] extends [A] ? true : false

/** Checked where the field stands, so that the compiler's first line names it. */
type FieldOf<A> = IsOpen<A> extends true ? string : TextField<A>

type Fields<A, K> = [K] extends [TextField<A>] ? unknown : { readonly "is not a field with text": K }

type Translating<B, A, E, R> = Stream.Stream<
  Outcome.Outcome<B, A>,
  E | Outcome.StreamError,
  R | Translator.Translator
>

type TranslatingFields<A, K> =
  IsOpen<A> extends true
    ? <A extends object, E, R>(self: Stream.Stream<A, E, R> & Fields<A, K>) => Translating<A, A, E, R>
    : <E, R>(self: Stream.Stream<A, E, R>) => Translating<A, A, E, R>

const run = <A, B, E, R>(
  self: Stream.Stream<A, E, R>,
  options: Options,
  elements: Row.Elements<A, B>
): Translating<B, A, E, R> => {
  const requests = translation(options)
  const connect = Effect.map(
    Translator.Translator,
    (translator): Connection => ({
      send: (texts, context) =>
        translator.translate(
          texts,
          context === undefined ? requests.options : { ...requests.options, context }
        ),
      namespace: namespace.ofTranslator(translator, requests, options)
    })
  )
  return runStream(self, elements, requests, options, connect)
}

/** Rows may be instances of a class. */
const copy = <A extends object>(row: A): A =>
  Object.getPrototypeOf(row) === Object.prototype
    ? { ...row }
    : Object.assign(Object.create(Object.getPrototypeOf(row)), row)

/**
 * Translates a stream of texts.
 *
 * Blanks are passed through unbilled, also those around a text. The stream fails with `InvalidRequest` before anything is
 * pulled if an option breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome. Any other
 * failure is a `Failed` outcome of its element.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  (options: Options): <E, R>(self: Stream.Stream<string, E, R>) => Translating<string, string, E, R>
  <E, R>(self: Stream.Stream<string, E, R>, options: Options): Translating<string, string, E, R>
} = dual(
  2,
  <E, R>(self: Stream.Stream<string, E, R>, options: Options): Translating<string, string, E, R> =>
    run(self, options, Row.texts)
)

/**
 * Translates some fields of the rows of a stream. A row is `Failed` if any of its fields is; `null` and missing
 * fields are skipped.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateFields: {
  <A extends object, const K extends FieldOf<A>>(
    fields: ReadonlyArray<K>,
    options: Options
  ): TranslatingFields<A, K>
  <A extends object, E, R, const K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    fields: ReadonlyArray<K>,
    options: Options
  ): Translating<A, A, E, R>
} = dual(
  3,
  <A extends object, E, R>(
    self: Stream.Stream<A, E, R>,
    fields: ReadonlyArray<string>,
    options: Options
  ): Translating<A, A, E, R> => {
    const names = Array.from(new Set(fields))
    return run(self, options, {
      texts: (row) => names.map((name) => row[name as keyof A] as Row.MaybeText),
      replace: (row, texts) => {
        const translated = copy(row)
        names.forEach((name, index) => {
          // What is no text is missing, as an inherited method of this name is.
          const text = texts[index]
          if (typeof text === "string") translated[name as keyof A] = text as A[keyof A]
        })
        return translated
      },
      field: (index) => names[index]!
    })
  }
)

/**
 * Translates one field of the rows of a stream.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateField: {
  <A extends object, const K extends FieldOf<A>>(field: K, options: Options): TranslatingFields<A, K>
  <A extends object, E, R, const K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    field: K,
    options: Options
  ): Translating<A, A, E, R>
} = dual(
  3,
  <A extends object, E, R, const K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    field: K,
    options: Options
  ): Translating<A, A, E, R> => translateFields(self, [field], options)
)

/**
 * Translates the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateWith: {
  <A, T extends ReadonlyArray<Row.MaybeText>, B>(
    options: OptionsWith<A, T, B>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Translating<B, A, E, R>
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: OptionsWith<A, T, B>
  ): Translating<B, A, E, R>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<Row.MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { maxCharacters, replace, texts, ...options }: OptionsWith<A, T, B>
  ): Translating<B, A, E, R> => run(self, options, Row.elements(texts, replace, maxCharacters))
)

/**
 * What a person chooses of what translations depend on, as hashes: options, the service, and what glossaries and style rules hold. The
 * account is no part of it, so that all who translate a project get the same.
 *
 * @internal
 */
export const choicesOf = (
  options: Options
): Effect.Effect<namespace.Choices, TranslateError.TranslateError, Translator.Translator> =>
  Effect.flatMap(Translator.Translator, ({ identify }) =>
    Effect.map(identify?.(translation(options).options) ?? Effect.succeed({}), (identity) =>
      namespace.choicesOf(options, identity)
    )
  )

/**
 * The hash of options among those of {@link choicesOf}, for which no service is asked.
 *
 * @internal
 */
export const hashOfOptions: (options: Options) => string = namespace.hashOfOptions

/**
 * How many requests are in flight unless `concurrency` says otherwise.
 *
 * @internal
 */
export const defaultConcurrency: number = concurrencyOfStreams
