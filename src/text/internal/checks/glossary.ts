import { make, type Range } from "./check.js"

interface Entry {
  /** In lower case. */
  readonly source: string
  /** The words of the target in lower case, without their endings. */
  readonly target: ReadonlyArray<string>
}

interface Index {
  readonly byFirstWord: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Entries that may begin within a word, as in scripts without spaces. */
  readonly others: ReadonlyArray<Entry>
}

const words = /[\p{L}\p{M}\p{Nd}]+/gu
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** The common beginning of all forms of a word. */
const stem = (word: string): string =>
  unspaced.test(word) ? word : word.slice(0, Math.max(3, Math.ceil((word.length * 2) / 3)))

const indices = new WeakMap<ReadonlyMap<string, string>, Index>()

/** A glossary may have thousands of entries, and is the same for many texts. */
const indexOf = (glossary: ReadonlyMap<string, string>): Index => {
  const known = indices.get(glossary)
  if (known !== undefined) return known
  const byFirstWord = new Map<string, Array<Entry>>()
  const others: Array<Entry> = []
  for (const [term, translation] of glossary) {
    const source = term.toLowerCase()
    const entry = { source, target: (translation.toLowerCase().match(words) ?? []).map(stem) }
    const first = source.match(words)?.[0]
    if (first === undefined || !source.startsWith(first) || unspaced.test(first)) others.push(entry)
    else byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), entry])
  }
  const index = { byFirstWord, others }
  indices.set(glossary, index)
  return index
}

const withinWord = /[\p{L}\p{M}\p{Nd}]/u

/** The entries whose terms a text holds, and where. */
const entriesIn = (text: string, index: Index): ReadonlyArray<readonly [Entry, Range]> => {
  const found: Array<readonly [Entry, Range]> = []
  for (const { 0: word, index: start } of text.matchAll(words)) {
    for (const entry of index.byFirstWord.get(word) ?? []) {
      const end = start + entry.source.length
      if (text.startsWith(entry.source, start) && !withinWord.test(text.slice(end, end + 1))) {
        found.push([entry, { start, end }])
      }
    }
  }
  for (const entry of index.others) {
    const start = text.indexOf(entry.source)
    if (start !== -1) found.push([entry, { start, end: start + entry.source.length }])
  }
  return found
}

export const glossary = make(
  {
    name: "glossary",
    severity: "warning",
    explanation: "The translation does not use the terms of the glossary. Forms of them count as used."
  },
  ({ glossary, source, translation }) => {
    if (glossary === undefined || glossary.size === 0) return undefined
    const entries = entriesIn(source.toLowerCase(), indexOf(glossary))
    if (entries.length === 0) return undefined
    const text = translation.toLowerCase()
    const unused = entries.filter(([{ target }]) => !target.every((word) => text.includes(word)))
    return unused.length === 0 ? undefined : { source: unused.map(([, range]) => range), translation: [] }
  }
)
