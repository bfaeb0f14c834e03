/**
 * Cuts a text that is too large for one request into segments, and joins their translations without loss.
 *
 * @internal
 */

import * as Option from "effect/Option"
import * as Text from "../api/Text.js"
import { jsonBytes } from "../internal/utf8.js"
import { withGlobalFlag } from "./PlaceholderSearch.js"

/**
 * The version of how texts are cut and joined. Raise it by hand when translations that stores hold from before would be wrong, and
 * not when texts are cut elsewhere: streams that have a store pay again for all of their texts, also for short ones.
 */
export const version = 1

/** A part of a text. The text between the parts is not sent, so that a translator that trims loses nothing. */
export interface Segment {
  /** The whitespace before the text: that at the very start of the split text, else nothing. */
  readonly before: string
  /** The text to send. Blank only if the split text is blank. */
  readonly text: string
  /** The whitespace behind the text. */
  readonly after: string
}

/** Options for splitting a text. */
export interface Options {
  /**
   * Most bytes of a segment's text as `jsonBytes` counts them: JSON in UTF-8, quotes included. 8 hold every
   * character. A single character that takes more bytes than this is a segment of its own, above the limit.
   */
  readonly maxBytes: number
  /** The language of the text, in whose ways sentences and words end. @default the language of the runtime */
  readonly locale?: string | undefined
  /**
   * Pieces that are not cut unless they are larger than a segment by themselves: for example `Placeholder.unbreakable`.
   * @default nothing
   */
  readonly unbreakable?: RegExp | undefined
}

/**
 * Cuts a text into the fewest segments that ends of paragraphs and sentences allow. A cut is at the end of a paragraph if
 * there is one in the second half of the text that fits; else at the last end of a sentence; if there is none, at the last
 * end of a line or word in the second half; else between two characters as people see them; at last between two code points.
 * A surrogate pair is never cut.
 *
 * `join(split(text, options), [])` is the text. A text that fits is one segment. Takes time in proportion to the text.
 *
 * Sentences and words are found by `Intl.Segmenter`; a runtime without it cuts at ends of paragraphs, lines and words.
 */
export const split = (text: string, options: Options): ReadonlyArray<Segment> => {
  const end = text.trimEnd().length
  const shape = options.unbreakable === undefined ? text : withoutCuts(text, options.unbreakable)
  const lastCut = cutter(shape, options.locale)
  const segments: Array<Segment> = []
  let start = skipBlank(shape, 0)
  let before = text.slice(0, start)
  do {
    const limit = fitting(text, start, end, options.maxBytes)
    const found = limit >= end ? end : lastCut(start, limit)
    // A match of the user's pattern may begin or end within a surrogate pair.
    const cut = boundary(text, found) === found ? found : limit
    const next = cut === end ? text.length : skipBlank(shape, cut)
    const body = text.slice(start, cut).trimEnd()
    segments.push({ before, text: body, after: text.slice(start + body.length, next) })
    before = ""
    start = next
  } while (start < end)
  return segments
}

/**
 * Puts the translations of all segments together, with the whitespace that was between them. A segment without a
 * translation keeps its own text.
 *
 * Where a script that has no spaces between sentences became one that has, a space is put between two segments.
 */
export const join = (segments: ReadonlyArray<Segment>, texts: ReadonlyArray<string>): string => {
  let joined = ""
  segments.forEach(({ after, before, text }, index) => {
    const next = index + 1
    const translated = texts[index] ?? text
    joined += before + translated + after
    if (
      after === "" &&
      next < segments.length &&
      endsUnspaced.test(text) &&
      endsSpaced.test(translated) &&
      startsSpaced.test(texts[next] ?? "")
    ) {
      joined += " "
    }
  })
  return joined
}

/**
 * The text around a segment, to be sent as the context of its translation: the end of the text before it and the start
 * of the text behind it, in at most `characters` characters (code points). Words are left whole where there are spaces.
 */
export const context = (segments: ReadonlyArray<Segment>, index: number, characters: number): string => {
  const room = characters - 1
  const preceding = textBefore(segments, index, room)
  const following = textAfter(
    segments,
    index,
    Math.max(Math.floor(room / 2), room - Text.characters(preceding))
  )
  return [textBefore(segments, index, room - Text.characters(following)), following]
    .filter((part) => part !== "")
    .join("\n")
}

const unspaced =
  "[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\uFF00-\\uFFEF]"
const endsUnspaced = new RegExp(`${unspaced}$`, "u")
const endsSpaced = new RegExp(`(?!${unspaced})\\S$`, "u")
const startsSpaced = new RegExp(`^(?!${unspaced})\\S`, "u")

const blank = /\s/

const skipBlank = (text: string, from: number): number => {
  let at = from
  while (at < text.length && blank.test(text[at]!)) at++
  return at
}

const isHigh = (unit: number): boolean => (unit & 0xfc00) === 0xd800
const isLow = (unit: number): boolean => (unit & 0xfc00) === 0xdc00

/** The code point boundary at or before a place. */
const boundary = (text: string, at: number): number =>
  isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1)) ? at - 1 : at

/** The end of the piece from `start` that takes at most `maxBytes` bytes, and at least one code point. */
const fitting = (text: string, start: number, end: number, maxBytes: number): number => {
  let room = maxBytes - 2
  let low = start
  let high = boundary(text, Math.min(end, start + room))
  while (low < high) {
    const half = low + Math.ceil((high - low) / 2)
    const middle = boundary(text, half) === half ? half : half + 1
    const bytes = jsonBytes(text.slice(low, middle)) - 2
    if (bytes > room) high = boundary(text, middle - 1)
    else {
      room -= bytes
      low = middle
      high = boundary(text, Math.min(high, low + room))
    }
  }
  return low > start ? low : start + String.fromCodePoint(text.codePointAt(start) ?? 0).length
}

/** The text with each unbreakable part as one letter with many accents, which `Intl.Segmenter` does not cut. */
const withoutCuts = (text: string, unbreakable: RegExp): string =>
  text.replace(withGlobalFlag(unbreakable), (match) =>
    match === "" ? "" : `X${"\u0301".repeat(match.length - 1)}`
  )

/** The number of characters behind a place that decide about an end of a sentence there. */
const lookahead = 64

const paragraphEnd = /\n[^\S\n]*\n|\u2029/g

/** A line that ends within a sentence, since the next one goes on in lower case. */
const wrap = /\r?\n(?=[^\S\n]*\p{Ll})/gu

const spaces = (found: string): string => " ".repeat(found.length)

/** Finds the last good place for a cut in the text that fits, and in the whitespace behind that. */
const cutter = (text: string, locale: string | undefined) => {
  const known = Option.liftThrowable(Intl.getCanonicalLocales)(locale)
  const segmenters = new Map<Granularity, Intl.Segmenter>()

  const lastStart = (granularity: Granularity, text: string, at: number): number | undefined => {
    if (!("Segmenter" in Intl)) return undefined
    let segmenter = segmenters.get(granularity)
    if (segmenter === undefined) {
      segmenter = new Intl.Segmenter(Option.getOrUndefined(known), { granularity })
      segmenters.set(granularity, segmenter)
    }
    return segmenter.segment(text).containing(at)?.index || undefined
  }

  return (start: number, limit: number): number => {
    const reach = skipBlank(text, limit) - start
    const fits = limit - start
    const half = fits >> 1
    const window = text.slice(start, start + reach + lookahead)
    return (
      start +
      (lastParagraph(window, half, reach) ??
        lastStart("sentence", window.replace(wrap, spaces), reach) ??
        lastLine(window, half, reach) ??
        lastSpace(window, half, fits) ??
        lastStart("word", window, fits) ??
        lastStart("grapheme", window, fits) ??
        fits)
    )
  }
}

type Granularity = "sentence" | "word" | "grapheme"

const lastParagraph = (window: string, half: number, reach: number): number | undefined => {
  let last: number | undefined
  for (const { 0: found, index } of window.slice(half, reach).matchAll(paragraphEnd)) {
    last = half + index + found.length
  }
  return last
}

const lastLine = (window: string, half: number, reach: number): number | undefined => {
  const last = window.lastIndexOf("\n", reach - 1)
  return last < half ? undefined : last + 1
}

const lastSpace = (window: string, half: number, fits: number): number | undefined => {
  let at = fits
  while (at > half && !blank.test(window[at]!)) at--
  return at > half ? at : undefined
}

const startsWithinWord = /^\S+\s+/
const endsWithinWord = /\s\S+$/

/** The end of the text before a segment, in at most `characters` code points. */
const textBefore = (segments: ReadonlyArray<Segment>, index: number, characters: number): string => {
  let text = ""
  for (let i = index - 1; i >= 0 && text.length <= 2 * characters; i--) {
    const { after, before, text: own } = segments[i]!
    text = before + own + after + text
  }
  let at = text.length
  for (let left = characters; left > 0 && at > 0; left--) at = boundary(text, at - 1)
  const end = text.slice(at)
  return (at === 0 || blank.test(text[at - 1]!) ? end : end.replace(startsWithinWord, "")).trim()
}

/** The start of the text behind a segment, in at most `characters` code points. */
const textAfter = (segments: ReadonlyArray<Segment>, index: number, characters: number): string => {
  let text = ""
  for (let i = index + 1; i < segments.length && text.length <= 2 * characters; i++) {
    const { after, before, text: own } = segments[i]!
    text += before + own + after
  }
  let at = 0
  for (let left = characters; left > 0 && at < text.length; left--) {
    at = boundary(text, at + 1) === at ? at + 2 : at + 1
  }
  const start = text.slice(0, at)
  return (at === text.length || blank.test(text[at]!) ? start : start.replace(endsWithinWord, "")).trim()
}
