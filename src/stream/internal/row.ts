import * as Text from "../../api/Text.js"
import * as Young from "../../api/Young.js"
import type * as Outcome from "../Outcome.js"
import type * as Placeholder from "../Placeholder.js"
import * as Segmenter from "../Segmenter.js"

export type MaybeText = string | null | undefined

const none: Array<never> = []

/** An element on its way, with what is known of its texts so far. A class for the same reason as `Young`. */
export class Row<A> {
  /** Texts without an answer yet. */
  pending: number
  isComplete = false
  /** One for each text, once the first has come. */
  translations: Array<Text.Translation | undefined> = none
  /** One for each text, once the first has failed. */
  failures: Array<Outcome.Failure | undefined> = none
  failed = 0
  cached = 0
  characters = 0
  ambiguousCharacters = 0

  constructor(
    readonly source: A,
    readonly texts: ReadonlyArray<MaybeText>,
    readonly skipped: number
  ) {
    this.pending = texts.length - skipped
  }
}

/** A text that is sent in parts, with what is known of these so far. A part may have parts in turn. */
export interface Parts {
  readonly whole: Slot<unknown>
  readonly segments: ReadonlyArray<Segmenter.Segment>
  readonly translations: Array<Text.Translation | undefined>
  pending: number
  failure: Outcome.Failure | undefined
}

/** One text of a row, or a part of one, as it goes into a batch. */
export interface Field<A> {
  readonly row: Row<A>
  readonly index: number
  readonly parts: Parts | undefined
  readonly part: number
  /** What was protected in what is sent. */
  readonly kept: Placeholder.Protected | undefined
}

/** What goes into a batch: the row itself if it has only one text. */
export type Slot<A> = Row<A> | Field<A>

/** Blanks are no texts: they pass through unbilled. */
export const isText = (text: MaybeText): text is string =>
  text !== null && text !== undefined && text.trim() !== ""

export const rowOf = <A>(slot: Slot<A>): Row<A> => ("row" in slot ? slot.row : slot)

export const indexOf = (slot: Slot<unknown>): number => ("row" in slot ? slot.index : 0)

export const keptOf = (slot: Slot<unknown>): Placeholder.Protected | undefined =>
  "row" in slot ? slot.kept : undefined

/** The text of a slot as it came. */
export const textOf = (slot: Slot<unknown>): string =>
  "row" in slot && slot.parts !== undefined
    ? slot.parts.segments[slot.part]!.text
    : rowOf(slot).texts[indexOf(slot)]!

/** The text of a row. */
export const field = <A>(row: Row<A>, index: number): Field<A> => ({
  row,
  index,
  parts: undefined,
  part: 0,
  kept: undefined
})

/** The same text, sent with what is kept of it, or without. */
export const keeping = <A>(slot: Slot<A>, kept: Placeholder.Protected | undefined): Slot<A> => ({
  ...("row" in slot ? slot : field(slot, 0)),
  kept
})

/** A text in parts. */
export const split = <A>(
  slot: Slot<A>,
  segments: ReadonlyArray<Segmenter.Segment>
): ReadonlyArray<Field<A>> => {
  const parts = {
    whole: slot,
    segments,
    translations: new Array<undefined>(segments.length),
    pending: segments.length,
    failure: undefined
  }
  return segments.map((_, part) => ({ ...field(rowOf(slot), indexOf(slot)), parts, part }))
}

export const make = <A>(source: A, texts: ReadonlyArray<MaybeText>): Row<A> => {
  let skipped = 0
  for (const text of texts) if (!isText(text)) skipped++
  return new Row(source, texts, skipped)
}

/** The texts of a row that are to be translated. */
export const forEachText = <A>(row: Row<A>, use: (slot: Slot<A>, text: string) => void): void => {
  if (row.texts.length === 1 && row.pending === 1) use(row, row.texts[0]!)
  else {
    for (let index = 0; index < row.texts.length; index++) {
      const text = row.texts[index]
      if (isText(text)) use(field(row, index), text)
    }
  }
}

/** Completes a row of which no text is pending: true the first time only, as equal texts of a row end together. */
export const complete = (row: Row<unknown>): boolean => {
  if (row.isComplete || row.pending > 0) return false
  row.isComplete = true
  return true
}

/** Attempts of unknown fate may have been billed, by what was sent. */
export const chargeAmbiguous = (slot: Slot<unknown>, sent: string, attempts: number): void => {
  rowOf(slot).ambiguousCharacters += attempts * Text.characters(sent)
}

/** A text was billed. */
export const charge = (slot: Slot<unknown>, sent: string, { billedCharacters }: Text.Translation): void => {
  rowOf(slot).characters += billedCharacters ?? Text.characters(sent)
}

/** A text has its translation. */
export const translated = (slot: Slot<unknown>, translation: Text.Translation): void => {
  const row = rowOf(slot)
  row.pending--
  if (row.texts.length === 1) row.translations = Young.listOf(translation)
  else {
    if (row.translations === none) row.translations = new Array(row.texts.length)
    row.translations[indexOf(slot)] = translation
  }
}

const join = ({ segments, translations }: Parts): Text.Translation => ({
  ...translations[0]!,
  text: Segmenter.join(
    segments,
    translations.map((translation) => translation!.text)
  ),
  billedCharacters: translations.reduce((sum, translation) => sum + (translation!.billedCharacters ?? 0), 0)
})

/** A part got its translation. Answers with that of its whole, or why there is none, once all parts are there. */
export const assemble = (
  parts: Parts,
  part: number,
  translation: Text.Translation
): Text.Translation | Outcome.Failure | undefined => {
  parts.translations[part] = translation
  if (--parts.pending > 0) return undefined
  return parts.failure ?? join(parts)
}

/** A text has the translation of an equal one. */
export const cached = (slot: Slot<unknown>, translation: Text.Translation): void => {
  rowOf(slot).cached++
  translated(slot, translation)
}

/** A text, or a part of one, will not be translated. Answers whether nothing of the text is open any more. */
export const failed = (slot: Slot<unknown>, failure: Outcome.Failure): boolean => {
  if ("row" in slot && slot.parts !== undefined) {
    const { parts } = slot
    parts.failure ??= failure
    return --parts.pending === 0 && failed(parts.whole, parts.failure)
  }
  const row = rowOf(slot)
  if (row.failures === none) row.failures = new Array(row.texts.length)
  row.failures[indexOf(slot)] = failure
  row.pending--
  row.failed++
  return true
}

const textsOf = (translated: number, cached: number, skipped: number, failed: number): Outcome.Texts => ({
  translated,
  cached,
  skipped,
  failed
})

/** What most outcomes share. */
const oneTranslated = textsOf(1, 0, 0, 0)

const Cost = Young.constructorOf<Outcome.Cost, [number, number]>(function (characters, ambiguousCharacters) {
  this.characters = characters
  this.ambiguousCharacters = ambiguousCharacters
})

const Translated = Young.constructorOf<
  Outcome.Translated<unknown, unknown>,
  [unknown, unknown, Outcome.Texts, Outcome.Cost, Array<Text.Translation | undefined>]
>(function (source, value, texts, cost, translations) {
  this._tag = "Translated"
  this.source = source
  this.value = value
  this.texts = texts
  this.cost = cost
  this.translations = translations
})

const withTranslations = ({ texts, translations }: Row<unknown>): ReadonlyArray<MaybeText> =>
  texts.map((text, index) => translations[index]?.text ?? text)

/** The outcome of a row without pending texts. */
export const toOutcome = <A, B>(
  row: Row<A>,
  replace: (source: A, texts: ReadonlyArray<MaybeText>) => B
): Outcome.Outcome<B, A> => {
  const { cached, failed, skipped, source, translations } = row
  const translated = row.texts.length - skipped - failed - cached
  const texts =
    translated === 1 && row.texts.length === 1 ? oneTranslated : textsOf(translated, cached, skipped, failed)
  const value = replace(source, withTranslations(row))
  const cost = new Cost(row.characters, row.ambiguousCharacters)
  if (failed > 0) {
    const [first, ...others] = row.failures.filter((failure) => failure !== undefined)
    return { _tag: "Failed", source, value, texts, cost, translations, failures: [first!, ...others] }
  }
  if (translated > 0)
    return new Translated(source, value, texts, cost, translations) as Outcome.Translated<B, A>
  return cached > 0
    ? { _tag: "Cached", source, value, texts, cost, translations }
    : { _tag: "Skipped", source, value, texts, cost }
}
