/** The marks of a text: placeholders, terms of the glossary, hits of the search, faults, and characters that can't be seen. */
import { element } from "../shared/dom.js"

export interface Range {
  readonly start: number
  readonly end: number
  readonly kind: "placeholder" | "term" | "hit" | "character" | "finding"
  /** The meaning of the mark, as a tooltip. */
  readonly title?: string | undefined
}

const names: Readonly<Record<number, string>> = {
  0: "null",
  13: "carriage return",
  27: "escape",
  173: "soft hyphen",
  1564: "Arabic letter mark",
  8203: "zero width space",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "pop directional formatting",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "first strong isolate",
  8297: "pop directional isolate",
  65279: "byte order mark"
}

/** Controls, marks that change the direction, and halves of characters. Joiners are left: emoji and Persian need them. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]/gu

const codeOf = (character: string) =>
  `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`

const matches = (text: string, pattern: RegExp, kind: Range["kind"], title?: string): Array<Range> =>
  Array.from(text.matchAll(pattern), (match) => ({
    start: match.index,
    end: match.index + match[0].length,
    kind,
    title
  }))

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")

/** Finds a text in any casing. */
export const finder = (text: string): RegExp | undefined =>
  text === "" ? undefined : new RegExp(escaped(text), "giu")

export interface Term {
  readonly pattern: RegExp
  /** In small letters. */
  readonly term: string
  readonly title: string
}

/** Letters of scripts that put spaces between words. */
const letter = "[\\p{sc=Latn}\\p{sc=Grek}\\p{sc=Cyrl}\\p{sc=Arab}\\p{sc=Hebr}\\p{N}]"

const startsWithLetter = new RegExp(`^${letter}`, "u")
const endsWithLetter = new RegExp(`${letter}$`, "u")

/** Finds a term as a word of its own, where the script has spaces. Its pattern is made when it is needed: few of many terms are. */
export const makeTerm = (term: string, title: string): Term => {
  let made: RegExp | undefined
  return {
    term: term.toLowerCase(),
    title,
    get pattern() {
      const before = startsWithLetter.test(term) ? `(?<!${letter})` : ""
      const after = endsWithLetter.test(term) ? `(?!${letter})` : ""
      made ??= new RegExp(`${before}${escaped(term)}${after}`, "giu")
      return made
    }
  }
}

/** In longer texts no terms are looked for: that would take seconds. */
const longest = 20_000

/** The places of the terms that a text holds. Most terms are ruled out without their pattern. */
export const placesOf = (text: string, terms: ReadonlyArray<Term>): ReadonlyArray<number> => {
  if (terms.length === 0 || text.length > longest) return []
  const lowered = text.toLowerCase()
  return terms.flatMap((known, place) =>
    lowered.includes(known.term) && text.search(known.pattern) >= 0 ? [place] : []
  )
}

export const find = (
  text: string,
  placeholder: RegExp,
  terms: ReadonlyArray<Term>,
  hit: RegExp | undefined
): ReadonlyArray<Range> => {
  return [
    ...matches(text, placeholder, "placeholder", "Placeholder"),
    ...placesOf(text, terms).flatMap((place) => {
      const { pattern, title } = terms[place]!
      return matches(text, pattern, "term", title)
    }),
    ...(hit === undefined ? [] : matches(text, hit, "hit")),
    ...Array.from(text.matchAll(unseen), (match): Range => {
      const code = match[0].codePointAt(0)!
      const name =
        names[code] ?? (code >= 0xd800 && code <= 0xdfff ? "half of a character" : "control character")
      return { start: match.index, end: match.index + match[0].length, kind: "character", title: name }
    })
  ]
}

/** The text with its marks. Where ranges overlap, both are marked. */
export const marked = (text: string, ranges: ReadonlyArray<Range>): DocumentFragment => {
  const made = document.createDocumentFragment()
  const cuts = [...new Set([0, text.length, ...ranges.flatMap(({ end, start }) => [start, end])])].sort(
    (first, second) => first - second
  )
  const coming = [...ranges].sort((first, second) => second.start - first.start)
  let over: Array<Range> = []
  for (const [index, start] of cuts.slice(0, -1).entries()) {
    const piece = text.slice(start, cuts[index + 1])
    over = over.filter(({ end }) => end > start)
    while (coming.at(-1)?.start === start) over.push(coming.pop()!)
    if (over.length === 0) made.append(piece)
    else {
      const kinds = [...new Set(over.map(({ kind }) => kind))]
      made.append(
        element(
          kinds.includes("hit") ? "mark" : "span",
          { class: kinds.join(" "), title: over.findLast(({ title }) => title !== undefined)?.title },
          kinds.includes("character") ? codeOf(piece) : piece
        )
      )
    }
  }
  return made
}
