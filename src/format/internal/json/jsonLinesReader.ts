import * as Either from "effect/Either"
import { canonicalJson } from "../../../internal/hash.js"
import { isBlank } from "../../../internal/texts.js"
import { makeDecoder } from "../../../internal/utf8.js"
import * as Format from "../../Format.js"
import type { Fit } from "../parts.js"
import { isTold } from "../parts.js"
import type { State } from "../selector.js"
import { type Batch, fromBytes, maxLength, type Transducer } from "../transducer.js"
import { makeUnique } from "../unitKeys.js"
import * as jsonDocument from "./jsonDocument.js"
import { type Located, locate } from "./jsonLocator.js"
import * as jsonString from "./jsonString.js"

export interface Options {
  readonly format: string
  readonly file: string | undefined
  readonly selector: State
  readonly skipsBadLines: boolean
  /** The `id` of a line, by its value and by the line with empty texts. @default lines have none */
  readonly idOf: ((value: unknown, withoutTexts: () => unknown) => string) | undefined
  /** Learns how the selectors fit the lines. @default nothing is said of it: the bytes may be a piece of a file */
  readonly fit: Fit | undefined
}

const problemOf = (line: number, text: string): Format.Problem => {
  const read = jsonDocument.parse(text, "line")
  return Either.isLeft(read) ? { ...read.left, line } : { line, message: "the line is not JSON: correct it." }
}

const parse = (text: string) => Either.try(() => JSON.parse(text) as unknown)

/** Reads the units of a line with a writer for their translations, or the problem of the line. */
const read = (
  raw: string,
  line: number,
  { fit, idOf, selector }: Pick<Options, "fit" | "idOf" | "selector">,
  characters: jsonString.Characters
): Either.Either<Format.Part, Format.Problem> => {
  const start = line === 1 && raw.startsWith("\uFEFF") ? 1 : 0
  const body = start === 0 ? raw : raw.slice(start)
  if (isBlank(body)) return Either.right({ raw, units: [] })
  const value = parse(body)
  if (Either.isLeft(value)) return Either.left(problemOf(line, raw.trimEnd()))
  const located = locate(raw, start, selector)
  if (located === undefined) {
    return Either.left({
      line,
      message: `it is nested more than ${jsonDocument.maxDepth} levels deep: make it flatter, or select less deep.`
    })
  }
  fit?.add(value.right, `${line}:`)
  const write = writer(raw, located, characters)
  const id = idOf?.(value.right, () => {
    const written = Either.getOrElse(write!(located.map(() => "")), () => raw)
    return JSON.parse(written.slice(start))
  })
  if (located.length === 0)
    return Either.right(id === undefined ? { raw, units: [] } : { raw, units: [], id })
  const isUnique = located.length === 1 || new Set(located.map(({ key }) => key)).size === located.length
  const unique = isUnique ? undefined : makeUnique()
  const units = located.map(({ key, text }): Format.Unit => {
    const name = `${line}:${key}`
    return { key: unique?.(name) ?? name, text, line, state: "missing" }
  })
  return Either.right(id === undefined ? { raw, units, write } : { raw, units, write, id })
}

const valueAt = (value: unknown, path: string): unknown => {
  let found = value
  for (const name of path.split(".")) {
    found =
      typeof found === "object" && found !== null && Object.hasOwn(found, name)
        ? (found as Readonly<Record<string, unknown>>)[name]
        : undefined
  }
  return found
}

/** The `id` of a line: the values at some paths, or else all values but its texts. */
export const idOf =
  (key: ReadonlyArray<string> | undefined): Options["idOf"] =>
  (value, withoutTexts) =>
    canonicalJson(key === undefined ? withoutTexts() : key.map((path) => valueAt(value, path) ?? null))

const writer =
  (raw: string, places: ReadonlyArray<Located>, characters: jsonString.Characters): Format.Part["write"] =>
  (translations) => {
    const style = jsonString.styleOf(raw, characters)
    let written = ""
    let at = 0
    for (let index = 0; index < places.length; index++) {
      const translation = translations[index]
      if (translation === undefined) continue
      const { end, start } = places[index]!
      written += raw.slice(at, start) + jsonString.write(translation, raw.slice(start, end), style)
      at = end
    }
    return Either.right(written + raw.slice(at))
  }

const tooLong: Format.Problem = {
  message: `it is longer than ${maxLength} characters, the most that a line may have: select another file, or split it.`
}

/** Reads lines as parts. A line that is too long is never held: where bad lines are skipped, its pieces pass one by one. */
export const make = ({
  file,
  format,
  skipsBadLines,
  ...reading
}: Options): Transducer<Uint8Array, Batch<Format.Part, Format.Problem>> => {
  let line = 1
  let rest: Array<string> = []
  let length = 0
  let isPassing = false
  let characters: jsonString.Characters = { plain: false, escaped: false }
  let parts: Array<Format.Part> = []
  let problem: Format.Problem | undefined

  const pass = (raw: string, found: Format.Problem) => {
    if (skipsBadLines) parts.push({ raw, units: [], problem: Format.formatError(format, file, found) })
    else problem = found
  }

  const onLine = (raw: string) => {
    if (!characters.plain) {
      const { escaped, plain } = jsonString.charactersOf(raw)
      characters = { plain, escaped: characters.escaped || escaped }
    }
    const part = read(raw, line, reading, characters)
    if (Either.isLeft(part)) return pass(raw, part.left)
    parts.push(part.right)
  }

  /** A piece without a line feed, or with one at its end. */
  const onPiece = (piece: string, isEnd: boolean) => {
    length += piece.length
    if (isPassing) parts.push({ raw: piece, units: [] })
    else if (isEnd && rest.length === 0 && length <= maxLength) onLine(piece)
    else {
      rest.push(piece)
      if (length > maxLength) {
        isPassing = true
        pass(rest.join(""), { ...tooLong, line })
      } else if (isEnd) onLine(rest.join(""))
      if (isPassing || isEnd) rest = []
    }
    if (isEnd) {
      line++
      length = 0
      isPassing = false
    }
  }

  const onText = (text: string) => {
    let start = 0
    while (start < text.length && problem === undefined) {
      const end = text.indexOf("\n", start) + 1
      onPiece(text.slice(start, end === 0 ? text.length : end), end !== 0)
      start = end === 0 ? text.length : end
    }
  }

  const reader = {
    onText,
    onMalformed: () => {
      problem = { line, message: "the line holds bytes that are not UTF-8: save the file as UTF-8." }
    },
    onEnd: () => {
      if (rest.length > 0) onPiece("", true)
      problem ??= reading.fit?.problem()
      const selection = reading.fit?.selection()
      if (selection !== undefined && isTold(selection)) parts.push({ raw: "", units: [], selection })
    },
    hasProblem: () => problem !== undefined,
    flush: () => {
      const values = parts
      parts = []
      return { values, problem }
    }
  }
  return fromBytes(reader, makeDecoder({ keepsMark: true }))
}
