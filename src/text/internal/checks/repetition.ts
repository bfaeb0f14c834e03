import { make, type Range, ranges } from "./check.js"

/** Repetitions of longer units than this are not looked for. */
const longestUnit = 256

/** Places that are looked at. Repetitions that are reported are longer. */
const sparseStride = 12
const denseStride = 4
const probe = 4

const longestSeparator = 2

/** A shorter text, such as "bye-bye", may be said twice. */
const shortestTwice = 4

const letter = /\p{L}/u

/** Scripts without spaces between words, and those of which a character says as much as a word. */
const dense = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uac00-\ud7af]/

/** A word that is too short for {@link repetitionAt}, three times and more in a row. */
const wordAgain = /(?<![\p{L}\p{M}])([\p{L}\p{M}]{2,24})(?: \1){2,}(?![\p{L}\p{M}])/gu

/** Names are said twice too: "Duran Duran". */
const isLong = (unit: string): boolean =>
  letter.test(unit) && (dense.test(unit) || unit.length >= 12 || /\s/.test(unit))

const isRepetition = (unit: string, count: number, length: number): boolean =>
  (count >= 4 && length >= (dense.test(unit) ? 8 : unit.length >= 4 ? 16 : 24)) ||
  (count >= 3 && unit.length >= 8) ||
  unit.length >= 24

/** The same in scripts without spaces. Syllables that imitate a sound are of one character. */
const denseWordAgain =
  /(?:(?=([\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3])(?!\1))([\u3041-\u30ff\u4e00-\u9fff\uac00-\ud7a3]{2,8}))\2{2,}/g

/** Far cheaper than {@link wordAgain}. */
const hasWordTwice = (text: string): boolean => {
  let start = 0
  for (let end = text.indexOf(" "); end !== -1; end = text.indexOf(" ", start)) {
    if (
      end > start + 1 &&
      text[start] === text[end + 1] &&
      text.startsWith(text.slice(start, end), end + 1)
    ) {
      return true
    }
    start = end + 1
  }
  return false
}

/**
 * The range around a place in which a unit is repeated again and again. The nearest places that look the same tell how
 * long the unit is.
 */
const repetitionAt = (text: string, at: number): Range | undefined => {
  const sample = text.slice(at, at + probe)
  const most = at + longestUnit + probe
  const window = most < text.length ? text.slice(0, most) : text
  let again = window.indexOf(sample, at + 1)
  for (let tries = 8; tries > 0 && again !== -1; tries--) {
    const size = again - at
    let start = at
    let end = at + size
    while (start > 0 && text[start - 1] === text[start - 1 + size]) start--
    while (end < text.length && text[end] === text[end - size]) end++
    // The last one has nothing that parts it from the next.
    const count = Math.floor((end - start + longestSeparator) / size)
    if (count > 1 && isRepetition(text.slice(at, at + size), count, end - start)) return { start, end }
    again = window.indexOf(sample, again + 1)
  }
  return undefined
}

/** The range of a text that stands twice, one below or behind the other, and has some words. */
const twice = (text: string): Range | undefined => {
  const start = text.length - text.trimStart().length
  const end = text.trimEnd().length
  for (let gap = 0; gap <= longestSeparator; gap++) {
    const size = (end - start - gap) / 2
    // Far cheaper than to compare.
    if (!Number.isInteger(size) || size < shortestTwice || text[start + 2] !== text[end - size + 2]) continue
    const unit = text.slice(start, start + size)
    if (text.endsWith(unit, end) && text.slice(start + size, end - size).trim() === "" && isLong(unit))
      return { start, end }
  }
  return undefined
}

/** Repetitions of words. Lines, whitespace and numbers are repeated for many reasons. */
const repetitionsIn = (text: string): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  const stride = dense.test(text) ? denseStride : sparseStride
  for (let at = 0; at + 2 * probe <= text.length; at += stride) {
    const range = repetitionAt(text, at)
    if (range === undefined) continue
    if (letter.test(text.slice(range.start, range.end))) found.push(range)
    at = range.end
  }
  if (found.length > 0) return found
  return hasWordTwice(text) ? ranges(text, wordAgain) : dense.test(text) ? ranges(text, denseWordAgain) : []
}

export const repetition = make(
  {
    name: "repetition",
    severity: "error",
    explanation: "The translation repeats itself where the source does not."
  },
  ({ source, translation }) => {
    const whole = twice(translation)
    if (whole !== undefined && twice(source) === undefined) return { source: [], translation: [whole] }
    const found = repetitionsIn(translation)
    return found.length === 0 || repetitionsIn(source).length >= found.length
      ? undefined
      : { source: [], translation: found }
  }
)
