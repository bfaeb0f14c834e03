import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"

const predefined: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["apos", "'"],
  ["quot", '"']
])

const references = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|(amp|lt|gt|apos|quot));/g

/** Characters that XML 1.0 cannot hold, not even as a reference. */
const impossible = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/

const characterOf = (reference: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return predefined.get(name)!
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal)
  return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? reference : String.fromCodePoint(code)
}

/** The text that a piece of XML stands for. References to other entities than the five of XML stay as they are. */
export const unescape = (raw: string): string =>
  raw.includes("&") ? raw.replace(references, characterOf) : raw

const minimal: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"]
])

/** A text as XML: `&`, `<` and `>` as references, all else as it is. */
export const canonical = (text: string): string =>
  /[&<>]/.test(text) ? text.replace(/[&<>]/g, (character) => minimal.get(character)!) : text

/** Which characters are written as references, and how. A carriage return before a line feed has the key CR LF. */
export type Style = ReadonlyMap<string, string>

/**
 * The way a piece of XML writes its characters: those it has as references are references, and `>` is one unless it has
 * it bare. A carriage return is one, unless it has a bare one; before a line feed only if it has such a one there.
 */
export const styleOf = (raw: string): Style => {
  const style = new Map(minimal)
  style.set("\r", "&#13;")
  if (raw.includes(">")) style.delete(">")
  if (/\r(?!\n)/.test(raw)) style.delete("\r")
  if (raw.includes("&")) {
    for (const { 0: reference, 1: decimal, 2: hexadecimal, 3: name, index } of raw.matchAll(references)) {
      const character = characterOf(reference, decimal, hexadecimal, name)
      if (character === reference) continue
      const isBeforeLineFeed = character === "\r" && raw[index + reference.length] === "\n"
      style.set(isBeforeLineFeed ? "\r\n" : character, reference)
    }
  }
  return style
}

const special = /[\s\S]/gu

/** Writes a text as XML. Left if it holds a character that XML cannot hold. */
export const escape = (text: string, style: Style = styleOf("")): Either.Either<string, Problem> => {
  if (impossible.test(text)) {
    return Either.left({
      message: "the translation holds a control character that XML cannot hold: remove it."
    })
  }
  if (style.size <= 4 && !/[&<>\r]/.test(text) && ![...style.keys()].some((key) => text.includes(key))) {
    return Either.right(text)
  }
  return Either.right(
    text.replace(special, (character, at: number) => {
      if (character === "\r" && text[at + 1] === "\n" && !style.has("\n"))
        return style.get("\r\n") ?? character
      if (character === ">" && text.startsWith("]]", at - 2)) return "&gt;"
      return style.get(character) ?? character
    })
  )
}

/** Writes a text as the value of an attribute between such quotes. */
export const escapeAttribute = (
  text: string,
  quote: string,
  style?: Style
): Either.Either<string, Problem> => {
  const own = new Map(style ?? styleOf(""))
  own.set(quote, own.get(quote) ?? (quote === '"' ? "&quot;" : "&apos;"))
  for (const [character, reference] of [
    ["\t", "&#9;"],
    ["\n", "&#10;"],
    ["\r", "&#13;"]
  ] as const) {
    own.set(character, own.get(character) ?? reference)
  }
  return escape(text.replaceAll("\r\n", "\n"), own)
}

/** Writes a text as CDATA. Left if it holds a character that XML cannot hold. */
export const cdata = (text: string): Either.Either<string, Problem> =>
  Either.map(escape(text, new Map()), () => `<![CDATA[${text.replaceAll("]]>", "]]]]><![CDATA[>")}]]>`)
