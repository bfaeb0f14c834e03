/** Words, sentences and marks of texts. */
import { hasNoSpaces, type Language } from "./languages.js"

export interface Piece {
  readonly text: string
  readonly start: number
  readonly end: number
}

const segmenters = new Map<string, Intl.Segmenter>()

const segment = (text: string, language: string, granularity: "word" | "sentence") => {
  const key = `${language} ${granularity}`
  const segmenter = segmenters.get(key) ?? new Intl.Segmenter(language, { granularity })
  segmenters.set(key, segmenter)
  return [...segmenter.segment(text)]
}

/** Words, of letters alone. */
export const wordsOf = (text: string, language: string): ReadonlyArray<Piece> =>
  segment(text, language, "word")
    .filter(({ isWordLike, segment }) => isWordLike && /^[\p{L}\p{M}'’]+$/u.test(segment))
    .map(({ index, segment }) => ({ text: segment, start: index, end: index + segment.length }))

/** Sentences, each with the blanks that follow. */
export const sentencesOf = (text: string, language: string): ReadonlyArray<Piece> =>
  segment(text, language, "sentence").map(({ index, segment }) => ({
    text: segment,
    start: index,
    end: index + segment.length
  }))

export const matchesOf = (text: string, pattern: RegExp): ReadonlyArray<Piece> =>
  [...text.matchAll(pattern)]
    .filter(([match]) => match !== "")
    .map(({ 0: match, index }) => ({ text: match, start: index, end: index + match.length }))

export const replace = (text: string, { end, start }: Omit<Piece, "text">, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

/** A text without a piece, and without the blank that would be left twice. */
export const without = (text: string, { end, start }: Omit<Piece, "text">): string => {
  const isBetweenBlanks = (start === 0 || /\s/.test(text[start - 1]!)) && /\s/.test(text[end] ?? "")
  return replace(text, { start, end: isBetweenBlanks ? end + 1 : end }, "")
}

export const countOf = (pieces: ReadonlyArray<Piece>, text: string): number =>
  pieces.filter((piece) => piece.text === text).length

/** What stands between words. */
export const blankOf = (language: Language): string => (hasNoSpaces(language) ? "" : " ")
