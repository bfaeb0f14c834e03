import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import type * as inlineCodes from "../xml/inlineCodes.js"
import { parse } from "../xml/xml.js"
import { canonical, cdata, escape, styleOf, unescape } from "../xml/xmlText.js"

/** An escape: `\n`, `\u0041`, a surrogate pair as two of those, or a backslash before anything. */
const escapes =
  /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|u(?![dD][89a-fA-F])[\da-fA-F]{4}|[\s\S])/gu

const characterOf = (sequence: string): string => {
  const letter = sequence[1]!
  if (letter === "n") return "\n"
  if (letter === "t") return "\t"
  if (letter !== "u" || sequence.length === 2) return sequence.slice(1)
  return String.fromCharCode(
    ...sequence
      .split("\\u")
      .slice(1)
      .map((hexadecimal) => Number.parseInt(hexadecimal, 16))
  )
}

/** A text as the tools of Android see it, before escapes and quotes are read. */
const visibleOf = ({ isCdata, raw }: inlineCodes.Text): string => (isCdata ? raw : unescape(raw))

const quote = 0x22
const backslash = 0x5c

const isBlankCode = (code: number): boolean => code === 0x20 || (code >= 0x09 && code <= 0x0d)

const isPlainCode = (code: number): boolean => code !== quote && code !== backslash && !isBlankCode(code)

const oneEscape = new RegExp(escapes.source, "uy")

/** Reads the texts of a value in their order: quotes and whitespace of one are known in the next. */
class Reader {
  private isQuoted = false
  private wasBlank = true

  onCode(isWhole: boolean) {
    if (isWhole) this.wasBlank = false
  }

  read(text: inlineCodes.Text): string {
    const visible = visibleOf(text)
    let read = ""
    let at = 0
    while (at < visible.length) {
      const code = visible.charCodeAt(at)
      const start = at
      if (isPlainCode(code)) {
        while (at < visible.length && isPlainCode(visible.charCodeAt(at))) at++
        read += visible.slice(start, at)
        this.wasBlank = false
      } else if (isBlankCode(code)) {
        while (at < visible.length && isBlankCode(visible.charCodeAt(at))) at++
        read += this.readWhitespace(visible.slice(start, at), text.isCdata)
      } else if (code === quote) {
        at++
        if (text.isCdata) read += '"'
        else this.isQuoted = !this.isQuoted
      } else {
        oneEscape.lastIndex = at
        const sequence = oneEscape.exec(visible)?.[0]
        at += sequence?.length ?? 1
        read += sequence === undefined ? "\\" : characterOf(sequence)
        this.wasBlank = false
      }
    }
    return read
  }

  private readWhitespace(whitespace: string, isCdata: boolean): string {
    if (this.isQuoted || isCdata) {
      this.wasBlank = false
      return whitespace.includes("\r") ? whitespace.replace(/\r\n?/g, "\n") : whitespace
    }
    const read = this.wasBlank ? "" : " "
    this.wasBlank = true
    return read
  }
}

const isEntity = /^&(.*);$/

/** Mark-up as it stands in a text: as in the file, but for entities, which a service could not read. */
const tagOf = ({ raw }: inlineCodes.Code): string => raw.replace(isEntity, '<entity name="$1"/>')

const isWhole = ({ tag }: inlineCodes.Code): boolean => tag.startsWith("<x")

/**
 * The text of a value as XML, as an app shows it: escapes read, quotes and surplus whitespace left out. Mark-up is the file's, so
 * that a translation can be written into an older one of the same text, which may have other mark-up.
 */
export const textOf = (pieces: ReadonlyArray<inlineCodes.Piece>): string => {
  const reader = new Reader()
  return pieces
    .map((piece) => {
      if (piece.type === "text") return canonical(reader.read(piece))
      reader.onCode(isWhole(piece))
      return tagOf(piece)
    })
    .join("")
}

/** The value's way of writing text. */
interface Style {
  readonly isCdata: boolean
  /** The whole value is in quotes. */
  readonly isQuoted: boolean
  readonly escapes: ReadonlyMap<string, string>
  readonly references: ReadonlyMap<string, string>
}

const styleOfValue = (pieces: ReadonlyArray<inlineCodes.Piece>): Style => {
  const texts = pieces.filter((piece) => piece.type === "text")
  const isCdata =
    texts.some((piece) => piece.isCdata) && texts.every((piece) => piece.isCdata || piece.raw.trim() === "")
  const visible = texts.map(visibleOf)
  const all = visible.join("")
  const own = new Map<string, string>()
  for (const [sequence] of all.matchAll(escapes)) own.set(characterOf(sequence), sequence)
  // Whitespace needs an escape in some places only.
  own.delete(" ")
  const bare = all.replace(escapes, "")
  const isQuoted =
    !isCdata &&
    bare.split('"').length === 3 &&
    pieces[0]?.type === "text" &&
    pieces.at(-1)?.type === "text" &&
    /^\s*"/.test(visible[0]!) &&
    /"\s*$/.test(visible.at(-1)!)
  const isBareApostrophe = (isQuoted || isCdata) && bare.includes("'")
  const newline = /\r\n?|\n/.exec(bare)?.[0]
  const defaults: ReadonlyArray<readonly [string, string | undefined]> = [
    ["\\", "\\\\"],
    ["'", isBareApostrophe ? undefined : "\\'"],
    ['"', isCdata && bare.includes('"') ? undefined : '\\"'],
    ["\n", (isQuoted || isCdata) && newline !== undefined && !own.has("\n") ? newline : "\\n"],
    ["\t", "\\t"]
  ]
  for (const [character, sequence] of defaults) {
    if (sequence !== undefined && !own.has(character)) own.set(character, sequence)
  }
  const references = new Map(styleOf(texts.map(({ isCdata, raw }) => (isCdata ? "" : raw)).join("")))
  for (const character of " \n\r\\") references.delete(character)
  return { isCdata, isQuoted, escapes: own, references }
}

/** Characters that a text cannot hold, which are written as numbers. */
const unwritable = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/

const numbered = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`

/** Writes the texts of a value in their order. */
class Writer {
  private wasBlank = true
  private isFirst = true

  constructor(private readonly style: Style) {}

  onCode(isWhole: boolean) {
    this.isFirst = false
    if (isWhole) this.wasBlank = false
  }

  write(text: string, isLast: boolean): Either.Either<string, Problem> {
    const { escapes, isCdata, isQuoted, references } = this.style
    let written = ""
    const characters = [...text]
    characters.forEach((character, index) => {
      const isBlank = character === " " && !isQuoted && !isCdata
      if (isBlank && (this.wasBlank || (isLast && index === characters.length - 1))) {
        written += "\\u0020"
        this.wasBlank = false
      } else {
        const own =
          escapes.get(character) ??
          (this.isFirst && /[@?]/.test(character) ? `\\${character}` : undefined) ??
          (unwritable.test(character) ? numbered(character) : character)
        written += own
        this.wasBlank = isBlank
      }
      this.isFirst = false
    })
    return isCdata && text !== "" ? cdata(written) : escape(written, references)
  }
}

const protectedElement = /<([\w.-]+):g(?:\s[^<>]*)?>[^<>]*<\/\1:g>/

const tag = /<\/?[A-Za-z_][\w.:-]*(?:\s+[A-Za-z_][\w.:-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*\s*\/?>/

/** Mark-up in a translation. Any other `<` is text. */
const markup = new RegExp(`<!--(?:(?!--)[\\s\\S])*-->|${protectedElement.source}|${tag.source}`, "g")

const bareAmpersand = /&(?!#\d+;|#x[\da-fA-F]+;|[A-Za-z_][\w.:-]*;)/g

const entityTag = /^<entity name="([^"]*)"\s*\/>$/

type Written =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "raw"; readonly raw: string; readonly isWhole: boolean }

const malformed: Problem = {
  message:
    "the translation has mark-up that is not well-formed, or not closed in its order: translate the text again, or by hand."
}

/** The mark-up and the texts of a translation. Left if an element has a prefix that the file does not declare. */
const markupOf = (
  translation: string,
  prefixes: ReadonlySet<string>
): Either.Either<ReadonlyArray<Written>, Problem> => {
  const written: Array<Written> = []
  let from = 0
  for (const { 0: match, index } of translation.matchAll(markup)) {
    written.push({ type: "text", text: unescape(translation.slice(from, index)) })
    from = index + match.length
    const raw = match.replace(entityTag, "&$1;")
    const name = /^<\/?([\w.:-]+)/.exec(raw)?.[1]
    const isWhole = name === undefined || raw.endsWith("/>") || protectedElement.test(raw)
    written.push({ type: "raw", raw: raw.replace(bareAmpersand, "&amp;"), isWhole })
    const prefix = name?.includes(":") ? name.split(":")[0]! : undefined
    if (prefix !== undefined && !prefixes.has(prefix)) {
      return Either.left({
        message: `the translation has mark-up with the prefix "${prefix}": declare it in <resources>.`
      })
    }
  }
  written.push({ type: "text", text: unescape(translation.slice(from)) })
  return Either.right(written)
}

/** True if an element may have such a content in a file that declares the prefixes. */
const isWellFormed = (content: string, prefixes: ReadonlySet<string>): boolean => {
  const declared = [...prefixes].map((prefix) => ` xmlns:${prefix}="urn:${prefix}"`).join("")
  return Either.isRight(parse(`<a${declared}>${content}</a>`))
}

/**
 * The translation as content of its element, escaped as another value is. Left if its mark-up is not well-formed, or has
 * a prefix that the file does not declare.
 */
export const contentOf = (
  like: ReadonlyArray<inlineCodes.Piece>,
  translation: string,
  prefixes: ReadonlySet<string>
): Either.Either<string, Problem> =>
  Either.flatMap(markupOf(translation, prefixes), (pieces) => {
    const style = styleOfValue(like)
    const writer = new Writer(style)
    const last = pieces.findLastIndex((piece) => piece.type === "raw" || piece.text !== "")
    const written = pieces.map((piece, index) => {
      if (piece.type === "text") return writer.write(piece.text, index === last)
      writer.onCode(piece.isWhole)
      return Either.right(piece.raw)
    })
    return Either.flatMap(Either.all(written), (parts) => {
      const content = style.isQuoted ? `"${parts.join("")}"` : parts.join("")
      return pieces.length === 1 || isWellFormed(content, prefixes)
        ? Either.right(content)
        : Either.left(malformed)
    })
  })
