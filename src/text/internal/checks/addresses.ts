import { type Found, make, mostSearched, type Pair, range, without } from "./check.js"
import { languageOf } from "./languages.js"

const inAddress = "[^\\s<>\"'`«»“”„‘’()\\[\\]{}|\\\\^（）「」、。，；]"

const address = new RegExp(
  [
    `(?:https?|ftps?|sftp|ssh|git|file)://${inAddress}+`,
    `(?<![\\w.])www\\.${inAddress}+`,
    "(?<![\\w.+-])[\\w.+-]{1,64}@[\\w-]+(?:\\.[\\w-]+)+"
  ].join("|"),
  "gi"
)

const extensions =
  "7z|aac|avi|bak|bat|bin|bmp|bz2|c|cfg|conf|cpp|css|csv|dat|db|deb|dll|docx?|eps|epub|exe|flac|gif|gz|h|html?|ico|ini|iso|jar|java|jpe?g|js|json|key|lock|log|md|mkv|mov|mp[34]|od[pst]|ogg|pdf|pem|php|png|po|pptx?|ps|py|rb|rpm|rtf|sh|so|sql|svg|tar|tex|tgz|tiff?|tmp|toml|ts|tsv|txt|wav|webm|webp|xlsx?|xml|xz|ya?ml|zip"

const fileName = new RegExp(
  `(?<![\\w./\\\\-])(?=[\\w-]*[a-z])[\\w-]+(?:\\.[\\w-]+)*\\.(?:${extensions})(?![\\w/])`,
  "g"
)

const mayHoldAddress = /:\/\/|www\.|@/i
const mayHoldFileName = new RegExp(`\\.(?:${extensions})(?!\\w)`)

/** The length of an address without the marks that end a sentence. */
const trimmedLength = (match: string): number => {
  let length = match.length
  while (length > 0 && ".,;:!?…*_".includes(match[length - 1]!)) length--
  return length
}

const find = (text: string, pattern: RegExp, keyOf: (match: string) => string): ReadonlyArray<Found> =>
  Array.from(text.matchAll(pattern), ({ 0: match, index }) => {
    const found = match.slice(0, trimmedLength(match))
    return { key: keyOf(found), start: index, end: index + found.length }
  })

/** Services and users may name a language by anything. */
const isCode = /^[a-z]+$/

/** Pages are the same in all languages but for the scheme and the code of the language: `https://a.org/en/x`, `http://a.org/de/x`. */
const pageIn = ({ sourceLang = "en", targetLang }: Pair): ((url: string) => string) => {
  const codes = [sourceLang, targetLang]
    .map((code) => languageOf(code).name)
    .filter((code) => isCode.test(code))
  const language = new RegExp(
    `(?<![^./?=_-])(?:${["www", ...codes].join("|")})(?:[-_][a-z]{2,4})?(?![^./?&_-])`,
    "g"
  )
  return (url) =>
    url
      .toLowerCase()
      .replace(/^\w+:\/\//, ":/")
      .replace(language, "")
      .replace(/[./?=_-]+/g, "/")
      .replace(/^\/|\/$/g, "")
}

export const addresses = make(
  {
    name: "addresses",
    version: "2",
    severity: "error",
    explanation: "The translation does not hold the addresses and names of files of the source as they are."
  },
  (pair) => {
    const { source, translation } = pair
    const missing: Array<Found> = []
    const surplus: Array<Found> = []
    if (mayHoldAddress.test(source)) {
      const page = pageIn(pair)
      const expected = find(source, address, page)
      const actual = find(translation, address, page)
      missing.push(...without(expected, actual))
      surplus.push(...without(actual, expected))
    }
    if (mayHoldFileName.test(source)) {
      const text = translation.toLowerCase()
      const names = find(source, fileName, (name) => name.toLowerCase()).slice(0, mostSearched)
      missing.push(...names.filter(({ key }) => !text.includes(key)))
    }
    // A translation may add an address, such as its translators'.
    return missing.length === 0 ? undefined : { source: missing.map(range), translation: surplus.map(range) }
  }
)
