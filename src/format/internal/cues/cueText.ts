import type { Kind } from "./cueReader.js"

/** A text of one speaker in the body of a cue. */
export interface Turn {
  /** Text in front that stays there: tags around it, a dash, the mark of the speaker. */
  readonly prefix: string
  /** The text on one line, with the tags that are inside. */
  readonly text: string
  /** The text as it stands in the file. */
  readonly raw: string
  readonly suffix: string
  /** True if there is text to translate. */
  readonly isUnit: boolean
}

const dash = /^(?:<[^<>]*>|\{[^{}]*\})*[ \t]*[-–—‐][ \t]*[^\s\-–—‐]/
const voice = /^<v[ .\t]/

/** The body in pieces that begin at lines of new speakers. */
const splitTurns = (body: string): ReadonlyArray<string> => {
  const starts: Array<number> = [0]
  let dashes = dash.test(body) ? 1 : 0
  let at = 0
  const others: Array<number> = []
  for (const { 0: newline, index } of body.matchAll(/\r\n?|\n/g)) {
    at = index + newline.length
    const line = body.slice(at, at + 256)
    if (voice.test(line)) starts.push(at)
    else if (dash.test(line)) others.push(at)
  }
  if (dashes === 1 && others.length > 0) {
    starts.push(...others)
    dashes++
  }
  const sorted = starts.sort((a, b) => a - b)
  return sorted.map((start, index) => body.slice(start, sorted[index + 1]))
}

const token = /<[^<>]*>|\{[\\][^{}]*\}/g

interface Tag {
  readonly start: number
  readonly end: number
  readonly name: string
  readonly kind: "open" | "close" | "other"
  /** The index of the tag that closes or opens it. */
  partner: number | undefined
}

const tagsOf = (raw: string): ReadonlyArray<Tag> => {
  const tags: Array<Tag> = []
  const open: Array<number> = []
  for (const { 0: tag, index } of raw.matchAll(token)) {
    const [, slash, name = ""] = /^<(\/?)([a-z]+)/i.exec(tag) ?? []
    const kind = name === "" ? "other" : slash === "/" ? "close" : "open"
    const self = {
      start: index,
      end: index + tag.length,
      name: name.toLowerCase(),
      kind,
      partner: undefined
    } as Tag
    tags.push(self)
    if (kind === "open") open.push(tags.length - 1)
    if (kind === "close") {
      const found = open.findLastIndex((position) => tags[position]!.name === self.name)
      if (found >= 0) {
        self.partner = open[found]!
        tags[open[found]!]!.partner = tags.length - 1
        open.length = found
      }
    }
  }
  return tags
}

const skip = (text: string, at: number, pattern: RegExp): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** The place where the text begins behind the tags, whitespace and the dash in front of it, and where it ends. */
const trimTags = (raw: string): { readonly start: number; readonly end: number } => {
  const tags = tagsOf(raw)
  const firstOfEnd = (() => {
    let end = raw.trimEnd().length
    let index = tags.length
    while (index > 0 && tags[index - 1]!.end === end) {
      index--
      end = raw.slice(0, tags[index]!.start).trimEnd().length
    }
    return index
  })()
  let start = skip(raw, 0, /\s*/y)
  let first = 0
  let hasDash = false
  for (;;) {
    const tag = tags[first]
    if (tag !== undefined && tag.start === start && first < firstOfEnd) {
      if (tag.partner !== undefined && tag.partner < firstOfEnd) break
      first++
      start = skip(raw, tag.end, /\s*/y)
    } else {
      const next = hasDash ? start : skip(raw, start, /[-–—‐][ \t]*(?=[^\s\-–—‐])/y)
      if (next === start) break
      hasDash = true
      start = next
    }
  }
  let end = raw.trimEnd().length
  for (let last = tags.length - 1; last >= firstOfEnd; last--) {
    const tag = tags[last]!
    if (tag.start < start || (tag.partner !== undefined && tag.partner >= first && tag.partner < last)) break
    end = raw.slice(0, tag.start).trimEnd().length
  }
  return { start, end: Math.max(start, end) }
}

const entity =
  /&(?:(amp(?!;(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)|lt(?!;(?:[/a-z.]|\d+:))|gt|nbsp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi
const characters: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  nbsp: "\u00A0",
  quot: '"',
  apos: "'"
}

/** True for the number of a character that would be read as mark-up or whitespace if it stood there itself. */
const isSpecial = (code: number): boolean =>
  code <= 0x20 || code === 0x26 || code === 0x3c || (code >= 0x7f && code < 0xa0) || code > 0x10ffff

const isSurrogate = (code: number): boolean => code >= 0xd800 && code < 0xe000

/**
 * WebVTT has references of characters; SRT has none. One that would read as another one or as a tag stays, and so do names that
 * only HTML knows.
 */
const unescapeCue = (text: string, kind: Kind): string =>
  kind === "srt"
    ? text
    : text.replace(
        entity,
        (raw, name: string | undefined, decimal: string | undefined, hexadecimal: string) => {
          if (name !== undefined) return characters[name] ?? raw
          const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal)
          return isSpecial(code) || isSurrogate(code) ? raw : String.fromCodePoint(code)
        }
      )

/** Writes a text with its tags as the format has it. */
export const escapeCue = (text: string, kind: Kind): string =>
  kind === "srt"
    ? text
    : text
        .replace(/&(?!(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);)/gi, "&amp;")
        .replace(/<(?!(?:[/a-zA-Z.]|\d+:)[^<>]*>)/g, "&lt;")
        .replaceAll("-->", "--&gt;")

const turnOf = (raw: string, kind: Kind): Turn => {
  const { end, start } = trimTags(raw)
  const inner = raw.slice(start, end)
  const text = unescapeCue(inner.replace(/(?<![ \t])[ \t]*[\r\n][ \t\r\n]*/g, " "), kind)
  return {
    prefix: raw.slice(0, start),
    text,
    raw: inner,
    suffix: raw.slice(end),
    isUnit: /[\p{L}\p{N}]/u.test(text.replace(token, ""))
  }
}

/** The texts of the speakers in the body of a cue. */
export const turnsOf = (body: string, kind: Kind): ReadonlyArray<Turn> =>
  splitTurns(body).map((raw) => turnOf(raw, kind))

/** A text without its tags. */
export const plainOf = (text: string): string => text.replace(token, "")
