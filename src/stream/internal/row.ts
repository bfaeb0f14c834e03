import type * as Text from "../../api/Text.js"
import type * as Outcome from "../Outcome.js"
import type * as Placeholder from "../Placeholder.js"
import type * as Segmenter from "../Segmenter.js"

export type MaybeText = string | null | undefined

/** How texts leave the elements of a stream, and how their translations enter them. */
export interface Elements<A, B> {
  readonly texts: (source: A) => ReadonlyArray<MaybeText>
  readonly replace: (source: A, texts: ReadonlyArray<MaybeText>) => B
  /** What a failure calls the text at an index. */
  readonly field: (index: number) => string | number
}

/** Elements that are texts themselves. */
export const texts: Elements<string, string> = {
  texts: (text) => [text],
  replace: (_, [text]) => text as string,
  field: () => "text"
}

/** Elements of which functions know the texts. */
export const elements = <A, T extends ReadonlyArray<MaybeText>, B>(
  texts: (element: A) => T,
  replace: (element: A, texts: T) => B
): Elements<A, B> => ({
  texts,
  replace: (element, found) => replace(element, found as T),
  field: (index) => index
})

const none: Array<never> = []

/** An element between the source and the consumer, with what became of its texts so far. */
export class Row<A> {
  /** Texts without a result. */
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

/** A text of a row, or a segment of it, as it goes into a batch. */
export interface Item<A> {
  readonly row: Row<A>
  /** Where the text is in the row. */
  readonly index: number
  /** What was protected in what is sent. */
  readonly kept: Placeholder.Protected | undefined
  /** Which segment of the text this is, if it was cut. */
  readonly segment: { readonly of: Segments<A>; readonly index: number } | undefined
}

/** A text that is sent in segments. A segment may be cut in turn. */
export interface Segments<A> {
  readonly item: Item<A>
  readonly segments: ReadonlyArray<Segmenter.Segment>
  readonly translations: Array<Text.Translation | undefined>
  pending: number
  failure: Outcome.Failure["error"] | undefined
}

/** Blanks pass through unbilled. */
const isBlank = (text: MaybeText): boolean => text === null || text === undefined || text.trim() === ""

export const make = <A>(source: A, texts: ReadonlyArray<MaybeText>): Row<A> => {
  let skipped = 0
  for (const text of texts) if (isBlank(text)) skipped++
  return new Row(source, texts, skipped)
}

/** The texts of a row that are to be translated. */
export const forEachItem = <A>(row: Row<A>, use: (item: Item<A>) => void): void => {
  for (let index = 0; index < row.texts.length; index++) {
    if (row.skipped === 0 || !isBlank(row.texts[index]))
      use({ row, index, kept: undefined, segment: undefined })
  }
}

/** The whole text that an item is of. */
export const textOf = ({ index, row }: Item<unknown>): string => row.texts[index]!

/** The text of an item, before it is protected. */
export const ownTextOf = (item: Item<unknown>): string =>
  item.segment === undefined ? textOf(item) : item.segment.of.segments[item.segment.index]!.text

/** Cuts an item into segments. */
export const cut = <A>(item: Item<A>, segments: ReadonlyArray<Segmenter.Segment>): ReadonlyArray<Item<A>> => {
  const of: Segments<A> = {
    item,
    segments,
    translations: new Array<undefined>(segments.length),
    pending: segments.length,
    failure: undefined
  }
  return segments.map((_, index) => ({ ...item, kept: undefined, segment: { of, index } }))
}

/** A text has its translation. */
export const translated = ({ index, row }: Item<unknown>, translation: Text.Translation): void => {
  if (row.translations === none) row.translations = new Array(row.texts.length).fill(undefined)
  row.translations[index] = translation
  row.pending--
}

/** A text has the translation of an equal one. */
export const cached = (item: Item<unknown>, translation: Text.Translation): void => {
  item.row.cached++
  translated(item, translation)
}

/** A text will not be translated. */
export const failed = ({ index, row }: Item<unknown>, failure: Outcome.Failure): void => {
  if (row.failures === none) row.failures = new Array(row.texts.length)
  row.failures[index] = failure
  row.pending--
  row.failed++
}

/** What most outcomes share. */
const oneTranslated: Outcome.Texts = { translated: 1, cached: 0, skipped: 0, failed: 0 }

/** The outcome of a row without pending texts. */
export const toOutcome = <A, B>(row: Row<A>, replace: Elements<A, B>["replace"]): Outcome.Outcome<B, A> => {
  const { cached, failed, skipped, source, translations } = row
  const translated = row.texts.length - skipped - failed - cached
  const value = replace(
    source,
    row.texts.map((text, index) => translations[index]?.text ?? text)
  )
  const texts =
    translated === 1 && row.texts.length === 1 ? oneTranslated : { translated, cached, skipped, failed }
  const cost = { characters: row.characters, ambiguousCharacters: row.ambiguousCharacters }
  if (failed > 0) {
    const [first, ...others] = row.failures.filter((failure) => failure !== undefined)
    const known = translations === none ? row.texts.map(() => undefined) : translations
    return { _tag: "Failed", source, value, texts, cost, translations: known, failures: [first!, ...others] }
  }
  if (translated > 0) return { _tag: "Translated", source, value, texts, cost, translations }
  return cached > 0
    ? { _tag: "Cached", source, value, texts, cost, translations }
    : { _tag: "Skipped", source, value, texts, cost }
}
