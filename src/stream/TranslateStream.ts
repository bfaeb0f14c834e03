/**
 * Streams of texts and rows through translation: packed into full requests, sent by a bounded number of fibers, one
 * outcome for each element.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Stream from "effect/Stream"
import type * as pipeline from "./internal/pipeline.js"
import type { MaybeText } from "./internal/row.js"
import * as stage from "./internal/stage.js"
import * as translating from "./internal/translating.js"
import type * as Outcome from "./Outcome.js"
import type { StreamError } from "./StreamError.js"
import * as Translator from "./Translator.js"

/**
 * The options of a translation, and how it runs. `showBilledCharacters` is always on: outcomes carry the cost.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends translating.Options {}

/**
 * What is kept out of the translation, and what becomes of a text of which something is lost all the same.
 *
 * @since 0.1.0
 * @category models
 */
export interface Placeholders extends translating.Placeholders {}

/**
 * The options of a translation, with the way texts leave and enter an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionsWith<A, T extends ReadonlyArray<MaybeText>, B> extends Options {
  /** The texts of an element; blanks, `null` and `undefined` are skipped. */
  readonly texts: (element: A) => T
  /** Makes the result from the element and its texts, translated where they were. */
  readonly replace: (element: A, texts: T) => B
}

/**
 * The fields of a row that hold texts.
 *
 * @since 0.1.0
 * @category models
 */
export type TextField<A> = { [K in keyof A]-?: A[K] extends MaybeText ? K : never }[keyof A] & string

type Fields<A, K> = [K] extends [TextField<A>] ? unknown : { readonly "is not a field with text": K }

type Translating<B, A, E, R> = Stream.Stream<
  Outcome.Outcome<B, A>,
  E | StreamError,
  R | Translator.Translator
>

const run = <A, B, E, R>(
  self: Stream.Stream<A, E, R>,
  options: Options,
  elements: pipeline.Elements<A, B>
): Translating<B, A, E, R> => {
  const sent = translating.sent(options)
  return stage.run(self, elements, {
    ...sent,
    connect: Effect.map(
      Translator.Translator,
      (translator) => (texts, instead) =>
        translator.translate(texts, instead === undefined ? sent.options : { ...sent.options, ...instead })
    )
  })
}

/** Rows may be instances of a class. */
const copy = <A extends object>(row: A): A =>
  Object.getPrototypeOf(row) === Object.prototype
    ? { ...row }
    : Object.assign(Object.create(Object.getPrototypeOf(row)), row)

/**
 * Translates a stream of texts.
 *
 * Blanks are passed through unbilled. The stream fails with `InvalidRequest` before anything is pulled if an option
 * breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome. Any other
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
    run(self, options, stage.texts)
)

/**
 * Translates some fields of the rows of a stream. A row is `Failed` if any of its fields is; `null` and missing
 * fields are skipped.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateFields: {
  <const K extends string>(
    fields: ReadonlyArray<K>,
    options: Options
  ): <A extends object, E, R>(self: Stream.Stream<A, E, R> & Fields<A, K>) => Translating<A, A, E, R>
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
      texts: (row) => names.map((name) => row[name as keyof A] as MaybeText),
      replace: (row, texts) => {
        const translated = copy(row)
        names.forEach((name, index) => {
          if (name in row) translated[name as keyof A] = texts[index] as A[keyof A]
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
  <const K extends string>(
    field: K,
    options: Options
  ): <A extends object, E, R>(self: Stream.Stream<A, E, R> & Fields<A, K>) => Translating<A, A, E, R>
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
  <A, T extends ReadonlyArray<MaybeText>, B>(
    options: OptionsWith<A, T, B>
  ): <E, R>(self: Stream.Stream<A, E, R>) => Translating<B, A, E, R>
  <A, E, R, T extends ReadonlyArray<MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: OptionsWith<A, T, B>
  ): Translating<B, A, E, R>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { replace, texts, ...options }: OptionsWith<A, T, B>
  ): Translating<B, A, E, R> => run(self, options, stage.elements(texts, replace))
)
