/**
 * Marks the placeholders of a text before it is sent, and restores them in its translation.
 *
 * @internal
 */

import type { Range } from "./internal/checks/check.js"
import type { Part } from "./MessageFormat.js"
import * as PlaceholderSearch from "./PlaceholderSearch.js"

/**
 * The version of how placeholders are found, marked and restored, here and in `PlaceholderSearch`, `PlaceholderPatterns` and
 * `stream/internal/messages`. Raise it by hand when translations that stores hold from before would be wrong: streams with
 * placeholders pay again for all of them.
 */
export const version = 1

/** A text as it is sent, with the placeholders that must come back. */
export interface Protected {
  readonly text: string
  /** The placeholders in their order, as they are sent. */
  readonly placeholders: ReadonlyArray<string>
  /** Where they are in the text before protection. */
  readonly ranges: ReadonlyArray<Range>
}

/** A sentence as it is sent, with the placeholders that must come back. */
export interface ProtectedSentence extends Protected {
  /** The parts of each placeholder. */
  readonly parts: ReadonlyArray<ReadonlyArray<Part>>
  /** True if there are only placeholders and whitespace. */
  readonly isCovered: boolean
}

/** The lost and surplus placeholders of a translation. */
export interface Loss {
  readonly missing: number
  readonly surplus: number
  readonly broken: number
}

/** The element around a placeholder. Markup may have an `x` of its own. */
export const element = ({ tagHandling }: PlaceholderSearch.Search): string =>
  tagHandling === undefined ? "x" : "x-ph"

/** Marks the placeholders of a text, and the known ones. */
export const protect = (
  text: string,
  search: PlaceholderSearch.Search,
  known: ReadonlyArray<Range> = []
): Protected => {
  const mark = element(search)
  const escaped = search.tagHandling === undefined ? escape : (text: string) => text
  const found: Array<string> = []
  const ranges = PlaceholderSearch.find(text, search, known)
  let sent = ""
  let from = 0
  for (const { end, start } of ranges) {
    const placeholder = text.slice(start, end)
    const before = escaped(text.slice(from, start))
    sent += `${before}<${mark} id="${found.push(placeholder)}">${escaped(placeholder)}</${mark}>`
    from = end
  }
  return { text: sent + escaped(text.slice(from)), placeholders: found, ranges }
}

/** Marks the placeholders of a sentence: its own, and those found by patterns. */
export const protectSentence = (
  sentence: ReadonlyArray<Part>,
  search: PlaceholderSearch.Search
): ProtectedSentence => {
  const { known, text } = PlaceholderSearch.flatten(sentence)
  const kept = protect(text, search, known)
  return {
    ...kept,
    parts: partsIn(sentence, kept.ranges),
    isCovered: PlaceholderSearch.isCovered(text, kept.ranges)
  }
}

/** The parts in each range. Placeholders are in one range, text may be in none or several. */
const partsIn = (
  sentence: ReadonlyArray<Part>,
  ranges: ReadonlyArray<Range>
): ReadonlyArray<ReadonlyArray<Part>> => {
  let next = 0
  let from = 0
  return ranges.map(({ end, start }) => {
    const found: Array<Part> = []
    for (; next < sentence.length; next++) {
      const { placeholder, text } = sentence[next]!
      const to = from + text.length
      if (from < end && to > start) {
        const part = placeholder === undefined ? text.slice(Math.max(0, start - from), end - from) : text
        found.push({ text: part, placeholder })
      }
      if (to > end) break
      from = to
    }
    return found
  })
}

/** Counts placeholders as they come back, each as often as it was sent. Takes the same time for each. */
class Count {
  missing: number
  surplus = 0
  private readonly keys: ReadonlyArray<string>
  private readonly hasCome: Array<boolean>
  /** Where those are that look the same, and how many of them were passed. */
  private readonly same = new Map<string, { readonly indices: Array<number>; passed: number }>()

  constructor(expected: ReadonlyArray<string>) {
    this.missing = expected.length
    this.keys = expected.map((placeholder) => placeholder.trim())
    this.hasCome = expected.map(() => false)
    this.keys.forEach((key, index) => {
      const same = this.same.get(key)
      if (same === undefined) this.same.set(key, { indices: [index], passed: 0 })
      else same.indices.push(index)
    })
  }

  has(placeholder: string): boolean {
    return this.same.has(placeholder.trim())
  }

  /** Which one has come back, if possible the one that it is said to be. */
  take(placeholder: string, id?: number): number | undefined {
    const key = placeholder.trim()
    const index = id !== undefined && this.keys[id] === key && !this.hasCome[id] ? id : this.firstMissing(key)
    if (index === undefined) this.surplus++
    else {
      this.hasCome[index] = true
      this.missing--
    }
    return index
  }

  private firstMissing(key: string): number | undefined {
    const same = this.same.get(key)
    if (same === undefined) return undefined
    while (this.hasCome[same.indices[same.passed]!] === true) same.passed++
    return same.indices[same.passed]
  }
}

/** The elements around placeholders, and the remains of broken ones. */
const marks = (name: string) => ({
  whole: new RegExp(
    `<${name}\\s+id\\s*=\\s*["']?(\\d+)["']?\\s*>([^<]*(?:<(?!\\/?${name}[\\s/>])[^<]*)*)<\\/${name}\\s*>`,
    "g"
  ),
  half: new RegExp(`<\\/?${name}(?=[\\s/>])[^<>]*>?`, "g")
})

const marksOfTexts = marks("x")
const marksOfMarkup = marks("x-ph")

interface Found extends Range {
  /** Which placeholder this is. */
  readonly index: number | undefined
}

/** A translation without marks, and where its placeholders are. */
interface Restored {
  readonly text: string
  readonly found: ReadonlyArray<Found>
  /** None if it holds each placeholder as often as the text, in any order. */
  readonly loss: Loss | undefined
}

/** Takes the marks out of a translation. */
export const restore = (
  expected: ReadonlyArray<string>,
  search: PlaceholderSearch.Search,
  translated: string
): Restored => {
  const { half, whole } = search.tagHandling === undefined ? marksOfTexts : marksOfMarkup
  const plain = search.tagHandling === undefined ? unescape : (text: string) => text
  const count = new Count(expected)
  let text = ""
  let from = 0
  let broken = 0
  const marked: Array<Found> = []
  const add = (xml: string) => {
    text += plain(
      xml.replace(half, () => {
        broken++
        return ""
      })
    )
  }
  for (const { 0: element, 1: id, 2: content = "", index } of translated.matchAll(whole)) {
    add(translated.slice(from, index))
    from = index + element.length
    const placeholder = plain(content)
    marked.push({
      start: text.length,
      end: text.length + placeholder.length,
      index: count.take(placeholder, Number(id) - 1)
    })
    text += placeholder
  }
  add(translated.slice(from))

  const unmarked: Array<Found> = []
  for (const range of PlaceholderSearch.outside(PlaceholderSearch.find(text, search), marked)) {
    const placeholder = text.slice(range.start, range.end)
    // A placeholder that the source does not have is ignored: the translation may put a word in braces.
    if (count.has(placeholder)) unmarked.push({ ...range, index: count.take(placeholder) })
  }
  const { missing, surplus } = count
  return {
    text,
    found: unmarked.length === 0 ? marked : [...marked, ...unmarked],
    loss: missing + surplus + broken === 0 ? undefined : { missing, surplus, broken }
  }
}

/** The translation of a sentence in parts: its placeholders, with the whitespace that has come with them, and text. */
export const restoreSentence = (
  { parts, placeholders: expected }: ProtectedSentence,
  search: PlaceholderSearch.Search,
  translated: string
): ReadonlyArray<Part> | Loss => {
  const { found, loss, text } = restore(expected, search, translated)
  if (loss !== undefined) return loss
  const all: Array<Part> = []
  let from = 0
  const addText = (end: number) => {
    if (end > from) all.push({ text: text.slice(from, end), placeholder: undefined })
    from = end
  }
  for (const { end, index, start } of [...found].sort((a, b) => a.start - b.start)) {
    const placeholder = text.slice(start, end)
    const isAsSent = placeholder === expected[index!]
    addText(isAsSent ? start : start + placeholder.length - placeholder.trimStart().length)
    for (const part of parts[index!]!) all.push(part)
    from = isAsSent ? end : start + placeholder.trimEnd().length
    addText(end)
  }
  addText(text.length)
  return all
}

const escape = (text: string): string =>
  text.replace(/[&<>]/g, (found) => (found === "&" ? "&amp;" : found === "<" ? "&lt;" : "&gt;"))

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" }

const unescape = (xml: string): string =>
  xml.replace(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-fA-F]{1,6}));/g,
    (entity, name: string | undefined, decimal: string | undefined, hexadecimal: string | undefined) => {
      if (name !== undefined) return named[name] ?? entity
      const code = decimal === undefined ? Number.parseInt(hexadecimal ?? "", 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    }
  )
