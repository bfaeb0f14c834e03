import type { Part } from "../MessageFormat.js"
import * as placeholders from "./placeholders.js"

/** A text as it is sent, and what must come back. */
export interface Protected {
  readonly text: string
  /** The placeholders in their order, as they are sent. */
  readonly placeholders: ReadonlyArray<string>
  /** What each of them is made of. */
  readonly parts: ReadonlyArray<ReadonlyArray<Part>>
  /** Whether there is nothing but placeholders and blanks. */
  readonly isCovered: boolean
}

/** What is wrong with the placeholders of a translation. */
export interface Loss {
  readonly missing: number
  readonly surplus: number
  readonly broken: number
}

/** The element around a placeholder. Markup may have an `x` of its own. */
export const element = ({ tagHandling }: placeholders.Search): string =>
  tagHandling === undefined ? "x" : "x-ph"

/** The parts of what is in a range of their text. */
const within = (parts: ReadonlyArray<Part>, { end, start }: placeholders.Range): ReadonlyArray<Part> => {
  const found: Array<Part> = []
  let from = 0
  for (const part of parts) {
    const to = from + part.text.length
    if (to > start && from < end) {
      found.push(
        part.placeholder === undefined
          ? { ...part, text: part.text.slice(Math.max(0, start - from), end - from) }
          : part
      )
    }
    from = to
  }
  return found
}

/** Marks the placeholders of a text that is given in parts. */
export const protect = (given: ReadonlyArray<Part>, search: placeholders.Search): Protected => {
  const { known, text } = placeholders.flatten(given)
  const mark = element(search)
  const escaped = search.tagHandling === undefined ? escape : (text: string) => text
  const found: Array<string> = []
  const parts: Array<ReadonlyArray<Part>> = []
  const ranges = placeholders.find(text, search, known)
  let sent = ""
  let from = 0
  for (const range of ranges) {
    const placeholder = text.slice(range.start, range.end)
    const before = escaped(text.slice(from, range.start))
    sent += `${before}<${mark} id="${found.push(placeholder)}">${escaped(placeholder)}</${mark}>`
    parts.push(known.length === 0 ? [{ text: placeholder, placeholder }] : within(given, range))
    from = range.end
  }
  return {
    text: sent + escaped(text.slice(from)),
    placeholders: found,
    parts,
    isCovered: placeholders.isCovered(text, ranges)
  }
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

/** The element around placeholders, and what is left of broken ones. */
const marks = (name: string) => ({
  whole: new RegExp(
    `<${name}\\s+id\\s*=\\s*["']?(\\d+)["']?\\s*>([^<]*(?:<(?!\\/?${name}[\\s/>])[^<]*)*)<\\/${name}\\s*>`,
    "g"
  ),
  half: new RegExp(`<\\/?${name}(?=[\\s/>])`, "g")
})

const marksOfTexts = marks("x")
const marksOfMarkup = marks("x-ph")

interface Found extends placeholders.Range {
  /** Which placeholder this is. */
  readonly index: number | undefined
}

/** The translation in parts, if it holds each placeholder as often as the text, in any order. */
export const restore = (
  { parts, placeholders: expected }: Pick<Protected, "parts" | "placeholders">,
  search: placeholders.Search,
  translated: string
): ReadonlyArray<Part> | Loss => {
  const { half, whole } = search.tagHandling === undefined ? marksOfTexts : marksOfMarkup
  const plain = search.tagHandling === undefined ? unescape : (text: string) => text
  const count = new Count(expected)
  let text = ""
  let from = 0
  let broken = 0
  const marked: Array<Found> = []
  const add = (xml: string) => {
    broken += xml.match(half)?.length ?? 0
    text += plain(xml)
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
  for (const range of placeholders.outside(placeholders.find(text, search), marked)) {
    const placeholder = text.slice(range.start, range.end)
    // A placeholder that the source does not have is ignored: the translation may put a word in braces.
    if (count.has(placeholder)) unmarked.push({ ...range, index: count.take(placeholder) })
  }
  const { missing, surplus } = count
  return missing + surplus + broken === 0
    ? split(
        text,
        [...marked, ...unmarked].sort((a, b) => a.start - b.start),
        parts
      )
    : { missing, surplus, broken }
}

/** A text in parts: its placeholders, with the blanks that have come with them, and what is between. */
const split = (
  text: string,
  found: ReadonlyArray<Found>,
  parts: ReadonlyArray<ReadonlyArray<Part>>
): ReadonlyArray<Part> => {
  const all: Array<Part> = []
  let from = 0
  const addText = (end: number) => {
    if (end > from) all.push({ text: text.slice(from, end), placeholder: undefined })
    from = end
  }
  for (const { end, index, start } of found) {
    const own = parts[index!]!
    const placeholder = text.slice(start, end)
    addText(start)
    if (own[0]!.placeholder === own[0]!.text) all.push({ text: placeholder, placeholder })
    else {
      addText(start + placeholder.length - placeholder.trimStart().length)
      all.push(...own)
      from = start + placeholder.trimEnd().length
      addText(end)
    }
    from = end
  }
  addText(text.length)
  return all
}

/** A text of its parts. */
export const join = (parts: ReadonlyArray<Part>): string =>
  parts.map(({ placeholder, text }) => placeholder ?? text).join("")

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
