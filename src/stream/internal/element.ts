import type * as Text from "../../api/Text.js"
import { withWhitespaceOf } from "../../internal/texts.js"
import type * as Check from "../../text/Check.js"
import type * as Placeholder from "../../text/Placeholder.js"
import * as Outcome from "../Outcome.js"

export type MaybeText = string | null | undefined

/** Takes texts out of the elements of a stream, and puts their translations into them. */
export interface Elements<A, B> {
  readonly texts: (source: A) => ReadonlyArray<MaybeText>
  readonly replace: (source: A, texts: ReadonlyArray<MaybeText>) => B
  /** The most characters that the translation of the text at an index may have. */
  readonly maxCharacters?: ((source: A, index: number) => number | undefined) | undefined
  /** The translation of the text at an index that is there, to be judged as a stored one. */
  readonly known?: ((source: A, index: number) => string | undefined) | undefined
  /** The name of the text at an index in failures. */
  readonly field: (index: number) => string | number
}

/** Elements that are texts themselves. */
export const texts: Elements<string, string> = {
  texts: (text) => [text],
  replace: (_, [text]) => text as string,
  field: () => "text"
}

/** Elements of which functions know the texts. */
export const elements = <A, T extends ReadonlyArray<MaybeText>, B>({
  replace,
  ...own
}: Pick<Elements<A, B>, "known" | "maxCharacters"> & {
  readonly texts: (element: A) => T
  readonly replace: (element: A, texts: T) => B
}): Elements<A, B> => ({
  ...own,
  replace: (element, found) => replace(element, found as T),
  field: (index) => index
})

const none: Array<never> = []

/** An element between the source and the consumer, with the outcomes of its texts so far. */
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
  /** One for each text, once checks have found something in a translation that was kept. */
  findings: Array<ReadonlyArray<Check.Finding> | undefined> = none
  /** One for each text, once checks have not looked at a translation. */
  unasked: Array<ReadonlyArray<Check.Unasked> | undefined> = none
  /** Where these texts are, in a row of several. */
  cachedTexts: Array<number> = none
  characters = 0
  ambiguousCharacters = 0

  constructor(
    readonly source: A,
    readonly texts: ReadonlyArray<MaybeText>,
    /** Where the texts are that are not to be translated, in their order. */
    readonly skippedTexts: ReadonlyArray<number>
  ) {
    this.pending = texts.length - skippedTexts.length
  }
}

/** A text of a row, or a part of it, as it goes into a batch. */
export interface Item<A> {
  readonly row: Row<A>
  /** Where the text is in the row. */
  readonly index: number
  /** The whole text, without the whitespace around it. */
  readonly text: string
  /** The protected placeholders of the sent text. */
  readonly kept: Placeholder.Protected | undefined
  /** True if it is sent as HTML beside texts that are none. @default false */
  readonly isHtml?: boolean | undefined
  /** Which part of the text this is, if it is sent in parts. */
  readonly part: { readonly of: Parts<A>; readonly index: number } | undefined
  /** A text that is sent once more. */
  readonly again?: Again | undefined
}

/** A text that is sent once more since its translation looks wrong. */
export interface Again {
  /** The best answer so far. */
  readonly answer: Answer
  /** The number of its answers. */
  readonly asked: number
  /** True if it is sent in a request of its own. */
  readonly isAlone: boolean
  /** Its neighbours in the first request. */
  readonly neighbours: ReadonlyArray<string>
  /** True if the store knows that another one is due. @default false */
  readonly isStored?: boolean | undefined
  /** True if the translation was there, and counted until now. @default false */
  readonly isKnown?: boolean | undefined
}

/** A translation, and its findings. */
export interface Answer {
  readonly translation: Text.Translation
  readonly findings: ReadonlyArray<Check.Finding>
  /** The checks that do not refuse it: it was there before, and nobody has asked for them. @default none */
  readonly excused?: ReadonlyArray<string> | undefined
}

/** The translation of a text that was sent in parts, or with marks around placeholders. */
export interface Restored {
  readonly text: string
  readonly lost: Placeholder.PlaceholderLost | undefined
}

/** The parts of a text in requests: the segments of one that is too large, or the sentences of a message. */
export interface Split {
  readonly texts: ReadonlyArray<string>
  readonly join: (translations: ReadonlyArray<string>) => Restored
}

/** A text that is sent in parts. A part may be split in turn. */
export interface Parts<A> extends Split {
  readonly item: Item<A>
  readonly translations: Array<Text.Translation | undefined>
  pending: number
  /** "denied" if somebody else translates the text. */
  failure: Outcome.Failure["error"] | "denied" | undefined
}

/** Blank texts pass through unbilled. A value that is no text, such as an inherited method, is none. */
const isBlank = (text: MaybeText): boolean => typeof text !== "string" || text.trim() === ""

/** A row of texts, of which blank ones and those for which `isOther` holds are skipped. */
export const make = <A>(
  source: A,
  texts: ReadonlyArray<MaybeText>,
  isOther: ((text: string) => boolean) | undefined
): Row<A> => {
  let skipped: Array<number> = none
  for (let index = 0; index < texts.length; index++) {
    if (!isBlank(texts[index]) && isOther?.(texts[index]!) !== true) continue
    if (skipped === none) skipped = [index]
    else skipped.push(index)
  }
  return new Row(source, texts, skipped)
}

/** The texts of a row that are to be translated. */
export const forEachItem = <A>(row: Row<A>, use: (item: Item<A>) => void): void => {
  let next = 0
  for (let index = 0; index < row.texts.length; index++) {
    if (row.skippedTexts[next] === index) next++
    else use({ row, index, text: row.texts[index]!.trim(), kept: undefined, part: undefined })
  }
}

/** The text of an item, before it is protected. */
export const ownTextOf = (item: Item<unknown>): string =>
  item.part === undefined ? item.text : item.part.of.texts[item.part.index]!

/** The parts of an item. */
export const split = <A>(item: Item<A>, { join, texts }: Split): ReadonlyArray<Item<A>> => {
  const of: Parts<A> = {
    item,
    texts,
    join,
    translations: new Array<undefined>(texts.length),
    pending: texts.length,
    failure: undefined
  }
  return texts.map((_, index) => ({ ...item, kept: undefined, part: { of, index } }))
}

/** A translation with the whitespace around its text. */
const withWhitespace = (text: string, translation: Text.Translation): Text.Translation => {
  const whole = withWhitespaceOf(text, translation.text)
  return whole === translation.text ? translation : { ...translation, text: whole }
}

/** Findings in a text that begins with whitespace. */
export const moved = (findings: ReadonlyArray<Check.Finding>, by: number): ReadonlyArray<Check.Finding> => {
  if (by === 0) return findings
  const move = (ranges: ReadonlyArray<Check.Range>) =>
    ranges.map(({ end, start }) => ({ start: start + by, end: end + by }))
  return findings.map((finding) => ({
    ...finding,
    source: move(finding.source),
    translation: move(finding.translation)
  }))
}

/** The findings of checks in a translation, and the checks that have not looked at it. */
export interface Looked {
  readonly findings?: ReadonlyArray<Check.Finding> | undefined
  readonly unasked?: ReadonlyArray<Check.Unasked> | undefined
}

/** A text has its translation, in which something may look wrong. */
export const translated = (
  { index, row }: Item<unknown>,
  translation: Text.Translation,
  { findings = none, unasked = none }: Looked = {}
): void => {
  if (row.translations === none) row.translations = new Array(row.texts.length).fill(undefined)
  const text = row.texts[index]!
  row.translations[index] = withWhitespace(text, translation)
  if (findings.length > 0) {
    if (row.findings === none) row.findings = new Array(row.texts.length)
    row.findings[index] = moved(findings, text.length - text.trimStart().length)
  }
  if (unasked.length > 0) {
    if (row.unasked === none) row.unasked = new Array(row.texts.length)
    row.unasked[index] = unasked
  }
  row.pending--
}

/** A text has the translation of an equal one. */
export const cached = (item: Item<unknown>, translation: Text.Translation, looked?: Looked): void => {
  const { index, row } = item
  row.cached++
  if (row.texts.length > 1) {
    if (row.cachedTexts === none) row.cachedTexts = [index]
    else row.cachedTexts.push(index)
  }
  translated(item, translation, looked)
}

/** A text will not be translated. */
export const failed = ({ index, row }: Item<unknown>, failure: Outcome.Failure): void => {
  if (row.failures === none) row.failures = new Array(row.texts.length)
  row.failures[index] = failure
  row.pending--
  row.failed++
}

/** The shared value of most outcomes. */
const oneTranslated: Outcome.Texts = { translated: 1, cached: 0, skipped: 0, failed: 0 }

const flaggedOf = (
  { findings }: Row<unknown>,
  field: Elements<unknown, unknown>["field"]
): ReadonlyArray<Outcome.Flagged> =>
  findings.flatMap((found, index) => (found === undefined ? [] : [{ field: field(index), findings: found }]))

const unaskedOf = (
  { unasked }: Row<unknown>,
  field: Elements<unknown, unknown>["field"]
): ReadonlyArray<Outcome.Unasked> =>
  unasked.flatMap((checks, index) => (checks === undefined ? [] : [{ field: field(index), checks }]))

/** The outcome of a row without pending texts. */
export const toOutcome = <A, B>(row: Row<A>, { field, replace }: Elements<A, B>): Outcome.Outcome<B, A> => {
  const { cached, failed, source, translations } = row
  const skipped = row.skippedTexts.length
  const translated = row.texts.length - skipped - failed - cached
  const value = replace(
    source,
    row.texts.map((text, index) => translations[index]?.text ?? text)
  )
  const flagged = row.findings === none ? none : flaggedOf(row, field)
  const unasked = row.unasked === none ? none : unaskedOf(row, field)
  const suspect =
    flagged.length + unasked.length === 0
      ? undefined
      : { ...(flagged.length > 0 && { flagged }), ...(unasked.length > 0 && { unasked }) }
  const texts =
    suspect !== undefined
      ? Outcome.sumTexts([
          { texts: { translated, cached, skipped, failed, flagged: flagged.length, unasked: unasked.length } }
        ])
      : translated === 1 && row.texts.length === 1
        ? oneTranslated
        : { translated, cached, skipped, failed }
  const cost = { characters: row.characters, ambiguousCharacters: row.ambiguousCharacters }
  const mixed = cached > 0 && translated > 0 ? { cachedTexts: row.cachedTexts } : undefined
  if (failed > 0) {
    const [first, ...others] = row.failures.filter((failure) => failure !== undefined)
    const known = translations === none ? row.texts.map(() => undefined) : translations
    return {
      _tag: "Failed",
      source,
      value,
      texts,
      cost,
      translations: known,
      failures: [first!, ...others],
      ...mixed,
      ...suspect
    }
  }
  if (translated > 0 && (mixed !== undefined || suspect !== undefined))
    return { _tag: "Translated", source, value, texts, cost, translations, ...mixed, ...suspect }
  if (translated > 0) return { _tag: "Translated", source, value, texts, cost, translations }
  return cached > 0
    ? { _tag: "Cached", source, value, texts, cost, translations, ...suspect }
    : { _tag: "Skipped", source, value, texts, cost }
}
