import type * as Text from "../../api/Text.js"
import type { StoredTranslation } from "../../store/TranslationStore.js"
import type * as Check from "../../text/Check.js"
import * as HtmlTags from "../../text/HtmlTags.js"
import * as Placeholder from "../../text/Placeholder.js"
import * as PlaceholderProtection from "../../text/PlaceholderProtection.js"
import type { StreamError } from "../Outcome.js"
import type { Item, Parts } from "./element.js"

/** The translation of a text. */
export interface Translated {
  readonly translation: Text.Translation
  readonly error: undefined
  /** That it does not hold the placeholders of the text. */
  readonly lost?: Placeholder.PlaceholderLost | undefined
  /** True if it looks like the translation of a text beside it in its request. */
  readonly isShifted?: boolean | undefined
  /** The findings of checks. */
  readonly findings?: ReadonlyArray<Check.Finding> | undefined
  /** The checks that have not looked at it. */
  readonly unasked?: ReadonlyArray<Check.Unasked> | undefined
  /** The translation as the store keeps it until the next answer. */
  readonly refused?: StoredTranslation | undefined
}

/** Why a text has no translation. */
export interface Failed {
  readonly translation: undefined
  readonly error: StreamError
  /** A paid translation that a check has refused. */
  readonly refused?: StoredTranslation | undefined
}

export type Result = Translated | Failed

/** A whole text with its result. */
export type Settled<A> = Result & {
  readonly item: Item<A>
  /** True if it replaces the stored translation. */
  readonly isReplacing?: boolean | undefined
  /** The text as it is sent once more: this is not the last word. */
  readonly next?: Item<A> | undefined
}

/** A text whose translation checks that ask somebody are to judge. */
export interface Unjudged<A> {
  readonly settled: Translated & { readonly item: Item<A> }
  /** True if the translation was there before. */
  readonly isKnown: boolean
}

/** A whole text that may not be sent, since somebody else translates it. */
export interface Denied<A> {
  readonly item: Item<A>
  readonly translation: undefined
  readonly error: "denied"
}

const joined = <A>({ item, join, translations }: Parts<A>): Settled<A> | Denied<A> | undefined => {
  const { lost, text } = join(translations.map((translation) => translation!.text))
  const billedCharacters = translations.reduce(
    (sum, translation) => sum + (translation!.billedCharacters ?? 0),
    0
  )
  return translated(item, { ...translations[0]!, text, billedCharacters }, lost)
}

/** The loss of tags, which are not counted. */
const lostTags = { missing: 1, surplus: 0, broken: 0 }

/** An item has a translation: the text, once no part of it is missing. */
export const translated = <A>(
  item: Item<A>,
  translation: Text.Translation,
  lost?: Placeholder.PlaceholderLost
): Settled<A> | Denied<A> | undefined => {
  if (item.part !== undefined) {
    const { index, of } = item.part
    of.translations[index] = translation
    if (--of.pending > 0) return undefined
    return of.failure === undefined ? joined(of) : failed(of.item, of.failure)
  }
  if (item.kept === undefined) return { item, translation, lost, error: undefined }
  const { options, placeholders } = item.kept
  const { loss, text } = PlaceholderProtection.restore(placeholders, options, translation.text)
  const whole = item.isHtml === true ? HtmlTags.restored(item.text, text) : text
  const isLost = loss !== undefined || whole === undefined
  return {
    item,
    translation: { ...translation, text: whole ?? text },
    lost: isLost
      ? new Placeholder.PlaceholderLost({ expected: placeholders.length, ...(loss ?? lostTags) })
      : undefined,
    error: undefined
  }
}

/** An item will not be translated: the text, once no part of it is missing. */
export const failed = <A>(
  item: Item<A>,
  error: StreamError | "denied"
): Settled<A> | Denied<A> | undefined => {
  if (item.part === undefined) return { item, translation: undefined, error } as Settled<A> | Denied<A>
  const { of } = item.part
  of.failure ??= error
  return --of.pending === 0 ? failed(of.item, of.failure) : undefined
}

/** An item may not be sent: its text is denied, once no part of it is on its way. */
export const denied = <A>(item: Item<A>): Settled<A> | Denied<A> | undefined => {
  for (let { part } = item; part !== undefined; part = part.of.item.part) part.of.failure = "denied"
  return failed(item, "denied")
}

/** True if an item is part of a text that is denied. */
export const isDenied = ({ part }: Item<unknown>): boolean =>
  part !== undefined && (part.of.failure === "denied" || isDenied(part.of.item))
