import { hasLoneSurrogate } from "../../internal/utf8.js"

/**
 * Databases hold UTF-8 without U+0000. Such characters, and halves of surrogate pairs, are kept as this one and four hexadecimal
 * digits.
 */
const mark = "\u001a"

const unstorable = /[\0\u001a\p{Surrogate}]/gu
const marked = /\u001a([0-9a-f]{4})/g

const escaped = (character: string): string => mark + character.charCodeAt(0).toString(16).padStart(4, "0")

/** Most texts have none of these characters: looking for each by itself is faster than the pattern. */
const isStorable = (text: string): boolean =>
  !hasLoneSurrogate(text) && !text.includes("\0") && !text.includes(mark)

/** A text as it is stored. */
export const encode = (text: string): string => (isStorable(text) ? text : text.replace(unstorable, escaped))

/** The text that is stored as this one. */
export const decode = (stored: string): string =>
  stored.includes(mark)
    ? stored.replace(marked, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    : stored
