import * as Limits from "../Limits.js"
import * as utf8 from "./utf8.js"

/** At most 20 characters of a phrase: errors do not hold more. */
export const shorten = (phrase: string): string => {
  // Twenty characters are at most forty units.
  const characters = Array.from(phrase.slice(0, 42))
  return characters.length > 20 ? `${characters.slice(0, 19).join("")}…` : characters.join("")
}

export const quote = (phrase: string): string => JSON.stringify(shorten(phrase))

/** A byte order mark is as invisible as a space, and would be taken for the mark of the whole text. */
const outerWhitespace = /^[\p{White_Space}\uFEFF]|[\p{White_Space}\uFEFF]$/u
const controlCharacter = /[\u0000-\u001F\u0080-\u009F\u2028\u2029]/

/** The rules for a source or a target, with what the error says after its name. */
export const rules = [
  {
    rule: "Empty",
    breaks: (phrase: string) => phrase === "",
    says: () => "is empty: fill it in, or remove the entry"
  },
  {
    rule: "ControlCharacter",
    breaks: (phrase: string) => controlCharacter.test(phrase),
    says: (phrase: string) =>
      `${quote(phrase)} holds a control character, such as a tab, or a line break: replace it by a space`
  },
  {
    rule: "OuterWhitespace",
    breaks: (phrase: string) => outerWhitespace.test(phrase),
    says: (phrase: string) => `${quote(phrase)} begins or ends with whitespace: trim it`
  },
  {
    rule: "HalfCharacter",
    breaks: utf8.hasHalfCharacter,
    says: (phrase: string) =>
      `${quote(phrase)} holds half of a surrogate pair, which UTF-8 cannot carry: repair it`
  },
  {
    rule: "PhraseTooLong",
    breaks: (_: string, bytes: number) => bytes > Limits.glossaryPhraseBytes,
    says: (phrase: string, bytes: number) =>
      `${quote(phrase)} takes ${bytes} bytes, ${Limits.glossaryPhraseBytes} are allowed: shorten it`
  }
] as const
