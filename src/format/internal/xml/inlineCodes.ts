import * as Either from "effect/Either"
import * as IcuMessage from "../../../text/IcuMessage.js"
import * as Syntax from "../../../text/Syntax.js"
import type { Placeholders, Problem } from "../../Format.js"
import type { XmlElement } from "./xml.js"
import { canonical, unescape } from "./xmlText.js"

/**
 * The role of an element within a text: one code with all it holds, two codes around text, the first or the second of
 * two codes with a common name, or nothing to be kept.
 */
export type Role =
  | { readonly type: "whole" }
  | { readonly type: "around" }
  | { readonly type: "first"; readonly pair: string }
  | { readonly type: "second"; readonly pair: string }
  | { readonly type: "transparent" }

/** Mark-up that stands as a short tag in the text of a unit: `<x1/>`, or `<g2>` and `</g2>`. */
export interface Code {
  readonly type: "code"
  readonly tag: string
  /** The mark-up in the file. */
  readonly raw: string
  /** The name in the file. A code of the source and one of its translation with the same name are the same. */
  readonly name: string
}

/** Text between mark-up, as in the file. */
export interface Text {
  readonly type: "text"
  /** The text without the marks of CDATA. */
  readonly raw: string
  readonly isCdata: boolean
}

export type Piece = Text | Code

/** HTML that is escaped in the text of a unit: `&lt;b&gt;`. */
const escapedTag = /&lt;\/?[A-Za-z][^<>&]*(?:&amp;[^<>&]*)*&gt;/

/** The text within `<xliff:g>`. */
const protectedText = /(?<=<[\w.-]+:g(?:\s[^<>]*)?>)[^<>]+(?=<\/[\w.-]+:g>)/

/** Placeholders that are not translated, in addition to tags. */
export const placeholders: Placeholders = {
  kinds: ["braces", "printf", "c-format", ...Syntax.knownIn("catalogue")],
  patterns: [escapedTag, protectedText]
}

const placeholdersOfMessages: Placeholders = { ...placeholders, messageFormat: IcuMessage.format }

const argumentWithBranches = /\{\s*[^\s{},]+\s*,\s*(?:plural|select|selectordinal)\s*,/

/** True if a text is a message with branches, in which codes may come as often as the target language has branches. */
export const isMessage = (text: string): boolean => argumentWithBranches.test(text)

/**
 * The placeholders of a text, if they are others than those of all. Branches are translated one by one: codes in them keep them
 * from being protected as a whole.
 */
export const placeholdersOf = (text: string): Placeholders | undefined =>
  isMessage(text) ? placeholdersOfMessages : undefined

interface Rules {
  readonly roleOf: (element: XmlElement) => Role
  /** The name of an element. */
  readonly nameOf: (element: XmlElement) => string
  /** The codes of the source, whose tags are taken for codes with the same names. */
  readonly like?: ReadonlyArray<Piece> | undefined
}

type Token =
  | Text
  | { readonly type: "whole"; readonly raw: string; readonly name: string }
  | { readonly type: "first" | "second"; readonly raw: string; readonly name: string; readonly pair: string }

/** Entities that are not of XML itself. */
const otherEntities = /(&(?!(?:amp|lt|gt|apos|quot);)[^#;&\s][^;&\s]*;)/

const tokensOf = (text: string, element: XmlElement, { nameOf, roleOf }: Rules): ReadonlyArray<Token> => {
  const tokens: Array<Token> = []
  // No element is deeper than the reader of XML allows.
  const visit = (parent: XmlElement): void => {
    for (const node of parent.children) {
      const raw = text.slice(node.start, node.end)
      if (node.type === "text") {
        raw.split(otherEntities).forEach((piece, index) => {
          if (index % 2 === 1) tokens.push({ type: "whole", raw: piece, name: piece })
          else if (piece !== "") tokens.push({ type: "text", raw: piece, isCdata: false })
        })
      } else if (node.type === "cdata") tokens.push({ type: "text", raw: node.text, isCdata: true })
      else if (node.type !== "element") tokens.push({ type: "whole", raw, name: raw })
      else {
        const role = roleOf(node)
        const name = nameOf(node)
        if (role.type === "transparent") visit(node)
        else if (role.type === "around" && !node.selfClosing) {
          const pair = `element ${node.start}`
          tokens.push({ type: "first", raw: text.slice(node.start, node.openEnd), name, pair })
          visit(node)
          tokens.push({ type: "second", raw: text.slice(node.closeStart, node.end), name, pair })
        } else if (role.type === "first" || role.type === "second") {
          tokens.push({ type: role.type, raw, name, pair: role.pair })
        } else tokens.push({ type: "whole", raw, name })
      }
    }
  }
  visit(element)
  return tokens
}

/** The second token of each first one, where the two are not across others. */
const pairsOf = (tokens: ReadonlyArray<Token>): ReadonlyMap<number, number> => {
  const pairs = new Map<number, number>()
  const open: Array<{ readonly index: number; readonly pair: string }> = []
  const isOpen = new Set<string>()
  tokens.forEach((token, index) => {
    if (token.type === "first") {
      open.push({ index, pair: token.pair })
      isOpen.add(token.pair)
    } else if (token.type === "second" && isOpen.has(token.pair)) {
      const isElement = token.pair.startsWith("element ")
      if (!isElement && open.at(-1)!.pair !== token.pair) return
      while (open.at(-1)!.pair !== token.pair) isOpen.delete(open.pop()!.pair)
      isOpen.delete(token.pair)
      pairs.set(open.pop()!.index, index)
    }
  })
  return pairs
}

/** Gives the tags of the source to codes with their names, and new ones to others. */
const makeTags = (like: ReadonlyArray<Piece>) => {
  const known = new Map<string, Array<string>>()
  let last = 0
  for (const code of like) {
    if (code.type !== "code" || code.tag.startsWith("</")) continue
    last++
    const key = `${code.tag[1]} ${code.name}`
    const same = known.get(key)
    if (same === undefined) known.set(key, [code.tag])
    else same.push(code.tag)
  }
  return (letter: "g" | "x", name: string): string => {
    const tag = known.get(`${letter} ${name}`)?.shift()
    if (tag !== undefined) return tag
    last++
    return letter === "x" ? `<x${last}/>` : `<g${last}>`
  }
}

/** The text and the codes within an element. */
export const read = (text: string, element: XmlElement, rules: Rules): ReadonlyArray<Piece> => {
  const tokens = tokensOf(text, element, rules)
  const pairs = pairsOf(tokens)
  const tagOf = makeTags(rules.like ?? [])
  const tags = new Map<number, string>()
  return tokens.map((token, index): Piece => {
    if (token.type === "text") return token
    const second = pairs.get(index)
    const tag = tags.get(index) ?? tagOf(second === undefined ? "x" : "g", token.name)
    if (second !== undefined) tags.set(second, tag.replace("<", "</"))
    return { type: "code", tag, raw: token.raw, name: token.name }
  })
}

/** The text of a unit, as XML. */
export const textOf = (pieces: ReadonlyArray<Piece>, plainOf: (text: Text) => string = plain): string =>
  pieces.map((piece) => (piece.type === "code" ? piece.tag : canonical(plainOf(piece)))).join("")

/** The text without escapes. */
export const plain = ({ isCdata, raw }: Text): string => (isCdata ? raw : unescape(raw))

/** A piece of a translation: text, without any escape, or the mark-up of a code as it is in the file. */
export type Written =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "raw"; readonly raw: string }

const lostCodes = (lost: number, surplus: number, expected: number): Problem => ({
  message:
    lost > 0
      ? `the translation has lost ${lost} of ${expected} inline codes: translate the text again, or by hand.`
      : surplus > 0
        ? `the translation has ${surplus} inline codes too many: translate the text again, or by hand.`
        : "the translation has inline codes that overlap: translate the text again, or by hand."
})

/** The tags that one in a translation stands for, as they are written in texts. */
const tagsOf = (slash: string, name: string, closing: string): ReadonlyArray<string> =>
  name.startsWith("x")
    ? slash === ""
      ? [`<${name}/>`]
      : []
    : slash !== ""
      ? [`</${name}>`]
      : closing !== ""
        ? [`<${name}>`, `</${name}>`]
        : [`<${name}>`]

/**
 * Puts the codes of the source in place of their tags in a translation, which may have whitespace inside. Other tags are
 * text. Left if a code is missing or there too often, or if two overlap: the file would not be valid. Codes of a message are
 * not counted.
 */
export const restore = (
  source: ReadonlyArray<Piece>,
  translation: string
): Either.Either<ReadonlyArray<Written>, Problem> => {
  const codes = new Map(source.flatMap((piece) => (piece.type === "code" ? [[piece.tag, piece.raw]] : [])))
  if (codes.size === 0) return Either.right([{ type: "text", text: unescape(translation) }])
  const written: Array<Written> = []
  const seen = new Set<string>()
  const open: Array<string> = []
  let surplus = 0
  let overlaps = false
  let from = 0
  for (const { 0: match, 1: slash, 2: name, 3: closing, index } of translation.matchAll(
    /<\s{0,2}(\/?)\s{0,2}([gx]\d{1,9})\s{0,2}(\/?)\s{0,2}>/g
  )) {
    const tags = tagsOf(slash!, name!, closing!)
    if (!codes.has(name!.startsWith("x") ? `<${name}/>` : `<${name}>`)) continue
    written.push({ type: "text", text: unescape(translation.slice(from, index)) })
    from = index + match.length
    for (const tag of tags) {
      if (seen.has(tag)) surplus++
      seen.add(tag)
      if (tag.startsWith("<g")) open.push(tag)
      else if (tag.startsWith("</")) overlaps = open.pop() !== tag.replace("/", "") || overlaps
      written.push({ type: "raw", raw: codes.get(tag)! })
    }
  }
  written.push({ type: "text", text: unescape(translation.slice(from)) })
  overlaps ||= open.length > 0
  const isCounted = !isMessage(translation)
  const lost = isCounted ? codes.size - seen.size : 0
  surplus = isCounted ? surplus : 0
  return lost > 0 || surplus > 0 || overlaps
    ? Either.left(lostCodes(lost, surplus, codes.size))
    : Either.right(written)
}
