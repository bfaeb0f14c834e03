import * as Chunk from "effect/Chunk"
import * as Either from "effect/Either"
import { encoder, hasLoneSurrogate } from "../../../internal/utf8.js"
import type { Problem } from "../../Format.js"
import type { Batch, Transducer } from "../transducer.js"
import * as xmlText from "../xml/xmlText.js"
import type { Entry } from "./tmxReader.js"

/**
 * Options for writing a translation memory.
 *
 * @since 0.1.0
 * @category models
 */
export interface EncodeOptions {
  /** The language that the entries were translated from, unless they say another one. */
  readonly sourceLang: string
  /** The program that made the entries. @default "effect-translate" */
  readonly creationTool?: string | undefined
  /** Its version. @default the version of this package */
  readonly creationToolVersion?: string | undefined
}

const checked = (text: string): Either.Either<string, Problem> =>
  hasLoneSurrogate(text)
    ? Either.left({ message: "a text holds half of a surrogate pair, which UTF-8 cannot carry: repair it." })
    : Either.right(text)

// A bare CR LF would be read as LF.
const style = new Map(xmlText.styleOf("")).set("\r\n", "&#13;")

const content = (text: string): Either.Either<string, Problem> =>
  Either.flatMap(checked(text), () => xmlText.escape(text, style))

const attribute = (name: string, value: string): Either.Either<string, Problem> =>
  /^[\w-]*$/.test(value) ? Either.right(` ${name}="${value}"`) : escapedAttribute(name, value)

const escapedAttribute = (name: string, value: string): Either.Either<string, Problem> =>
  Either.map(
    Either.flatMap(checked(value), () => xmlText.escapeAttribute(value, '"')),
    (escaped) => ` ${name}="${escaped}"`
  )

const dateOf = (date: Date): Either.Either<string, Problem> =>
  Number.isNaN(date.getTime())
    ? Either.left({ message: "`created` is not a valid date: leave it out." })
    : Either.right(date.toISOString().replace(/[-:]|\.\d+/g, ""))

const writeUnit = (entry: Entry, { sourceLang }: EncodeOptions): Either.Either<string, Problem> =>
  Either.gen(function* () {
    const languages = Object.keys(entry.texts)
    if (languages.length < 2) {
      return yield* Either.left<Problem>({
        message: "it has texts in fewer than two languages: leave it out."
      })
    }
    const own = entry.sourceLang ?? sourceLang
    const isOwn = own.toLowerCase() !== sourceLang.toLowerCase()
    const hasSource = languages.some((language) => language.toLowerCase() === own.toLowerCase())
    const attributes = [
      entry.id === undefined ? "" : yield* attribute("tuid", entry.id),
      entry.created === undefined ? "" : yield* attribute("creationdate", yield* dateOf(entry.created)),
      hasSource && !isOwn ? "" : yield* attribute("srclang", hasSource ? own : "*all*")
    ]
    let written = `    <tu${attributes.join("")}>\n`
    if (entry.note !== undefined) written += `      <note>${yield* content(entry.note)}</note>\n`
    for (const [type, value] of Object.entries(entry.properties ?? {})) {
      written += `      <prop${yield* attribute("type", type)}>${yield* content(value)}</prop>\n`
    }
    for (const language of languages) {
      const lang = yield* attribute("xml:lang", language)
      written += `      <tuv${lang}><seg>${yield* content(entry.texts[language]!)}</seg></tuv>\n`
    }
    return `${written}    </tu>\n`
  })

const writeHeader = (options: EncodeOptions, version: string): Either.Either<string, Problem> =>
  Either.gen(function* () {
    const attributes = [
      yield* attribute("creationtool", options.creationTool ?? "effect-translate"),
      yield* attribute("creationtoolversion", options.creationToolVersion ?? version),
      yield* attribute("srclang", options.sourceLang)
    ]
    const header = `<header${attributes.join("")} segtype="sentence" o-tmf="unknown" adminlang="en" datatype="plaintext"/>`
    return `<?xml version="1.0" encoding="UTF-8"?>\n<tmx version="1.4">\n  ${header}\n  <body>\n`
  })

/** Writes entries as the bytes of a file. */
export const makeWriter = (
  options: EncodeOptions,
  version: string
): Transducer<Entry, Batch<Uint8Array, Problem>> => {
  let count = 0
  let isBegun = false
  const write = (entries: ReadonlyArray<Entry>, last: string): Batch<Uint8Array, Problem> => {
    let text = ""
    let problem: Problem | undefined
    if (!isBegun) {
      isBegun = true
      const header = writeHeader(options, version)
      if (Either.isLeft(header)) return { values: [], problem: header.left }
      text = header.right
    }
    for (const entry of entries) {
      count++
      const unit = writeUnit(entry, options)
      if (Either.isLeft(unit)) {
        problem = { key: entry.id ?? `${count}`, ...unit.left }
        break
      }
      text += unit.right
    }
    if (problem === undefined) text += last
    return { values: text === "" ? [] : [encoder.encode(text)], problem }
  }
  return {
    push: (input) => write(Chunk.toReadonlyArray(input), ""),
    end: () => write([], "  </body>\n</tmx>\n")
  }
}
