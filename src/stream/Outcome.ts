/**
 * The outcome of each element of a stream, and its cost. In every run `in = translated + cached + skipped + failed`,
 * counted in texts.
 *
 * @since 0.1.0
 */
import * as Channel from "effect/Channel"
import * as Chunk from "effect/Chunk"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"
import type * as Text from "../api/Text.js"
import type * as TranslateError from "../client/TranslateError.js"
import type { StoreError } from "../store/StoreError.js"
import type * as Check from "../text/Check.js"
import type { NotUnderstood } from "../text/Syntax.js"
import type { BudgetExceeded } from "./Budget.js"
import type { FailedBefore } from "./FailedBefore.js"
import type { ImplausibleAnswers } from "./ImplausibleAnswers.js"
import type { TranslationRefused } from "./Verification.js"

/**
 * Why a text or a whole stream fails: a call failed, the budget is used up, the service has failed with the text before, the text holds
 * syntax that is not understood, a translation was refused by checks, or the store failed.
 *
 * @since 0.1.0
 * @category errors
 */
export type StreamError =
  | TranslateError.TranslateError
  | BudgetExceeded
  | FailedBefore
  | ImplausibleAnswers
  | NotUnderstood
  | TranslationRefused
  | StoreError

/**
 * The billed characters (code points).
 *
 * @since 0.1.0
 * @category models
 */
export interface Cost {
  /** Billed characters: the service's count, or else the characters of the texts. */
  readonly characters: number
  /** Characters of attempts whose result is unknown. They may have been billed as well. */
  readonly ambiguousCharacters: number
}

/**
 * The counts of texts by outcome.
 *
 * @since 0.1.0
 * @category models
 */
export interface Texts {
  readonly translated: number
  /** Equal to a text that was paid for before. */
  readonly cached: number
  /** Blank, `null`, missing, or nothing but placeholders: passed through, unbilled. */
  readonly skipped: number
  readonly failed: number
  /** Those with a translation that looks wrong to a check, and was kept. @default none */
  readonly flagged?: number | undefined
  /** Those with a translation that a check which asks somebody has not looked at. @default none */
  readonly unasked?: number | undefined
}

/**
 * The common fields of outcomes.
 *
 * @since 0.1.0
 * @category models
 */
export interface Common<B, A> {
  /** The element as it came. */
  readonly source: A
  /** The element with its translations; a text without a translation stays as in the source. */
  readonly value: B
  /** The counts of the element's texts by outcome. */
  readonly texts: Texts
  readonly cost: Cost
}

/**
 * A text of the element whose translation looks wrong, and was kept.
 *
 * @since 0.1.0
 * @category models
 */
export interface Flagged {
  /** The field's name, or the text's position where fields have no names. */
  readonly field: string | number
  /** Their ranges are in the text and in the translation, with the whitespace around them. */
  readonly findings: ReadonlyArray<Check.Finding>
}

/**
 * A text of the element whose translation checks that ask somebody have not looked at.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unasked {
  /** The field's name, or the text's position where fields have no names. */
  readonly field: string | number
  readonly checks: ReadonlyArray<Check.Unasked>
}

/**
 * Every text that is not blank was translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Translated<B, A = B> extends Common<B, A> {
  readonly _tag: "Translated"
  /** The translation of each text; `undefined` for a skipped one. */
  readonly translations: ReadonlyArray<Text.Translation | undefined>
  /** Where the `cached` texts are, if others were translated. */
  readonly cachedTexts?: ReadonlyArray<number> | undefined
  /** The findings of checks. @default nothing */
  readonly flagged?: ReadonlyArray<Flagged> | undefined
  /** Texts that checks have not looked at. @default none */
  readonly unasked?: ReadonlyArray<Unasked> | undefined
}

/**
 * Nothing had to be paid: the translations were there.
 *
 * @since 0.1.0
 * @category models
 */
export interface Cached<B, A = B> extends Common<B, A> {
  readonly _tag: "Cached"
  /** The translation of each text; `undefined` for a skipped one. */
  readonly translations: ReadonlyArray<Text.Translation | undefined>
  /** The findings of checks. @default nothing */
  readonly flagged?: ReadonlyArray<Flagged> | undefined
  /** Texts that checks have not looked at. @default none */
  readonly unasked?: ReadonlyArray<Unasked> | undefined
}

/**
 * The element holds no text that could be translated: passed through as it came.
 *
 * @since 0.1.0
 * @category models
 */
export interface Skipped<B, A = B> extends Common<B, A> {
  readonly _tag: "Skipped"
}

/**
 * A text of the element that was not translated.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failure<E = StreamError> {
  /** The field's name, or the text's position where fields have no names. */
  readonly field: string | number
  readonly error: E
}

/**
 * At least one text of the element was not translated; the paid translations of others are in `value`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Failed<B, A = B, E = StreamError> extends Common<B, A> {
  readonly _tag: "Failed"
  /** The translation of each text; `undefined` for a skipped or failed one. */
  readonly translations: ReadonlyArray<Text.Translation | undefined>
  /** The texts that were not translated. */
  readonly failures: readonly [Failure<E>, ...Array<Failure<E>>]
  /** Where the `cached` texts are, if others were translated. */
  readonly cachedTexts?: ReadonlyArray<number> | undefined
  /** The findings of checks. @default nothing */
  readonly flagged?: ReadonlyArray<Flagged> | undefined
  /** Texts that checks have not looked at. @default none */
  readonly unasked?: ReadonlyArray<Unasked> | undefined
}

/**
 * The outcome of an element `A` that should become a `B`. `E` are the errors that a text fails with.
 *
 * @since 0.1.0
 * @category models
 */
export type Outcome<B, A = B, E = StreamError> =
  | Translated<B, A>
  | Cached<B, A>
  | Skipped<B, A>
  | Failed<B, A, E>

/**
 * Returns `true` if a text of the element was not translated.
 *
 * @since 0.1.0
 * @category guards
 */
export const isFailed = <B, A, E>(outcome: Outcome<B, A, E>): outcome is Failed<B, A, E> =>
  outcome._tag === "Failed"

/**
 * True if the text at a position of the element, which has a translation, is `cached`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isCachedText = <B, A, E>(outcome: Outcome<B, A, E>, position: number): boolean =>
  "cachedTexts" in outcome && outcome.cachedTexts !== undefined
    ? outcome.cachedTexts.includes(position)
    : outcome.texts.cached > 0

/**
 * The texts of the element whose translations look wrong, and were kept.
 *
 * @since 0.1.0
 * @category combinators
 */
export const flaggedOf = <B, A, E>(outcome: Outcome<B, A, E>): ReadonlyArray<Flagged> =>
  ("flagged" in outcome ? outcome.flagged : undefined) ?? []

/**
 * The translated elements, in order, up to the first failed one: that fails the stream with its error.
 *
 * @since 0.1.0
 * @category combinators
 */
export const orFail = <B, A, F, E, R>(
  self: Stream.Stream<Outcome<B, A, F>, E, R>
): Stream.Stream<B, E | F, R> => {
  const values: Channel.Channel<
    Chunk.Chunk<B>,
    Chunk.Chunk<Outcome<B, A, F>>,
    E | F,
    E,
    unknown,
    unknown
  > = Channel.readWithCause({
    onInput: (chunk: Chunk.Chunk<Outcome<B, A, F>>) => {
      const found: Array<B> = []
      for (const outcome of Chunk.toReadonlyArray(chunk)) {
        if (isFailed(outcome)) {
          return Channel.zipRight(
            Channel.write(Chunk.unsafeFromArray(found)),
            Channel.fail(outcome.failures[0].error)
          )
        }
        found.push(outcome.value)
      }
      return Channel.zipRight(Channel.write(Chunk.unsafeFromArray(found)), values)
    },
    onFailure: Channel.failCause,
    onDone: Channel.succeed
  })
  return Stream.pipeThroughChannel(self, values)
}

/**
 * Every element; a text that was not translated stays as in the source.
 *
 * @since 0.1.0
 * @category combinators
 */
export const orElseSource = <B, A, F, E, R>(
  self: Stream.Stream<Outcome<B, A, F>, E, R>
): Stream.Stream<B, E, R> => Stream.map(self, ({ value }) => value)

/**
 * Adds up the texts of outcomes, or of sums, by outcome.
 *
 * @since 0.1.0
 * @category combinators
 */
export const sumTexts = (summands: Iterable<Pick<Common<unknown, unknown>, "texts">>): Texts => {
  let [translated, cached, skipped, failed, flagged, unasked] = [0, 0, 0, 0, 0, 0]
  for (const { texts } of summands) {
    translated += texts.translated
    cached += texts.cached
    skipped += texts.skipped
    failed += texts.failed
    flagged += texts.flagged ?? 0
    unasked += texts.unasked ?? 0
  }
  const sum = { translated, cached, skipped, failed }
  return flagged + unasked === 0
    ? sum
    : { ...sum, ...(flagged === 0 ? {} : { flagged }), ...(unasked === 0 ? {} : { unasked }) }
}

/**
 * A sum over outcomes: `in = translated + cached + skipped + failed`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Tally extends Texts, Cost {
  /** Texts that were pulled. */
  readonly in: number
}

/**
 * The sum over no outcomes.
 *
 * @since 0.1.0
 * @category constants
 */
export const zero: Tally = {
  in: 0,
  translated: 0,
  cached: 0,
  skipped: 0,
  failed: 0,
  characters: 0,
  ambiguousCharacters: 0
}

/**
 * Adds an outcome to a sum, or the texts and the cost of one.
 *
 * @since 0.1.0
 * @category combinators
 */
export const add: (sum: Tally, common: Pick<Common<unknown, unknown>, "texts" | "cost">) => Tally = (
  sum,
  { cost, texts }
) => ({
  in: sum.in + texts.translated + texts.cached + texts.skipped + texts.failed,
  ...sumTexts([{ texts: sum }, { texts }]),
  characters: sum.characters + cost.characters,
  ambiguousCharacters: sum.ambiguousCharacters + cost.ambiguousCharacters
})

/**
 * Adds up the texts and the cost of all outcomes.
 *
 * @since 0.1.0
 * @category combinators
 */
export const tally: Sink.Sink<Tally, Outcome<unknown, unknown, unknown>> = Sink.foldLeft(zero, add)
