import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { escapeXml, type Inline, parseInlines } from "../xml/inlineTags.js"
import { unescape } from "../xml/xmlText.js"
import { type Block, readBlock, type Tag } from "./markdownBlock.js"
import {
  canDelimit,
  escapeAttribute,
  escapeText,
  isWordCharacter,
  referTo,
  type Strength,
  strengths
} from "./markdownEscape.js"
import { templatesAsWords } from "./markdownTemplates.js"
import { type Dialect, parseTree, type Range } from "./markdownTree.js"

interface Mark {
  readonly tag: Tag
  /** `_` does not open or close beside a letter, `*` does. */
  needsStar: boolean
}

type Piece =
  | { readonly kind: "text"; readonly text: string }
  /** The text that counts beside other pieces: none of a break, a word of a template. */
  | { readonly kind: "raw"; readonly raw: string; readonly content: string }
  | { readonly kind: "open" | "close"; readonly raw: string; readonly mark: Mark }

type Slice = (range: Range) => string

/** The style of a block. */
interface Style {
  readonly dialect: Dialect
  readonly strength: Strength
  /** True if bare addresses get brackets, so that letters beside them are not part of them. */
  readonly hasBrackets: boolean
}

const plain = { strength: "light", hasBrackets: false } as const

const stylesOf = ({ tags }: Block): ReadonlyArray<Omit<Style, "dialect">> => {
  const hasBrackets = [...tags.values()].some(({ address }) => address !== undefined)
  return [...(hasBrackets ? [plain] : []), ...strengths.map((strength) => ({ strength, hasBrackets }))]
}

/** A slice of the source, with translated attributes in it. */
const slicer =
  (source: string, { attributes, isCell }: Block, translations: ReadonlyArray<string | undefined>) =>
  (strength: Strength): Slice =>
  ({ end, start }) => {
    let result = ""
    let at = start
    attributes.forEach((attribute, index) => {
      const translation = translations[index]
      if (translation === undefined || translation === attribute.text) return
      if (attribute.start < at || attribute.end > end) return
      const text = unescape(translation).replace(/\s+/g, " ").trim()
      result += source.slice(at, attribute.start) + escapeAttribute(text, attribute.kind, isCell, strength)
      at = attribute.end
    })
    return result + source.slice(at, end)
  }

const isBreak = (piece: Piece): boolean => piece.kind === "raw" && piece.content === ""

const isBlank = (piece: Piece): boolean => piece.kind === "text" && piece.text.trim() === ""

/** Whitespace at the borders of a mark belongs outside of it, or it would be none. */
const surround = (inner: ReadonlyArray<Piece>, open: Piece, close: Piece): ReadonlyArray<Piece> => {
  const pieces = [...inner]
  const before: Array<Piece> = []
  const after: Array<Piece> = []
  while (pieces.length > 0 && isBlank(pieces[0]!)) before.push(pieces.shift()!)
  while (pieces.length > 0 && isBlank(pieces.at(-1)!)) after.push(pieces.pop()!)
  const [first] = pieces
  if (first?.kind === "text") {
    const text = first.text.trimStart()
    if (text !== first.text) before.push({ kind: "text", text: " " })
    pieces[0] = { kind: "text", text }
  }
  const last = pieces.at(-1)
  if (last?.kind === "text") {
    const text = last.text.trimEnd()
    if (text !== last.text) after.push({ kind: "text", text: " " })
    pieces[pieces.length - 1] = { kind: "text", text }
  }
  return [...before, open, ...pieces, close, ...after]
}

/** A bare address between brackets: MDX has none for links, and `www.` needs a protocol in them. */
const withBrackets = (raw: string, address: string, dialect: Dialect): string =>
  dialect === "md" && !raw.startsWith("www.")
    ? `<${raw}>`
    : `[${escapeAttribute(raw, "alt", false, "light")}](${address.replace(/[()\\]/g, "\\$&")})`

const flatten = (
  inlines: ReadonlyArray<Inline>,
  block: Block,
  slice: Slice,
  style: Style
): ReadonlyArray<Piece> =>
  inlines.flatMap((inline): ReadonlyArray<Piece> => {
    if ("text" in inline)
      return [{ kind: "text", text: inline.text.replace(/(?<![ \t])[ \t]*[\r\n\u2028\u2029]\s*/g, " ") }]
    const tag = block.tags.get(inline.tag)!
    if (tag.close === undefined) {
      const own = slice(tag.open)
      const raw =
        style.hasBrackets && tag.address !== undefined ? withBrackets(own, tag.address, style.dialect) : own
      if (tag.type === "break") return [{ kind: "raw", raw, content: "" }]
      return [{ kind: "raw", raw, content: style.dialect === "md" ? templatesAsWords(raw) : raw }]
    }
    const mark: Mark = { tag, needsStar: false }
    return surround(
      flatten(inline.children, block, slice, style),
      { kind: "open", raw: slice(tag.open), mark },
      { kind: "close", raw: tag.closing ?? slice(tag.close), mark }
    )
  })

/** Neighbouring texts are joined, and whitespace at the borders of lines is dropped. */
const normalise = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Piece> => {
  const joined: Array<Piece> = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (piece.kind === "text" && last?.kind === "text") {
      joined[joined.length - 1] = { kind: "text", text: last.text + piece.text }
    } else joined.push(piece)
  }
  const isBorder = (piece: Piece | undefined) => piece === undefined || isBreak(piece)
  return joined
    .map((piece, index): Piece => {
      if (piece.kind !== "text") return piece
      const start = isBorder(joined[index - 1]) ? piece.text.replace(/^[ \t\r\n]+/, "") : piece.text
      return {
        kind: "text",
        text: isBorder(joined[index + 1]) ? start.replace(/(?<![ \t\r\n])[ \t\r\n]+$/, "") : start
      }
    })
    .filter((piece) => piece.kind !== "text" || piece.text !== "")
}

const contentOf = (piece: Piece | undefined): string =>
  piece === undefined
    ? ""
    : piece.kind === "text"
      ? piece.text
      : piece.kind === "raw"
        ? piece.content
        : piece.raw

const firstCharacter = (text: string): string =>
  text === "" ? "" : String.fromCodePoint(text.codePointAt(0)!)
const lastCharacter = (text: string): string => [...text.slice(-2)].at(-1) ?? ""

const isDelimiter = (piece: Piece): piece is Extract<Piece, { readonly mark: Mark }> =>
  (piece.kind === "open" || piece.kind === "close") &&
  /^(?:emphasis|strong|delete)$/.test(piece.mark.tag.type)

/** The texts of which the first or last character has to be a reference, so that the mark beside it is one. */
const findReferences = (pieces: ReadonlyArray<Piece>) => {
  const first = new Set<Piece>()
  const last = new Set<Piece>()
  pieces.forEach((piece, index) => {
    if (!isDelimiter(piece)) return
    const before = lastCharacter(contentOf(pieces[index - 1]))
    const after = firstCharacter(contentOf(pieces[index + 1]))
    const [inside, outside] = piece.kind === "open" ? [after, before] : [before, after]
    if (isWordCharacter(outside)) piece.mark.needsStar = true
    if (canDelimit(inside, outside)) return
    if (piece.kind === "open") last.add(pieces[index - 1]!)
    else first.add(pieces[index + 1]!)
  })
  return { first, last }
}

/** Marks that touch each other may become one. */
const needsBlank = (piece: Piece, next: Piece | undefined): boolean =>
  next !== undefined &&
  (piece.kind === "raw" || piece.kind === "close") &&
  (next.kind === "raw" || next.kind === "open") &&
  !isBreak(piece) &&
  !isBreak(next)

const assemble = (pieces: ReadonlyArray<Piece>, block: Block, { dialect, strength }: Style): string => {
  const references = findReferences(pieces)
  return pieces
    .map((piece, index) => {
      const blank = strength !== "light" && needsBlank(piece, pieces[index + 1]) ? " " : ""
      if (piece.kind === "raw") return piece.raw + blank
      if (piece.kind !== "text") {
        return (piece.mark.needsStar ? piece.raw.replaceAll("_", "*") : piece.raw) + blank
      }
      const previous = pieces[index - 1]
      const head = references.first.has(piece) ? firstCharacter(piece.text) : ""
      const rest = piece.text.slice(head.length)
      const tail = references.last.has(piece) ? lastCharacter(rest) : ""
      const place = {
        dialect,
        isHeading: block.isHeading,
        isCell: block.isCell,
        isLineStart: contentOf(previous) === "",
        isLineEnd: index === pieces.length - 1
      }
      const body = escapeText(rest.slice(0, rest.length - tail.length), place, strength)
      return (head && referTo(head)) + body + (tail && referTo(tail))
    })
    .join("")
}

/** A text without whitespace and the numbers of its tags, which may have changed their order. */
const canonical = (text: string): string =>
  text.replace(/<(\/?[a-z])\d+(\/?)>/g, "<$1$2>").replace(/\s+/g, "")

const canonicalOf = (inlines: ReadonlyArray<Inline>, block: Block): string =>
  inlines
    .map((inline): string => {
      if ("text" in inline) return escapeXml(inline.text)
      const letter = inline.tag[0]
      return block.tags.get(inline.tag)!.close === undefined
        ? `<${letter}/>`
        : `<${letter}>${canonicalOf(inline.children, block)}</${letter}>`
    })
    .join("")
    .replace(/\s+/g, "")

/** True if a written block is read as intended, and as nothing else. */
const isReadAs = (
  written: string,
  block: Block,
  dialect: Dialect,
  text: string,
  attributes: ReadonlyArray<string>
): boolean => {
  const definitions = block.references.map((name) => `\n\n[${name}]: x`).join("")
  const alone = written.replace(/(\r\n?|\n)[ \t>]*/g, "\n")
  const source = `${block.isHeading ? "# " : ""}${alone}${definitions}`
  return Either.match(parseTree(source, dialect), {
    onLeft: () => false,
    onRight: (tree) => {
      const [node, ...others] = tree.root.children ?? []
      if (node?.type !== (block.isHeading ? "heading" : "paragraph")) return false
      if (others.some(({ type }) => type !== "definition" && type !== "footnoteDefinition")) return false
      const found = readBlock(source, tree, node)
      return (
        found !== undefined &&
        canonical(found.text) === text &&
        found.attributes.length === attributes.length &&
        found.attributes.every((attribute, index) => canonical(attribute.text) === attributes[index])
      )
    }
  })
}

/**
 * A block with translations of its text, if it has one, and of its attributes. The written text is read again: if it is not
 * the same, more is escaped.
 */
export const writeBlock = (
  source: string,
  block: Block,
  dialect: Dialect,
  translations: ReadonlyArray<string | undefined>
): Either.Either<string, Problem> =>
  Either.gen(function* () {
    const raw = source.slice(block.start, block.end)
    const rest = [...translations]
    const main = block.isUnit ? rest.shift() : undefined
    const ofAttributes = block.attributes.map(({ isUnit }) => (isUnit ? rest.shift() : undefined))
    if ([main, ...ofAttributes].some((translation) => translation?.trim() === "")) {
      return yield* Either.left({ message: "the translation is empty: translate it again, or leave it out." })
    }
    const keepsText = main === undefined || main === block.text
    if (keepsText && block.attributes.every(({ text }, index) => (ofAttributes[index] ?? text) === text))
      return raw
    const pairs = new Map([...block.tags].map(([name, { close }]) => [name, close !== undefined] as const))
    const inlines = yield* parseInlines(main ?? block.text, pairs)
    const text = canonicalOf(inlines, block)
    const attributes = block.attributes.map((attribute, index) =>
      canonical(escapeXml(unescape(ofAttributes[index] ?? attribute.text)))
    )
    const sliceWith = slicer(source, block, ofAttributes)
    for (const options of stylesOf(block)) {
      const style = { ...options, dialect }
      const slice = sliceWith(style.strength)
      const written = keepsText
        ? slice(block)
        : assemble(normalise(flatten(inlines, block, slice, style)), block, style)
      if (isReadAs(written, block, dialect, text, attributes)) return written
    }
    return yield* Either.left({
      message:
        "the translation cannot be written between its inline marks: take care that each holds a text, and that no control characters are in it."
    })
  })
