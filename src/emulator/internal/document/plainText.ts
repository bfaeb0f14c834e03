import * as Effect from "effect/Effect"
import {
  attempt,
  DocumentFailure,
  type FileTranslator,
  isBlank,
  type TextTranslator
} from "./fileTranslator.js"

/** It keeps a byte order mark. */
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** The text of a file. */
export const decode = (content: Uint8Array): Effect.Effect<string, DocumentFailure> =>
  attempt("The file is no text in UTF-8", () => utf8.decode(content))

/** The bytes of a text. */
export const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

const lineBreak = /(\r\n|\n|\r)/

const newline = 10

const chunkBytes = 1 << 20

/** Splits a file into chunks of whole lines, so that a large one is never one string. */
const chunks = (content: Uint8Array): ReadonlyArray<Uint8Array> => {
  const found: Array<Uint8Array> = []
  for (let start = 0; start < content.length; ) {
    const end = content.indexOf(newline, start + chunkBytes)
    const next = end < 0 ? content.length : end + 1
    found.push(content.subarray(start, next))
    start = next
  }
  return found
}

const translateLines = (text: string, translator: TextTranslator): string =>
  text
    .split(lineBreak)
    .map((line, index) => (index % 2 === 0 ? translator.translate(line) : line))
    .join("")

/** A text file: each line is a paragraph. */
export const txt: FileTranslator = (content, translator) =>
  Effect.map(
    Effect.forEach(chunks(content), (chunk) =>
      decode(chunk).pipe(
        Effect.map((text) => encode(translateLines(text, translator))),
        Effect.zipLeft(Effect.yieldNow())
      )
    ),
    (parts) => Buffer.concat(parts)
  )

const cueNumber = /^\uFEFF?\d+\s*$/

const time = String.raw`\d+:\d\d:\d\d[,.]\d{1,3}`

const cueTimes = new RegExp(`^${time}\\s*-->\\s*${time}(\\s|$)`)

/** Subtitles: cues of a number, the times and lines, with blank lines between them. */
export const srt: FileTranslator = (content, translator) =>
  Effect.flatMap(decode(content), (text) => {
    const parts = text.split(lineBreak)
    let expected: "number" | "times" | "first line" | "line" = "number"
    for (let index = 0; index < parts.length; index += 2) {
      const line = parts[index]!
      const isLine: boolean = expected === "first line" || expected === "line"
      if (isBlank(line) && (isLine || expected === "number")) {
        expected = "number"
      } else if (isLine) {
        parts[index] = translator.translate(line, expected === "line")
        expected = "line"
      } else if (!(expected === "number" ? cueNumber : cueTimes).test(line)) {
        return new DocumentFailure({
          message: `The file is no SubRip text: line ${index / 2 + 1} is not the ${expected} of a cue`
        })
      } else {
        expected = expected === "number" ? "times" : "first line"
      }
    }
    return Effect.succeed(encode(parts.join("")))
  })
