/** Faults in marks of formats: conversions of printf, branches of ICU, accelerators, Markdown. */
import type { Random } from "../random.js"
import { matchesOf, type Piece, replace, without, wordsOf } from "../text.js"
import { around, type Fault, type Make, type Plant } from "./fault.js"

const conversion = /(?<!%)%[-+#0]?\d*(?:\.\d+)?(?:hh?|ll?|[zj])?([sdiuxXfgc])(?!\p{L})/gu

const kinds = (pieces: ReadonlyArray<Piece>) => pieces.map(({ text }) => text).join()

/** Two neighbours of different kinds change places. Numbered and named conversions are left out. */
const conversionsExchanged: Make = ({ source, translation }, { random }) => {
  const found = matchesOf(translation, conversion)
  if (/%(?:\d+\$|\()/.test(source) || kinds(found) !== kinds(matchesOf(source, conversion))) return undefined
  const places = found.slice(1).flatMap((piece, at) => (piece.text === found[at]!.text ? [] : [at]))
  if (places.length === 0) return undefined
  const at = random.pick(places)
  const [one, other] = [found[at]!, found[at + 1]!]
  return { translation: replace(replace(translation, other, one.text), one, other.text) }
}

const isPlain = (text: string) => !/[{}<>#'’|%\n]/.test(text)

/** Those of whole numbers: a message without a branch for fractions or millions is right. */
const categoriesOf = (language: string) => {
  const rules = new Intl.PluralRules(language)
  const found = new Set(Array.from({ length: 201 }, (_, number) => rules.select(number)))
  return rules
    .resolvedOptions()
    .pluralCategories.filter((category) => category === "other" || found.has(category))
}

const branches = (keywords: ReadonlyArray<string>, text: string) =>
  keywords.map((keyword) => `${keyword} {${text}}`).join(" ")

/** A message of a plural, with a branch for nothing, in all categories of the language. */
const plural: Plant = (pair, { language }) =>
  isPlain(pair.source) && isPlain(pair.translation)
    ? {
        ...pair,
        source: `{count, plural, =0 {${pair.source}} ${branches(["one", "other"], `# ${pair.source}`)}}`,
        translation: `{count, plural, =0 {${pair.translation}} ${branches(categoriesOf(language), `# ${pair.translation}`)}}`
      }
    : undefined

const selected: Plant = (pair) => {
  const keywords = ["admin", "guest", "other"]
  return isPlain(pair.source) && isPlain(pair.translation)
    ? {
        ...pair,
        source: `{role, select, ${branches(keywords, pair.source)}}`,
        translation: `{role, select, ${branches(keywords, pair.translation)}}`
      }
    : undefined
}

const branch = /(?:=0|zero|one|two|few|many|other|admin|guest) \{[^{}]*\} ?/g

const keyword = /(?:=0|zero|one|two|few|many|other|admin|guest)(?= \{)/g

/** One of what matches, as it is changed. */
const changed =
  (
    pattern: RegExp,
    change: (piece: string, random: Random) => string,
    isSuch: (piece: string) => boolean = () => true
  ): Make =>
  ({ translation }, { random }) => {
    const found = matchesOf(translation, pattern).filter(({ text }) => isSuch(text))
    if (found.length === 0) return undefined
    const piece = random.pick(found)
    return { translation: replace(translation, piece, change(piece.text, random)) }
  }

const lost = () => ""

const allLost =
  (mark: string): Make =>
  ({ translation }) => ({ translation: translation.replaceAll(mark, "") })

/** A keyword becomes a word of the language. */
const keywordTranslated: Make = (pair, context) => {
  const words = wordsOf(pair.translation.replace(keyword, ""), context.language).filter(
    ({ text }) => !/^[ -~]+$/.test(text)
  )
  if (words.length === 0) return undefined
  const word = context.random.pick(words).text
  return changed(
    keyword,
    () => word,
    (text) => text !== "=0"
  )(pair, context)
}

/** In all branches, or in the one that has no number of its own. */
const numberLost: Make = (pair, context) =>
  context.random.pick([allLost("# "), changed(/(?<=other \{)# /g, lost)])(pair, context)

/** Marks that both texts have once, before a letter. */
const accelerator =
  (mark: string): Make =>
  ({ source, translation }) => {
    const pattern = new RegExp(String.raw`(?<![\p{L}\p{N}_&])${mark}(?=\p{L})`, "gu")
    const [inSource, found] = [matchesOf(source, pattern), matchesOf(translation, pattern)]
    const isAccelerator = inSource.length === 1 && found.length === 1 && source.length < 60
    if (!isAccelerator || source.split(mark).length !== 2) return undefined
    const own = new RegExp(String.raw`\s?\(${mark}\p{L}\)`, "u")
    return {
      translation: own.test(translation) ? translation.replace(own, "") : without(translation, found[0]!)
    }
  }

const bold = around("**", "**", (text) => !/[*`#]/.test(text))

const code: Plant = (pair, { random }) => {
  const name = random.pick(["npm install", "--force", "user_id", "config.json", "git"])
  return /[*`#]/.test(pair.source + pair.translation)
    ? undefined
    : {
        ...pair,
        source: `${pair.source} (\`${name}\`)`,
        translation: `${pair.translation} (\`${name}\`)`
      }
}

const heading: Plant = (pair, { random }) => {
  const marks = random.pick(["# ", "## ", "### "])
  return /^[#\s]|\n/.test(pair.source)
    ? undefined
    : { ...pair, source: marks + pair.source, translation: marks + pair.translation }
}

const quotes: Record<string, string> = { de: "„“", fr: "«»", ru: "«»", ja: "「」", "zh-Hans": "“”", pl: "„”" }

const quotation = /["“”„«»‹›「」『』]/g

const isQuoted = (text: string) => /^\s*["“„«「『'`]|["”“»」』'`]\s*$/.test(text)

const quotedAnswer: Make = ({ source, translation }, { language, random }) => {
  if (isQuoted(source) || isQuoted(translation)) return undefined
  const [open, close] = random.pick(['""', "“”", quotes[language] ?? '""'])
  return { translation: `${open}${translation}${close}` }
}

const fencedAnswer: Make = ({ source, translation }, { random }) =>
  source.includes("```")
    ? undefined
    : { translation: `\`\`\`${random.pick(["", "text", "json", "markdown"])}\n${translation}\n\`\`\`` }

const quotationLost: Make = ({ source, translation }) =>
  matchesOf(source, quotation).length === 2 && matchesOf(translation, quotation).length === 2
    ? { translation: translation.replace(quotation, "") }
    : undefined

const goal = 0.97

export const formats: ReadonlyArray<Fault> = [
  { name: "unnumbered conversions exchanged", goal, make: conversionsExchanged },
  {
    name: "branch of a plural lost",
    goal,
    plant: plural,
    make: changed(branch, lost, (text) => !text.startsWith("other"))
  },
  {
    name: "branch of a choice lost",
    goal,
    plant: selected,
    make: changed(branch, lost, (text) => !text.startsWith("other"))
  },
  {
    name: "other of a plural lost",
    goal,
    plant: plural,
    make: changed(branch, lost, (text) => text.startsWith("other"))
  },
  {
    name: "other of a choice lost",
    goal,
    plant: selected,
    make: changed(branch, lost, (text) => text.startsWith("other"))
  },
  { name: "keyword of a plural translated", goal, plant: plural, make: keywordTranslated },
  { name: "keyword of a choice translated", goal, plant: selected, make: keywordTranslated },
  { name: "# of a plural lost", goal, plant: plural, make: numberLost },
  { name: "accelerator & lost", goal, make: accelerator("&") },
  { name: "accelerator _ lost", goal, make: accelerator("_") },
  { name: "one ** of Markdown lost", goal, plant: bold, make: changed(/\*\*/g, lost) },
  { name: "both ** of Markdown lost", goal, plant: bold, make: allLost("**") },
  { name: "one mark of a code span lost", goal, plant: code, make: changed(/`/g, lost) },
  { name: "both marks of a code span lost", goal, plant: code, make: allLost("`") },
  {
    name: "heading lost",
    goal,
    plant: heading,
    make: ({ translation }) => ({ translation: translation.replace(/^#+ /, "") })
  },
  { name: "code fence around the answer", goal, make: fencedAnswer },
  { name: "quotation marks around the answer", goal, make: quotedAnswer },
  { name: "both quotation marks lost", goal, make: quotationLost }
]
