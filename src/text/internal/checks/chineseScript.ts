import * as Option from "effect/Option"
import { make, type Range } from "./check.js"
import { languageOf } from "./languages.js"

const han = /[\u4e00-\u9fff]/g

/** Han characters of an encoding, of two bytes each, in rows of the first byte. */
const charactersOf = (encoding: string, rows: readonly [number, number], columns: number): Set<string> => {
  const bytes: Array<number> = []
  for (let row = rows[0]; row <= rows[1]; row++)
    for (let column = columns; column < 0xff; column++)
      if (column < 0x7f || column > 0xa0) bytes.push(row, column)
  return new Set(new TextDecoder(encoding).decode(Uint8Array.from(bytes)).match(han))
}

const without = (characters: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(Array.from(characters).filter((each) => !others.has(each)))

/**
 * Characters that one script has alone. The standards of both countries tell: GB 2312 has the simplified forms, and Big5 the traditional
 * ones. All runtimes with the encodings of the web can decode them, in some 20 ms, so a table is not needed.
 */
const makeCharacters = Option.liftThrowable(() => {
  const simplified = charactersOf("gbk", [0xb0, 0xf7], 0xa1)
  const traditional = charactersOf("big5", [0xa4, 0xc6], 0x40)
  const rare = charactersOf("big5", [0xc9, 0xf9], 0x40)
  return { Hans: without(without(simplified, traditional), rare), Hant: without(traditional, simplified) }
})

let made: ReturnType<typeof makeCharacters> | undefined

/** Where a text has some of these characters, each of which is one code unit. */
const placesOf = (text: string, characters: ReadonlySet<string>): ReadonlyArray<Range> => {
  const found: Array<Range> = []
  for (let start = 0; start < text.length; start++)
    if (characters.has(text[start]!)) found.push({ start, end: start + 1 })
  return found
}

/** The characters of a text of which one tells, if none is of its own script. */
const fewest = 8

/** Names and quotations are in the other script here and there. */
const isOther = (own: number, other: number, translation: string): boolean =>
  other > 2 * own && (other >= 2 || (translation.match(han)?.length ?? 0) >= fewest)

export const chineseScript = make(
  {
    name: "chineseScript",
    version: "2",
    severity: "warning",
    explanation:
      "The translation is in the other script of Chinese, simplified or traditional, than its language says."
  },
  ({ source, targetLang, translation }) => {
    const { name, script } = languageOf(targetLang)
    if (name !== "zh" || source === translation) return undefined
    made ??= makeCharacters()
    if (Option.isNone(made)) return undefined
    const { Hans, Hant } = made.value
    const [own, other] = script === "Hant" ? [Hant, Hans] : [Hans, Hant]
    const places = placesOf(translation, other)
    return isOther(placesOf(translation, own).length, places.length, translation)
      ? { source: [], translation: places }
      : undefined
  }
)
