/** Faults of programs on the way: letters that another encoding has lost or read otherwise, and escapes that nobody has read. */
import type { Fault, Make } from "./fault.js"

const foreign = /(?![\p{ASCII}])[\p{L}\p{M}]/gu

/** All letters beyond ASCII are replaced. */
const eachForeign =
  (replacement: (letter: string) => string): Make =>
  ({ translation }) => ({ translation: translation.replace(foreign, replacement) })

const hex = (letter: string) =>
  Array.from(letter, (_, at) => letter.charCodeAt(at).toString(16).padStart(4, "0"))

/** Of windows-1252, from 80 to 9F. `TextDecoder` of some versions of Node reads ISO 8859-1 instead. */
const windows = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

const readByte = (byte: number) => windows[byte - 0x80] ?? String.fromCharCode(byte)

const readWrongly = (text: string) => Array.from(new TextEncoder().encode(text), readByte).join("")

/** UTF-8 that was read as windows-1252, here and there twice. */
const mojibake: Make = ({ translation }, { random }) => {
  if (translation.search(foreign) === -1) return undefined
  const once = readWrongly(translation)
  return { translation: random.below(5) === 0 ? readWrongly(once) : once }
}

/** Marks that the source has as they are are escaped. */
const escaped =
  (mark: RegExp, replacement: string): Make =>
  ({ source, translation }) =>
    source.includes("&#") || /&\w+;/.test(source)
      ? undefined
      : { translation: translation.replace(mark, replacement) }

const ampersand: Fault["plant"] = (pair) =>
  /[&<]/.test(pair.source) || /[&<]/.test(pair.translation)
    ? undefined
    : { ...pair, source: `${pair.source} (R & D)`, translation: `${pair.translation} (R & D)` }

const entity: Fault["plant"] = (pair) =>
  /[&<]/.test(pair.source) || /[&<]/.test(pair.translation)
    ? undefined
    : { ...pair, source: `${pair.source} (R &amp; D)`, translation: `${pair.translation} (R &amp; D)` }

const goal = 0.97

export const encoding: ReadonlyArray<Fault> = [
  { name: "letters that are question marks", goal, make: eachForeign(() => "?") },
  { name: "letters that are replacement characters", goal, make: eachForeign(() => "\ufffd") },
  { name: "UTF-8 read as another encoding", goal, make: mojibake },
  {
    name: "letters as escapes of JSON",
    goal,
    make: eachForeign((letter) =>
      hex(letter)
        .map((code) => `\\u${code}`)
        .join("")
    )
  },
  { name: "letters as entities", goal, make: eachForeign((letter) => `&#${letter.codePointAt(0)};`) },
  { name: "& escaped", goal, plant: ampersand, make: escaped(/&/g, "&amp;") },
  {
    name: "& escaped twice",
    goal,
    plant: entity,
    make: ({ translation }) => ({ translation: translation.replaceAll("&amp;", "&amp;amp;") })
  },
  { name: "apostrophe escaped", goal, make: escaped(/['’]/g, "&#39;") },
  { name: "quotation mark escaped", goal, make: escaped(/"/g, "&quot;") }
]
