import * as Text from "../../api/Text.js"
import type * as Outcome from "../Outcome.js"

export type MaybeText = string | null | undefined

/** An element on its way, with what is known of its texts so far. */
export interface Row<A> {
  readonly source: A
  readonly texts: ReadonlyArray<MaybeText>
  readonly skipped: number
  /** Texts without an answer yet. */
  pending: number
  /** One for each text, once the first has come. */
  translations: Array<Text.Translation | undefined>
  /** One for each text, once the first has failed. */
  failures: Array<Outcome.Failure | undefined>
  failed: number
  characters: number
  ambiguousCharacters: number
}

/** Blanks are no texts: they pass through unbilled. */
export const isText = (text: MaybeText): text is string =>
  text !== null && text !== undefined && /\S/.test(text)

/** One text of a row, as it goes into a batch; the row itself if it has only one. */
export type Slot<A> = Row<A> | { readonly row: Row<A>; readonly index: number }

export const rowOf = <A>(slot: Slot<A>): Row<A> => ("row" in slot ? slot.row : slot)

export const indexOf = (slot: Slot<unknown>): number => ("row" in slot ? slot.index : 0)

const none: Array<never> = []

export const make = <A>(source: A, texts: ReadonlyArray<MaybeText>): Row<A> => {
  let skipped = 0
  for (const text of texts) if (!isText(text)) skipped++
  return {
    source,
    texts,
    skipped,
    pending: texts.length - skipped,
    translations: none,
    failures: none,
    failed: 0,
    characters: 0,
    ambiguousCharacters: 0
  }
}

/** Attempts of unknown fate may have been billed. */
export const chargeAmbiguous = (slot: Slot<unknown>, attempts: number): void => {
  const row = rowOf(slot)
  if (attempts > 0) row.ambiguousCharacters += attempts * Text.characters(row.texts[indexOf(slot)]!)
}

/** A text got its translation. */
export const translated = <A>(
  slot: Slot<A>,
  translation: Text.Translation,
  ambiguousAttempts: number
): void => {
  const row = rowOf(slot)
  const index = indexOf(slot)
  row.pending--
  if (row.texts.length === 1) row.translations = [translation]
  else {
    if (row.translations === none) row.translations = new Array(row.texts.length)
    row.translations[index] = translation
  }
  row.characters += translation.billedCharacters ?? Text.characters(row.texts[index]!)
  chargeAmbiguous(slot, ambiguousAttempts)
}

/** A text will not be translated; only attempts of unknown fate may have cost something. */
export const failed = <A>(slot: Slot<A>, failure: Outcome.Failure, ambiguousAttempts: number): void => {
  const row = rowOf(slot)
  const index = indexOf(slot)
  if (row.failures === none) row.failures = new Array(row.texts.length)
  row.failures[index] = failure
  row.pending--
  row.failed++
  chargeAmbiguous(slot, ambiguousAttempts)
}

const textsOf = (translated: number, skipped: number, failed: number): Outcome.Texts => ({
  translated,
  cached: 0,
  skipped,
  failed
})

/** What most outcomes share. */
const oneTranslated = textsOf(1, 0, 0)

const withTranslations = ({ texts, translations }: Row<unknown>): ReadonlyArray<MaybeText> => {
  const found: Array<MaybeText> = []
  for (let i = 0; i < texts.length; i++) found.push(translations[i]?.text ?? texts[i])
  return found
}

/** The outcome of a row without pending texts. */
export const toOutcome = <A, B>(
  row: Row<A>,
  put: (source: A, texts: ReadonlyArray<MaybeText>) => B
): Outcome.Outcome<B, A> => {
  const { failed, skipped, source, translations } = row
  const translated = row.texts.length - skipped - failed
  const texts =
    translated === 1 && row.texts.length === 1 ? oneTranslated : textsOf(translated, skipped, failed)
  const value = put(source, withTranslations(row))
  const cost = { characters: row.characters, ambiguousCharacters: row.ambiguousCharacters }
  if (failed > 0) {
    const [first, ...others] = row.failures.filter((failure) => failure !== undefined)
    return { _tag: "Failed", source, value, texts, cost, translations, failures: [first!, ...others] }
  }
  return translated > 0
    ? { _tag: "Translated", source, value, texts, cost, translations }
    : { _tag: "Skipped", source, value, texts, cost }
}
