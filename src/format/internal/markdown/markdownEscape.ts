import type { Dialect } from "./markdownTree.js"

/** Where a text stands in its block. */
export interface Place {
  readonly dialect: Dialect
  readonly isLineStart: boolean
  readonly isLineEnd: boolean
  readonly isHeading: boolean
  readonly isCell: boolean
}

/** The ways to escape a text, from the usual to the safest. */
export type Strength = "light" | "strong" | "full"
export const strengths: ReadonlyArray<Strength> = ["light", "strong", "full"]

const reference = (character: string): string => `&#x${character.codePointAt(0)!.toString(16).toUpperCase()};`

const escapeLineStart = (text: string): string =>
  text
    .replace(/^(?=#{1,6}(?:[ \t]|$)|>|[-+](?:[ \t]|$)|--|:::|=+[ \t]*$)/, "\\")
    .replace(/^(\d{1,9})(?=[.)](?:[ \t]|$))/, "$1\\")

const light = (text: string, { dialect, isHeading, isLineEnd, isLineStart }: Place): string => {
  let escaped = text
    .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
    .replace(/[`[\]]/g, "\\$&")
    .replace(/(?<!\s)\*|\*(?!\s)/g, "\\*")
    .replace(/(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, "\\_")
    .replace(dialect === "mdx" ? /[<{]/g : /<(?=[A-Za-z/!?])/g, "\\$&")
    .replace(/&(?=#?[A-Za-z\d]+;)/g, "\\&")
    .replace(/(?<![\w:]):(?=(?:[a-z\d][a-z\d_+-]*|[+-]1):)/g, "\\:")
  if (dialect === "md") escaped = escaped.replace(/\$(?=\{)|\{(?=[{%]|[#.:][^{}]+\})/g, "\\$&")
  if (escaped.indexOf("~") !== escaped.lastIndexOf("~")) escaped = escaped.replaceAll("~", "\\~")
  if (isHeading && isLineEnd) escaped = escaped.replace(/(?<=^|[ \t])(?=#+$)/, "\\")
  return isLineStart ? escapeLineStart(escaped) : escaped
}

const strong = (text: string, place: Place): string => {
  const escaped = text.replace(/[\\`*_{}[\]<>#+\-=|~&$!:]/g, "\\$&")
  return place.isLineStart ? escapeLineStart(escaped) : escaped
}

const full = (text: string, { isLineStart }: Place): string =>
  isLineStart && /^[a-z]/i.test(text)
    ? reference(text[0]!) + full(text.slice(1), { isLineStart: false } as Place)
    : text.replace(/[!-/:-@[-`{-~]/g, "\\$&")

const escapers = { light, strong, full }

/** A text as Markdown, so that it is no structure. */
export const escapeText = (text: string, place: Place, strength: Strength): string => {
  const escaped = escapers[strength](text, place)
  return place.isCell && strength === "light" ? escaped.replaceAll("|", "\\|") : escaped
}

/** The text of an image, or a title between the quotes that it had. */
export const escapeAttribute = (
  text: string,
  kind: "alt" | "title",
  isCell: boolean,
  strength: Strength
): string => {
  const escaped =
    strength !== "light"
      ? text.replace(/[!-/:-@[-`{-~]/g, "\\$&")
      : text
          .replace(/\\(?=[!-/:-@[-`{-~]|$)/g, "\\\\")
          .replace(kind === "alt" ? /[`[\]*<]/g : /["'()]/g, "\\$&")
          .replace(/&(?=#?[A-Za-z\d]+;)/g, "\\&")
  return isCell && strength === "light" ? escaped.replaceAll("|", "\\|") : escaped
}

const isSpace = (character: string): boolean => character === "" || /\s/u.test(character)
const isPunctuation = (character: string): boolean => /[\p{P}\p{S}]/u.test(character)

/**
 * True if a run of `*` between two characters can open a mark (`before` is outside), or close one (`before` is inside):
 * it needs a letter inside, or no letter outside.
 */
export const canDelimit = (inside: string, outside: string): boolean =>
  !isPunctuation(inside) || isSpace(outside) || isPunctuation(outside)

export const isWordCharacter = (character: string): boolean =>
  character !== "" && !isSpace(character) && !isPunctuation(character)

export const referTo = reference
