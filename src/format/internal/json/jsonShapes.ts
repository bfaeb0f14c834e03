import * as Syntax from "../../../text/Syntax.js"
import type { Placeholders } from "../../Format.js"
import { categoryGroups, type PluralKey } from "../i18next/i18nextPlurals.js"
import type { Entry, Rules } from "./jsonCatalogue.js"
import type { JsonDocument, Node, ObjectNode, Property } from "./jsonDocument.js"
import * as jsonDocument from "./jsonDocument.js"
import { contextOf, examplesOf } from "./jsonEntries.js"

/** The shape of the entries of a catalogue: the values of its keys. */
export interface Shape {
  readonly name: string
  /** The key at the root that holds the entries, and keys beside it that stay. @default the root holds them */
  readonly within?: { readonly key: string; readonly beside: ReadonlyArray<string> } | undefined
  /** Entries are items of a list, in place of values of an object. @default false */
  readonly isList?: boolean | undefined
  /** Some entries may be texts, in place of objects. @default false */
  readonly hasTexts?: boolean | undefined
  /** Texts may be syntax trees that they were compiled to, which stay. @default false */
  readonly hasTrees?: boolean | undefined
  /** Keys of texts, of which an entry has at least one. */
  readonly texts: ReadonlyArray<string>
  /** Keys of notes for a translator. */
  readonly notes?: ReadonlyArray<string> | undefined
  /** Other keys, whose values stay: all that there are, if it is "any". */
  readonly others?: ReadonlyArray<string> | "any" | undefined
  /** The key of the largest length of a translation. */
  readonly limit?: string | undefined
  /** Keys of plural categories are the forms of one text. @default false */
  readonly hasPlurals?: boolean | undefined
  /** An example of a placeholder, in the property `placeholders`. @default none */
  readonly placeholder?: ((key: string) => string) | undefined
  readonly placeholders?: Placeholders | undefined
}

const categories = ["zero", "one", "two", "few", "many", "other"]

export const formatJs: Shape = {
  name: "FormatJS",
  hasTexts: true,
  hasTrees: true,
  texts: ["defaultMessage"],
  notes: ["description"],
  others: ["id", "file", "line", "start", "end", "col", "meta"]
}

export const chrome: Shape = {
  name: "Chrome",
  texts: ["message"],
  notes: ["description"],
  others: "any",
  placeholder: (key) => `$${key.toUpperCase()}$`,
  placeholders: {
    kinds: ["tags", ...Syntax.knownIn("catalogue")],
    patterns: [/\$[A-Za-z\d_@]+\$|\$[1-9]|\$\$+/]
  }
}

/** The layouts of catalogues that are known by the whole of a file. The first that fits is taken. */
const table: ReadonlyArray<Shape> = [
  { name: "Docusaurus", texts: ["message"], notes: ["description"] },
  { ...chrome, others: ["placeholders"] },
  { name: "package.nls.json", hasTexts: true, texts: ["message"], notes: ["comment"] },
  {
    name: "Transifex",
    hasTexts: true,
    texts: ["string"],
    notes: ["developer_comment", "context"],
    others: ["character_limit"],
    limit: "character_limit"
  },
  { name: "go-i18n, a list", isList: true, texts: ["translation"], others: ["id"], hasPlurals: true },
  {
    name: "go-i18n",
    hasTexts: true,
    texts: categories,
    notes: ["description"],
    others: ["id", "hash", "leftdelim", "leftDelim", "rightdelim", "rightDelim"],
    hasPlurals: true
  },
  {
    name: "go-i18n, a list of messages",
    isList: true,
    texts: categories,
    notes: ["description"],
    others: ["id", "hash", "leftdelim", "leftDelim", "rightdelim", "rightDelim"],
    hasPlurals: true
  },
  { name: "Angular", within: { key: "translations", beside: ["locale"] }, hasTexts: true, texts: [] }
]

const propertiesOf = (node: Node | undefined): ReadonlyArray<Property> =>
  node?.tag === "object" ? node.properties : []

/** The values that are entries; `undefined` if a document has no place for some. */
const entriesOf = (root: Node, { isList = false, within }: Shape): ReadonlyArray<Node> | undefined => {
  if (isList) return root.tag === "array" ? root.items : undefined
  const properties = propertiesOf(root).filter(({ key }) => key !== "$schema")
  if (within === undefined) return properties.map(({ value }) => value)
  const inner = jsonDocument.get(root, within.key)
  return inner?.tag === "object" &&
    properties.every(({ key }) => key === within.key || within.beside.includes(key))
    ? inner.properties.map(({ value }) => value)
    : undefined
}

/** A message of FormatJS that was compiled to a syntax tree. */
const isCompiled = (node: Node): boolean =>
  node.tag === "array" &&
  node.items.length > 0 &&
  node.items.every((item) => jsonDocument.get(item, "type")?.tag === "other")

const isString = (node: Node, { hasTrees = false }: Shape): boolean =>
  node.tag === "string" || (hasTrees && isCompiled(node))

const isText = (node: Node, shape: Shape): boolean =>
  isString(node, shape) ||
  (shape.hasPlurals === true &&
    node.tag === "object" &&
    node.properties.every(({ key, value }) => categories.includes(key) && value.tag === "string"))

/** True if an object is an entry: it has a text, and no key that an entry has not. */
export const isEntry = (node: Node, shape: Shape): node is ObjectNode =>
  node.tag === "object" &&
  node.properties.some(({ key }) => shape.texts.includes(key)) &&
  node.properties.every(({ key, value }) =>
    shape.texts.includes(key)
      ? isText(value, shape)
      : shape.others === "any" || shape.notes?.includes(key) === true || shape.others?.includes(key) === true
  )

const isCut = (node: Node): boolean => (node.tag === "object" || node.tag === "array") && node.isCut === true

/** True if all entries of a document are of a shape, and one of them shows it. */
export const isOf = (root: Node, shape: Shape): boolean => {
  const entries = entriesOf(root, shape)?.filter((node) => !isCut(node))
  return (
    entries?.every((node) => isEntry(node, shape) || (shape.hasTexts === true && isString(node, shape))) ===
      true &&
    (shape.within !== undefined || entries.some(({ tag }) => tag === "object"))
  )
}

/** The shape of a document; `undefined` if it is none that is known. */
export const shapeOf = (root: Node): Shape | undefined => table.find((shape) => isOf(root, shape))

const linesOf = (node: Node | undefined): ReadonlyArray<string> =>
  node?.tag === "string" ? [node.value] : node?.tag === "array" ? node.items.flatMap(linesOf) : []

const limitOf = ({ text }: JsonDocument, node: Node | undefined): Entry["limit"] => {
  const maxCharacters = node?.tag === "other" ? Number(text.slice(node.start, node.end)) : 0
  return maxCharacters >= 1 ? { maxCharacters } : undefined
}

const entryOf = (document: JsonDocument, node: ObjectNode, shape: Shape): Entry => ({
  // Of a key that is there several times, readers take the last.
  isText: ({ key, value }) => shape.texts.includes(key) && jsonDocument.get(node, key) === value,
  context: contextOf([
    ...(shape.notes ?? []).flatMap((key) => linesOf(jsonDocument.get(node, key))),
    ...(shape.placeholder === undefined
      ? []
      : examplesOf(jsonDocument.get(node, "placeholders"), shape.placeholder))
  ]),
  limit: shape.limit === undefined ? undefined : limitOf(document, jsonDocument.get(node, shape.limit))
})

/** Keys that are plural categories. */
export const pluralKey = (key: string): PluralKey | undefined =>
  categories.includes(key) ? { prefix: "", category: key } : undefined

/** The root, some of whose values hold no texts. */
const rootEntry = (shape: Shape): Entry => ({
  isText: ({ key, value }) =>
    key !== "$schema" &&
    shape.within?.beside.includes(key) !== true &&
    (shape.hasTexts === true || shape.texts.length === 0 || isEntry(value, shape))
})

/** The rules of a document of a shape. Objects that are no entries hold some. */
export const rulesOf = (document: JsonDocument, shape: Shape): Rules => ({
  entryOf: (object) =>
    isEntry(object, shape)
      ? entryOf(document, object, shape)
      : object === document.root
        ? rootEntry(shape)
        : undefined,
  groupsOf:
    shape.hasPlurals === true ? (object, options) => categoryGroups(object, options, pluralKey) : undefined,
  isKept: shape.hasTrees === true ? isCompiled : undefined,
  placeholders: shape.placeholders
})
