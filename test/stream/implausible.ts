/** Services that do not translate, and texts to see it by. */
import type * as AnswerFault from "../../src/text/AnswerFault.js"

const nouns = [
  "House",
  "Garden",
  "Window",
  "Kitchen",
  "Street",
  "Bridge",
  "Forest",
  "Mountain",
  "River",
  "Harbour"
]
const verbs = ["opens", "closes", "shines", "falls", "waits", "grows", "burns", "sleeps"]

/** Different texts of words, of different lengths. */
export const sentences = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, index) => {
    const words = (index.toString(5) + index.toString(8))
      .split("")
      .map((digit, place) =>
        place % 2 === 0
          ? nouns[(Number(digit) * 7 + index) % nouns.length]!
          : verbs[(Number(digit) + index) % verbs.length]!
      )
    return `${words.join(" ")} ${nouns[index % 10]!.toLowerCase()}${"abcdefghij"[Math.floor(index / 10) % 10]}${"klmnopqrst"[Math.floor(index / 100) % 10]}`
  })

export const reversed = (text: string) => `das ${text.toLowerCase().split("").reverse().join("")}`

export type Answering = (texts: ReadonlyArray<string>, call: number) => ReadonlyArray<string>

export const faults: Readonly<Record<AnswerFault.AnswerFault, Answering>> = {
  empty: (texts) => texts.map(() => " "),
  constant: (texts) => texts.map(() => "Bitte warten."),
  echoed: (texts) => texts,
  shifted: (texts) => texts.map((_, index) => `[de] ${texts[(index + 1) % texts.length]}`)
}
