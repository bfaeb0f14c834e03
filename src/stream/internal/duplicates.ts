import { LRUCache } from "lru-cache"
import type * as Text from "../../api/Text.js"

/** How much is remembered. */
export interface Options {
  readonly texts: number
  readonly bytes: number
}

/** Texts that were sent before: their translations, or who else waits for them. */
export interface Duplicates<S> {
  /** The translation of a text; or that a slot waits for it from now on; or that nobody has sent it yet. */
  readonly find: (text: string, slot: S) => Text.Translation | "waiting" | undefined
  /** Those who waited for a text that has been translated, or has failed. */
  readonly settle: (text: string, translation: Text.Translation | undefined) => ReadonlyArray<S>
}

const none: ReadonlyArray<never> = []

/** Two bytes for each unit of both texts, and what an entry takes by itself. */
const bytesOf = (translation: Text.Translation, text: string): number =>
  2 * (text.length + translation.text.length) + 200

export const make = <S>({ bytes, texts }: Options): Duplicates<S> => {
  const known = new LRUCache<string, Text.Translation>({
    max: texts,
    maxSize: bytes,
    sizeCalculation: bytesOf
  })
  const waiting = new Map<string, Array<S> | undefined>()
  return {
    find: (text, slot) => {
      const translation = known.get(text)
      if (translation !== undefined) return translation
      if (!waiting.has(text)) {
        waiting.set(text, undefined)
        return undefined
      }
      const others = waiting.get(text)
      if (others === undefined) waiting.set(text, [slot])
      else others.push(slot)
      return "waiting"
    },
    settle: (text, translation) => {
      if (translation !== undefined) known.set(text, translation)
      const others = waiting.get(text)
      waiting.delete(text)
      return others ?? none
    }
  }
}
