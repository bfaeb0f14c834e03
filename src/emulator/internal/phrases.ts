import type * as GlossaryEntries from "../../api/GlossaryEntries.js"

/** Phrases of a text to replace by others. */
export interface Phrases {
  /** Replaces phrases; `rest` changes the texts between them. */
  readonly replace: (text: string, rest: (part: string) => string) => string
}

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u

/** Scripts that put no spaces between words. */
const unspaced =
  /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u

const isOfWord = (character: string): boolean => wordCharacter.test(character) && !unspaced.test(character)

const isHighHalf = (unit: number) => (unit & 0xfc00) === 0xd800
const isLowHalf = (unit: number) => (unit & 0xfc00) === 0xdc00

const before = (text: string, at: number): string =>
  text.slice(isLowHalf(text.charCodeAt(at - 1)) && isHighHalf(text.charCodeAt(at - 2)) ? at - 2 : at - 1, at)

const after = (text: string, at: number): string =>
  at < text.length ? String.fromCodePoint(text.codePointAt(at)!) : ""

/** True if a word may begin or end here: not between two characters of one word. */
const isBoundary = (text: string, at: number): boolean =>
  at === 0 || at === text.length || !isOfWord(before(text, at)) || !isOfWord(after(text, at))

/** Matches sources as whole words: the longest one at a position, and of equal ones the first. */
export const make = (entries: GlossaryEntries.GlossaryEntries): Phrases => {
  const targets = new Map<string, string>()
  const lengths = new Map<number, Array<number>>()
  for (const { source, target } of entries) {
    if (source === "" || targets.has(source)) continue
    targets.set(source, target)
    const first = source.charCodeAt(0)
    const known = lengths.get(first)
    if (known === undefined) lengths.set(first, [source.length])
    else if (!known.includes(source.length)) known.push(source.length)
  }
  for (const known of lengths.values()) known.sort((a, b) => b - a)

  const lengthAt = (text: string, at: number): number | undefined => {
    const known = lengths.get(text.charCodeAt(at))
    if (known === undefined || !isBoundary(text, at)) return undefined
    return known.find((length) => targets.has(text.slice(at, at + length)) && isBoundary(text, at + length))
  }

  return {
    replace: (text, rest) => {
      let replaced = ""
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const length = lengthAt(text, at)
        if (length === undefined) continue
        replaced += rest(text.slice(from, at)) + targets.get(text.slice(at, at + length))
        from = at + length
        at = from - 1
      }
      return replaced + rest(text.slice(from))
    }
  }
}
