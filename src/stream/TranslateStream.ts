import * as Effect from "effect/Effect"
import { dual } from "effect/Function"
import type * as Stream from "effect/Stream"
import * as Translator from "../client/Translator.js"
import * as Row from "./internal/element.js"
import * as namespace from "./internal/namespace.js"
import { translation } from "./internal/options.js"
import { type Connection, runStream } from "./internal/runStream.js"
import type { Options } from "./internal/translateOptions.js"
import type * as Outcome from "./Outcome.js"

/**
 * Options and models of translating streams.
 *
 * @since 0.1.0
 * @category models
 */
export type { DedupeOptions, Options, Placeholders, SyntaxOptions } from "./internal/translateOptions.js"

/**
 * A text of an element. `null` and `undefined` are skipped.
 *
 * @since 0.1.0
 * @category models
 */
export type MaybeText = Row.MaybeText

/**
 * The options of a translation, with the way texts leave and enter an element.
 *
 * @since 0.1.0
 * @category models
 */
export interface OptionsWith<A, T extends ReadonlyArray<MaybeText>, B> extends Options {
  /** The texts of an element; blank ones, `null` and values of other types are skipped. */
  readonly texts: (element: A) => T
  /** Makes the result from the element and its texts, translated where they were. */
  readonly replace: (element: A, texts: T) => B
  /**
   * The most characters (code points) that the translation of the text at an index may have, for the check `maxLength`
   * of `verify`. @default no limit
   */
  readonly maxCharacters?: ((element: A, index: number) => number | undefined) | undefined
  /**
   * The machine's translation of the text at an index where there is one, such as in an earlier output: it is used like one of the store,
   * which comes first. @default none
   */
  readonly known?: ((element: A, index: number) => string | undefined) | undefined
}

/**
 * The fields of a row that hold texts.
 *
 * @since 0.1.0
 * @category models
 */
export type TextField<A> = { [K in keyof A]-?: A[K] extends MaybeText ? K : never }[keyof A] & string

/** True of the row of an operator that is made outside of a pipe. */
type IsOpen<A> = [object] extends [A] ? true : false

/**
 * The fields that an operator takes: any name while its row is not known, see {@link FieldsOperator}. It is checked where
 * the field stands, so that the compiler's first line names it.
 *
 * @since 0.1.0
 * @category models
 */
export type FieldOf<A> = IsOpen<A> extends true ? string : TextField<A>

type Fields<A, K> = [K] extends [TextField<A>] ? unknown : { readonly "is not a field with text": K }

/** The fields of `K` that take some strings only, such as literals or branded strings. */
type Narrow<A, K> = {
  [P in keyof A]-?: P extends K ? (string extends A[P] ? never : P) : never
}[keyof A]

/**
 * A row with translated fields: a field that takes some strings only, such as literals or branded strings, takes any string.
 *
 * @since 0.1.0
 * @category models
 */
export type TranslatedRow<A, K> = [Narrow<A, K>] extends [never]
  ? A
  : { [P in keyof A]: P extends Narrow<A, K> ? string | Exclude<A[P], string> : A[P] }

/**
 * The operator that translates fields, for rows that its place in a pipe tells, or else for those of the stream that it is given.
 *
 * @since 0.1.0
 * @category models
 */
export type FieldsOperator<A, K> =
  IsOpen<A> extends true
    ? <A extends object, E, R>(
        self: Stream.Stream<A, E, R> & Fields<A, K>
      ) => Stream.Stream<
        Outcome.Outcome<TranslatedRow<A, K>, A>,
        E | Outcome.StreamError,
        R | Translator.Translator
      >
    : <E, R>(
        self: Stream.Stream<A, E, R>
      ) => Stream.Stream<
        Outcome.Outcome<TranslatedRow<A, K>, A>,
        E | Outcome.StreamError,
        R | Translator.Translator
      >

const run = <A, B, E, R>(
  self: Stream.Stream<A, E, R>,
  options: Options,
  elements: Row.Elements<A, B>
): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | Translator.Translator> => {
  const requests = translation(options)
  const connect = Effect.map(
    Translator.Translator,
    (translator): Connection => ({
      send: (texts, context, lane) => {
        const { apart, options } = requests
        const given = lane === "plain" || apart === undefined ? options : apart[lane]
        return translator.translate(texts, context === undefined ? given : { ...given, context })
      },
      kind: translator.kind,
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
 * Blank texts are passed through unbilled, and so is whitespace around a text. The stream fails with `InvalidRequest` before anything is
 * pulled if an option breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome. Any other
 * failure is a `Failed` outcome of its element.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translate: {
  /**
   * Translates a stream of texts.
   *
   * Blank texts are passed through unbilled, and so is whitespace around a text. The stream fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome. Any other
   * failure is a `Failed` outcome of its element.
   */
  (
    options: Options
  ): <E, R>(
    self: Stream.Stream<string, E, R>
  ) => Stream.Stream<Outcome.Outcome<string, string>, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Translates a stream of texts.
   *
   * Blank texts are passed through unbilled, and so is whitespace around a text. The stream fails with `InvalidRequest` before anything is
   * pulled if an option breaks a rule; and after `Unauthorized` or `QuotaExceeded`, once everything pulled has its outcome. Any other
   * failure is a `Failed` outcome of its element.
   */
  <E, R>(
    self: Stream.Stream<string, E, R>,
    options: Options
  ): Stream.Stream<Outcome.Outcome<string, string>, E | Outcome.StreamError, R | Translator.Translator>
} = dual(2, <E, R>(self: Stream.Stream<string, E, R>, options: Options) => run(self, options, Row.texts))

/**
 * Translates some fields of the rows of a stream. A row is `Failed` if any of its fields is; `null` and missing
 * fields are skipped.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateFields: {
  /**
   * Translates some fields of the rows of a stream. A row is `Failed` if any of its fields is; `null` and missing
   * fields are skipped.
   */
  <A extends object, const K extends FieldOf<A>>(
    fields: ReadonlyArray<K>,
    options: Options
  ): FieldsOperator<A, K>
  /**
   * Translates some fields of the rows of a stream. A row is `Failed` if any of its fields is; `null` and missing
   * fields are skipped.
   */
  <A extends object, E, R, const K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    fields: ReadonlyArray<K>,
    options: Options
  ): Stream.Stream<
    Outcome.Outcome<TranslatedRow<A, K>, A>,
    E | Outcome.StreamError,
    R | Translator.Translator
  >
} = dual(
  3,
  <A extends object, E, R, K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    fields: ReadonlyArray<K>,
    options: Options
  ) => {
    const names = Array.from(new Set(fields))
    return run(self, options, {
      texts: (row) => names.map((name) => row[name] as MaybeText),
      replace: (row, texts) => {
        const translated = copy(row) as Record<string, unknown>
        names.forEach((name, index) => {
          // A value that is no text counts as missing, as an inherited method of this name.
          const text = texts[index]
          if (typeof text === "string") translated[name] = text
        })
        return translated as TranslatedRow<A, K>
      },
      field: (index) => names[index]!
    })
  }
)

/**
 * Translates one field of the rows of a stream.
 *
 * In a helper of generic rows (`A extends { title: string }`) use {@link translateWith}: of a type parameter the compiler
 * does not know which fields hold texts.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateField: {
  /**
   * Translates one field of the rows of a stream.
   *
   * In a helper of generic rows (`A extends { title: string }`) use {@link translateWith}: of a type parameter the compiler
   * does not know which fields hold texts.
   */
  <A extends object, const K extends FieldOf<A>>(field: K, options: Options): FieldsOperator<A, K>
  /**
   * Translates one field of the rows of a stream.
   *
   * In a helper of generic rows (`A extends { title: string }`) use {@link translateWith}: of a type parameter the compiler
   * does not know which fields hold texts.
   */
  <A extends object, E, R, const K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    field: K,
    options: Options
  ): Stream.Stream<
    Outcome.Outcome<TranslatedRow<A, K>, A>,
    E | Outcome.StreamError,
    R | Translator.Translator
  >
} = dual(
  3,
  <A extends object, E, R, K extends TextField<A>>(
    self: Stream.Stream<A, E, R>,
    field: K,
    options: Options
  ) => translateFields(self, [field], options)
)

/**
 * Translates the texts that a function finds in the elements of a stream, and puts them back with another.
 *
 * @since 0.1.0
 * @category combinators
 */
export const translateWith: {
  /**
   * Translates the texts that a function finds in the elements of a stream, and puts them back with another.
   */
  <A, T extends ReadonlyArray<MaybeText>, B>(
    options: OptionsWith<A, T, B>
  ): <E, R>(
    self: Stream.Stream<A, E, R>
  ) => Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | Translator.Translator>
  /**
   * Translates the texts that a function finds in the elements of a stream, and puts them back with another.
   */
  <A, E, R, T extends ReadonlyArray<MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    options: OptionsWith<A, T, B>
  ): Stream.Stream<Outcome.Outcome<B, A>, E | Outcome.StreamError, R | Translator.Translator>
} = dual(
  2,
  <A, E, R, T extends ReadonlyArray<MaybeText>, B>(
    self: Stream.Stream<A, E, R>,
    { known, maxCharacters, replace, texts, ...options }: OptionsWith<A, T, B>
  ) => run(self, options, Row.elements({ known, maxCharacters, replace, texts }))
)
