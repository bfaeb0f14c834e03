import * as LanguageCode from "../../api/LanguageCode.js"
import type { Phrases } from "./phrases.js"

const plainLetters = "aceinouyACEINOUY"
/** Only Latin-1 letters: V8 keeps such strings at one byte a character. */
const accentedLetters = "åçéîñöûýÅÇÉÎÑÖÛÝ"

const accents = Uint16Array.from({ length: 128 }, (_, code) => {
  const index = plainLetters.indexOf(String.fromCharCode(code))
  return index < 0 ? code : accentedLetters.charCodeAt(index)
})

/** A number of arguments that every call takes. */
const chunk = 4096

const accentChunk = (text: string, start: number, end: number): string => {
  const codes = new Array<number>(end - start)
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i)
    codes[i - start] = code < 128 ? accents[code]! : code
  }
  return String.fromCharCode.apply(null, codes)
}

const accent = (text: string): string => {
  if (text.length <= chunk) return accentChunk(text, 0, text.length)
  let result = ""
  for (let start = 0; start < text.length; start += chunk) {
    result += accentChunk(text, start, Math.min(start + chunk, text.length))
  }
  return result
}

const mayHoldCode = /[<{%&]/

/** Tags, `{{x}}`, `{x}` and `${x}`, `%s`, `%1$s` and `%(x)s`, entities. */
const code =
  /(<\/?[a-z!?][^<>]*>|\{\{[^{}]*\}\}|\$?\{[^{}]*\}|%(?:\d+\$|\([^()\s]*\))?[-+#0]*\d*(?:\.\d+)?[a-z@]|&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);)/i

/** No code at all. */
const nothing = /(?!)/

/** The code of markup: tags and entities. */
const markup = /(<\/?[a-z!?][^<>]*>|&(?:#\d+|#x[0-9a-f]+|[a-z]+\d*);)/i

const withElements = (code: RegExp, ignoreTags: ReadonlyArray<string>): RegExp => {
  const elements = ignoreTags
    .map((tag) => tag.replace(/[^\w-]/g, "\\$&"))
    .map((tag) => `<${tag}(?:\\s[^<>]*)?>[^]*?</${tag}\\s*>|`)
  return elements.length === 0 ? code : new RegExp(`(${elements.join("")}${code.source.slice(1)}`, code.flags)
}

/** Code, and elements of these tags with all that is in them. */
export const codeWith = (ignoreTags: ReadonlyArray<string>): RegExp => withElements(code, ignoreTags)

/** All that a rough service leaves as it is: markup, where it is told that a text is markup. */
export const roughCode = (tagHandling: string | undefined, ignoreTags: ReadonlyArray<string>): RegExp =>
  tagHandling === undefined ? nothing : withElements(markup, ignoreTags)

const aroundCode = (text: string, code: RegExp, change: (part: string) => string): string =>
  mayHoldCode.test(text)
    ? text
        .split(code)
        .map((part, index) => (index % 2 === 0 ? change(part) : part))
        .join("")
    : change(text)

/** Accents a text, without the mark of the language. */
export const accented = (text: string, phrases?: Phrases, untouched = code): string =>
  aroundCode(text, untouched, phrases === undefined ? accent : (part) => phrases.replace(part, accent))

/** Changes a text, but not the whitespace around it. A blank text stays as it is. */
export const mapTrimmed = (text: string, change: (trimmed: string) => string): string => {
  const trimmed = text.trim()
  if (trimmed === "") return text
  const changed = change(trimmed)
  if (trimmed.length === text.length) return changed
  const start = text.indexOf(trimmed)
  return text.slice(0, start) + changed + text.slice(start + trimmed.length)
}

/** `PseudoTranslation.translate`, with its phrases and code compiled already. */
export const translate = (text: string, targetLang: string, phrases?: Phrases, untouched = code): string =>
  mapTrimmed(
    text,
    (trimmed) => `[${LanguageCode.canonical(targetLang)}] ${accented(trimmed, phrases, untouched)}`
  )
