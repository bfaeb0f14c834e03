import { memoizedBy } from "../../../internal/memoizedBy.js"
import { make, type Range } from "./check.js"

/** A word of a term. */
interface TermWord {
  readonly word: string
  /** The beginning that all its forms share. */
  readonly beginning: string
}

interface Entry {
  /** As it is written in the glossary. */
  readonly term: string
  readonly translation: string
  /** In lower case. */
  readonly source: string
  /** The words of the source in lower case, by which its forms are found. */
  readonly sourceWords: ReadonlyArray<TermWord>
  /** The words of the target in lower case, without their endings. */
  readonly target: ReadonlyArray<string>
}

interface Index {
  readonly byFirstWord: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Entries that may begin within a word, as in scripts without spaces: by their first UTF-16 code unit. */
  readonly others: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** Entries that are found in any of their forms, by the beginning that those of their first words share. */
  readonly byBeginning: ReadonlyMap<string, ReadonlyArray<Entry>>
  /** The rest of these: some of their words have no spaces around. */
  readonly formless: ReadonlyMap<string, ReadonlyArray<Entry>>
}

const words = /[\p{L}\p{M}\p{Nd}]+/gu
const unspaced = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** The common beginning of all forms of a word. */
const stem = (word: string): string =>
  unspaced.test(word) ? word : word.slice(0, Math.max(3, Math.ceil((word.length * 2) / 3)))

/** The most letters by which a form of a word is longer than the word. */
const longestEnding = 3

/** Letters at the end of a word that its forms change: "city" and "cities", "kniha" and "knihy". */
const changingEnding = /[aeiouyаеёиоуыэюяьйαεηιουω]$/u

/** The beginning that all forms of a word of a term share. */
const shared = (word: string): string =>
  word.length > 3 && changingEnding.test(word.normalize("NFD").replace(/\p{M}+/gu, ""))
    ? word.slice(0, -1)
    : word

/** True if a word is a form of a term's word: it begins as that does, and has a short ending of its own. */
const isForm = (word: string, { beginning, word: ofTerm }: TermWord): boolean =>
  word === ofTerm ||
  (ofTerm.length > 2 && word.length <= ofTerm.length + longestEnding && word.startsWith(beginning))

const add = (map: Map<string, Array<Entry>>, key: string, entry: Entry): void => {
  const known = map.get(key)
  if (known === undefined) map.set(key, [entry])
  else known.push(entry)
}

/** A glossary may have thousands of entries, and is the same for many texts. */
const indexOf = /* #__PURE__ */ memoizedBy((glossary: ReadonlyMap<string, string>): Index => {
  const byFirstWord = new Map<string, Array<Entry>>()
  const byBeginning = new Map<string, Array<Entry>>()
  const others = new Map<string, Array<Entry>>()
  const formless = new Map<string, Array<Entry>>()
  for (const [term, translation] of glossary) {
    const source = term.toLowerCase()
    const sourceWords = (source.match(words) ?? []).map((word) => ({ word, beginning: shared(word) }))
    const target = (translation.toLowerCase().match(words) ?? []).map(stem)
    const entry: Entry = { term, translation, source, sourceWords, target }
    const { word: first, beginning = "" } = sourceWords[0] ?? {}
    const isOfWords = first !== undefined && source.startsWith(first)
    if (isOfWords && !unspaced.test(first)) add(byFirstWord, first, entry)
    else add(others, source[0] ?? "", entry)
    if (isOfWords && !unspaced.test(source)) add(byBeginning, beginning, entry)
    else add(formless, source[0] ?? "", entry)
  }
  return { byFirstWord, others, byBeginning, formless }
})

const withinWord = /[\p{L}\p{M}\p{Nd}]/u

/** The entries whose terms stand anywhere in a text, and where they do first. */
const anywhere = (text: string, byFirstUnit: Index["others"]): ReadonlyMap<Entry, Range> => {
  const found = new Map<Entry, Range>()
  if (byFirstUnit.size === 0) return found
  for (let start = 0; start < text.length; start++) {
    for (const entry of byFirstUnit.get(text[start]!) ?? []) {
      if (found.has(entry) || !text.startsWith(entry.source, start)) continue
      found.set(entry, { start, end: start + entry.source.length })
    }
  }
  return found
}

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
  found.push(...anywhere(text, index.others))
  return found
}

/** The entries whose terms a text holds, in any of their forms: "doors" holds "door". */
const entriesByForms = (text: string, index: Index): ReadonlySet<Entry> => {
  const found = new Set(anywhere(text, index.formless).keys())
  const held = index.byBeginning.size === 0 ? [] : (text.match(words) ?? [])
  for (const [place, word] of held.entries()) {
    const isHeld = (ofTerm: TermWord, offset: number) => isForm(held[place + offset] ?? "", ofTerm)
    // A word of a term is at most one letter longer than what its forms share.
    const least = Math.max(1, word.length - longestEnding - 1)
    for (let length = least; length <= word.length; length++) {
      for (const entry of index.byBeginning.get(word.slice(0, length)) ?? []) {
        if (!found.has(entry) && entry.sourceWords.every(isHeld)) found.add(entry)
      }
    }
  }
  return found
}

/** The terms of a glossary that a text holds in any of their forms, and their translations, in an order of their own. */
export const termsIn = (
  glossary: ReadonlyMap<string, string>,
  text: string
): ReadonlyArray<readonly [term: string, translation: string]> =>
  Array.from(
    entriesByForms(text.toLowerCase(), indexOf(glossary)),
    ({ term, translation }) => [term, translation] as const
  ).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))

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
