import * as Either from "effect/Either"
import type { DecodeOptions, Part, Problem } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import { type Position, positions, type Span, single, toParts } from "../parts.js"
import { forms, showsNumber } from "../plurals/plurals.js"
import * as inlineCodes from "../xml/inlineCodes.js"
import { attribute, elements, parse, type XmlElement, type XmlNode } from "../xml/xml.js"
import * as edit from "../xml/xmlEdit.js"
import type { Entry as MergeEntry } from "../xml/xmlMerge.js"
import * as androidText from "./androidText.js"

/** The text of a `string` or an `item`. */
export interface Value {
  /** The element without the whitespace at the ends of its content. */
  readonly start: number
  readonly end: number
  readonly element: XmlElement
  readonly pieces: ReadonlyArray<inlineCodes.Piece>
  readonly text: string
  /** True if there is text to translate. */
  readonly isText: boolean
}

/** A `string`, a `string-array` or a group of `plurals`. */
export interface Entry extends MergeEntry {
  readonly name: string
  readonly type: "string" | "string-array" | "plurals"
  readonly element: XmlElement
  /** The values by their name in the entry: nothing, a number, or a quantity. */
  readonly values: ReadonlyMap<string, Value>
  readonly comment: string | undefined
  readonly comments: ReadonlyMap<string, string | undefined>
}

export interface Resources {
  readonly text: string
  readonly root: XmlElement
  /** The prefixes that the root declares. */
  readonly prefixes: ReadonlySet<string>
  readonly entries: ReadonlyArray<Entry>
}

const xliffNamespace = "urn:oasis:names:tc:xliff:document:1.2"

const rules = (text: string) => ({
  roleOf: (element: XmlElement): inlineCodes.Role =>
    element.local === "g" && element.namespace === xliffNamespace ? { type: "whole" } : { type: "around" },
  nameOf: (element: XmlElement) => text.slice(element.start, element.openEnd)
})

/** A name of another resource, which is no text. */
const reference = /^[@?](?:\+?(?:[\w.]+:)?\w+\/[\w.]+|null|empty)$/

const trimmed = (
  pieces: ReadonlyArray<inlineCodes.Piece>,
  before: number,
  after: number
): ReadonlyArray<inlineCodes.Piece> =>
  pieces.map((piece, index) => {
    if (piece.type !== "text" || piece.isCdata) return piece
    const start = index === 0 ? before : 0
    const end = piece.raw.length - (index === pieces.length - 1 ? after : 0)
    return { ...piece, raw: piece.raw.slice(start, Math.max(start, end)) }
  })

const valueOf = (text: string, element: XmlElement): Value => {
  const content = text.slice(element.openEnd, element.closeStart)
  const before = content.length - content.replace(/^[ \t\n\r]+/, "").length
  const after = before === content.length ? 0 : content.length - trimEnd(content).length
  const pieces = trimmed(inlineCodes.read(text, element, rules(text)), before, after)
  const visible = androidText.textOf(pieces.filter(({ type }) => type === "text"))
  return {
    start: element.openEnd + before,
    end: element.closeStart - after,
    element,
    pieces,
    text: pieces.length === 1 ? visible : androidText.textOf(pieces),
    isText: visible.trim() !== "" && !reference.test(content.trim())
  }
}

const trimEnd = (content: string): string => {
  let end = content.length
  while (" \t\n\r".includes(content.charAt(end - 1)) && end > 0) end--
  return content.slice(0, end)
}

/** The comments that stand directly above each child, on lines of their own. */
const commentsOf = (text: string, parent: XmlElement) => {
  const above = new Map<XmlElement, ReadonlyArray<XmlNode & { readonly text: string }>>()
  let comments: Array<XmlNode & { readonly text: string }> = []
  for (const node of parent.children) {
    if (node.type === "comment") {
      if (edit.indentOf(text, node.start) === "") comments = []
      else comments.push(node)
    } else if (node.type === "element") {
      above.set(node, comments)
      comments = []
    } else if (node.type === "text" && !/^[ \t]*(?:\r\n?|\n)?[ \t]*$/.test(node.text)) comments = []
  }
  return above
}

const wordsOf = (comments: ReadonlyArray<{ readonly text: string }>): string | undefined =>
  comments.length === 0
    ? undefined
    : comments
        .map(({ text }) =>
          text
            .split(/\r\n?|\n/)
            .map((line) => line.trim())
            .filter((line) => line !== "")
            .join("\n")
        )
        .join("\n")

const typeOf = (element: XmlElement): Entry["type"] | undefined => {
  switch (element.name) {
    case "string":
    case "string-array":
    case "plurals":
      return element.name
    case "item":
      return attribute(element, "type") === "string" ? "string" : undefined
    default:
      return undefined
  }
}

const problemAt = (at: (offset: number) => Position, offset: number, key: string, message: string) =>
  Either.left<Problem>({ ...at(offset), key, message })

/** Reads an entry. Left says that a quantity is there twice. */
const entryOf = (
  text: string,
  at: (offset: number) => Position,
  element: XmlElement,
  type: Entry["type"],
  comments: ReadonlyArray<XmlNode & { readonly text: string }>
): Either.Either<Entry, Problem> => {
  const product = attribute(element, "product")
  const name = (attribute(element, "name") ?? "") + (product === undefined ? "" : `:${product}`)
  const values = new Map<string, Value>()
  const ofItems = new Map<string, string | undefined>()
  if (type === "string") values.set("", valueOf(text, element))
  else {
    const above = commentsOf(text, element)
    for (const item of elements(element).filter(({ name }) => name === "item")) {
      const id = type === "plurals" ? (attribute(item, "quantity") ?? "") : String(values.size)
      if (values.has(id)) {
        return problemAt(at, item.start, `${name}/${id}`, "a quantity is there twice: remove one.")
      }
      values.set(id, valueOf(text, item))
      ofItems.set(id, wordsOf(above.get(item) ?? []))
    }
  }
  return Either.right({
    key: `${type} ${name}`,
    name,
    type,
    element,
    start: comments[0]?.start ?? element.start,
    end: element.end,
    isOptional: attribute(element, "translatable") === "false",
    values,
    comment: wordsOf(comments),
    comments: ofItems
  })
}

/** The entries of a file of resources. Left if it is none, or if a name is there twice. */
export const read = (text: string): Either.Either<Resources, Problem> =>
  Either.flatMap(parse(text), ({ root }) => {
    const at = positions(text)
    if (root.name !== "resources") {
      const message = "the root is not <resources>: take a file of the folder values."
      return Either.left<Problem>({ ...at(root.start), message })
    }
    const above = commentsOf(text, root)
    const entries: Array<Entry> = []
    const seen = new Set<string>()
    for (const element of elements(root)) {
      const type = typeOf(element)
      if (type === undefined || attribute(element, "name") === undefined) continue
      const entry = entryOf(text, at, element, type, above.get(element) ?? [])
      if (Either.isLeft(entry)) return Either.left(entry.left)
      const { key, name } = entry.right
      if (seen.has(key)) {
        return problemAt(at, element.start, name, `two entries of ${type} have this name: remove one.`)
      }
      seen.add(key)
      entries.push(entry.right)
    }
    const prefixes = new Set(
      root.attributes.flatMap(({ local, name }) => (name.startsWith("xmlns:") ? [local] : []))
    )
    return Either.right({ text, root, prefixes, entries })
  })

const contextOf = (...comments: ReadonlyArray<string | undefined>): string | undefined => {
  const words = comments.filter((comment) => comment !== undefined)
  return words.length === 0 ? undefined : words.join("\n")
}

const unitOf = (key: string, { element, text }: Value, at: (offset: number) => Position) => ({
  key,
  text,
  line: at(element.start).line,
  state: "missing" as const
})

const spansOf = (
  { prefixes, text }: Resources,
  entry: Entry,
  at: (offset: number) => Position
): ReadonlyArray<Span> =>
  [...entry.values].flatMap(([id, value]) => {
    if (!value.isText) return []
    const unit = unitOf(id === "" ? entry.name : `${entry.name}/${id}`, value, at)
    const span = single(text, {
      start: value.start,
      end: value.end,
      unit,
      context: contextOf(entry.comment, entry.comments.get(id)),
      write: (translation) => androidText.contentOf(value.pieces, translation, prefixes)
    })
    return [{ ...span, placeholders: inlineCodes.placeholdersOf(unit.text) }]
  })

/** The edits that make a group have the quantities of the target language, with their contents; `undefined` keeps one. */
const pluralEdits = (
  text: string,
  { values }: Entry,
  quantities: ReadonlyArray<{ readonly category: string; readonly source: string }>,
  contents: ReadonlyMap<string, string>
): ReadonlyArray<Edit> => {
  const items = [...values.values()].map(({ element }) => element)
  const indent = edit.indentOf(text, items[0]!.start)
  const edits: Array<Edit> = []
  let behind: number | undefined
  for (const { category, source } of quantities) {
    const own = values.get(category)
    const like = own ?? values.get(source)!
    const content = contents.get(category)
    const change = content === undefined ? [] : [{ start: like.start, end: like.end, text: content }]
    if (own !== undefined) {
      edits.push(...change)
      behind = own.element.end
      continue
    }
    const { end, start } = like.element
    const renamed = edit.setAttribute(like.element, "quantity", category)
    const item = applyEdits(text, [renamed, ...change], { start, end })
    edits.push(
      behind === undefined
        ? { start: items[0]!.start, end: items[0]!.start, text: item + indent }
        : { start: behind, end: behind, text: indent + item }
    )
  }
  const needed = new Set(quantities.map(({ category }) => category))
  for (const [quantity, { element }] of values) {
    if (needed.has(quantity)) continue
    const { end, start } = element
    edits.push({ start: start - edit.indentOf(text, start).length, end, text: "" })
  }
  return edits
}

const pluralSpan = (
  { prefixes, text }: Resources,
  entry: Entry,
  options: DecodeOptions,
  at: (offset: number) => Position
): Span | undefined => {
  if (entry.values.size === 0) return undefined
  const quantities = forms(
    [...entry.values.keys()],
    (quantity) => showsNumber(entry.values.get(quantity)!.text),
    options
  )
  const texts = quantities.filter(({ source }) => entry.values.get(source)!.isText)
  if (texts.length === 0) return undefined
  const { closeStart: end, openEnd: start } = entry.element
  return {
    start,
    end,
    units: texts.map(({ category, source }) => ({
      ...unitOf(`${entry.name}/${category}`, entry.values.get(source)!, at),
      ...(source === category ? undefined : { isOfOtherForm: true })
    })),
    context: contextOf(entry.comment, ...new Set(entry.comments.values())),
    write: (translations) => {
      if (translations.every((translation) => translation === undefined)) {
        return Either.right(text.slice(start, end))
      }
      const contents = new Map<string, string>()
      for (const [index, { category, source }] of texts.entries()) {
        const translation = translations[index]
        if (translation === undefined && entry.values.has(category)) continue
        const { end, pieces, start } = entry.values.get(source)!
        const content =
          translation === undefined
            ? Either.right(text.slice(start, end))
            : androidText.contentOf(pieces, translation, prefixes)
        if (Either.isLeft(content)) return Either.left({ key: `${entry.name}/${category}`, ...content.left })
        contents.set(category, content.right)
      }
      return Either.right(applyEdits(text, pluralEdits(text, entry, quantities, contents), { start, end }))
    }
  }
}

/** The parts of a file of resources. */
export const partsOf = (text: string, options: DecodeOptions): Either.Either<ReadonlyArray<Part>, Problem> =>
  Either.map(read(text), (resources) => {
    const at = positions(text)
    const spans = resources.entries
      .filter(({ isOptional }) => !isOptional)
      .flatMap((entry) => {
        if (entry.type !== "plurals") return spansOf(resources, entry, at)
        return pluralSpan(resources, entry, options, at) ?? []
      })
    return toParts(text, spans)
  })
