import * as Either from "effect/Either"
import type * as Text from "../../api/Text.js"
import type { StreamError } from "../Outcome.js"
import * as Placeholder from "../Placeholder.js"
import * as Segmenter from "../Segmenter.js"
import type { Item, Segments } from "./row.js"

/** A whole text with what became of it. */
export interface Settled<A> {
  readonly item: Item<A>
  readonly result: Either.Either<Text.Translation, StreamError>
}

const join = ({ segments, translations }: Segments<unknown>): Text.Translation => ({
  ...translations[0]!,
  text: Segmenter.join(
    segments,
    translations.map((translation) => translation!.text)
  ),
  billedCharacters: translations.reduce((sum, translation) => sum + (translation!.billedCharacters ?? 0), 0)
})

/** An item has a translation: the text, once no segment of it is missing. */
export const translated = <A>(item: Item<A>, translation: Text.Translation): Settled<A> | undefined => {
  if (item.segment !== undefined) {
    const { index, of } = item.segment
    of.translations[index] = translation
    if (--of.pending > 0) return undefined
    return of.failure === undefined ? translated(of.whole, join(of)) : failed(of.whole, of.failure)
  }
  return {
    item,
    result:
      item.kept === undefined
        ? Either.right(translation)
        : Either.map(Placeholder.restore(item.kept, translation.text), (text) => ({ ...translation, text }))
  }
}

/** An item will not be translated: the text, once no segment of it is missing. */
export const failed = <A>(item: Item<A>, error: StreamError): Settled<A> | undefined => {
  if (item.segment === undefined) return { item, result: Either.left(error) }
  const { of } = item.segment
  of.failure ??= error
  return --of.pending === 0 ? failed(of.whole, of.failure) : undefined
}
