import type { Rules } from "./jsonCatalogue.js"
import type { JsonDocument, Node, ObjectNode, Property } from "./jsonDocument.js"
import * as jsonDocument from "./jsonDocument.js"
import * as jsonShapes from "./jsonShapes.js"

const ids: ReadonlySet<string> = new Set(["_id", "guid", "hash", "id", "key", "slug", "uid", "uuid"])

const notes: ReadonlySet<string> = new Set([
  "comment",
  "comments",
  "context",
  "description",
  "developer_comment",
  "note",
  "notes"
])

const texts: ReadonlyArray<string> = ["message", "string", "text", "translation", "value"]

/** Keys that are notes wherever they are. */
const note = /^(?:\/\/.*|_{1,2}(?:comment|description|note)s?)$/

const isId = (text: string | undefined): boolean => text !== undefined && /^[\w.:/#-]+$/.test(text)

/** The objects that are members of an object or array, if all members are such. */
const recordsOf = (node: Node): ReadonlyArray<ObjectNode> => {
  const members =
    node.tag === "array" ? node.items : node.tag === "object" ? node.properties.map(({ value }) => value) : []
  return members.every((member) => member.tag === "object") ? members : []
}

/** The keys of ids and notes that all records have: ids that tell several apart, and notes beside a text. */
const fieldsOf = (records: ReadonlyArray<ObjectNode>): ReadonlyMap<string, string> => {
  const valuesOf = (key: string) => records.map((record) => jsonDocument.getString(record, key))
  const areIds = (values: ReadonlyArray<string | undefined>) =>
    records.length > 1 && values.every(isId) && new Set(values).size === records.length
  const haveText = texts.some((key) => valuesOf(key).every((value) => value !== undefined))
  const [first] = records
  return new Map(
    (first?.properties ?? []).flatMap(
      ({ key }): ReadonlyArray<[string, string]> =>
        ids.has(key) && areIds(valuesOf(key))
          ? [[key, "an id"]]
          : haveText && notes.has(key)
            ? [[key, "a note"]]
            : []
    )
  )
}

/** The fields that look like ids or notes, by their keys and their values. */
const lookalikes = (root: Node): ReadonlyMap<string, ReadonlyArray<Property>> => {
  const found = new Map<string, Array<Property>>()
  const add = (property: Property, kind: string) => {
    const name = `${JSON.stringify(property.key)} looks like the key of ${kind}`
    const known = found.get(name)
    if (known === undefined) found.set(name, [property])
    else known.push(property)
  }
  const walk = (node: Node): void => {
    const records = recordsOf(node)
    const fields = fieldsOf(records)
    for (const { properties } of fields.size === 0 ? [] : records) {
      for (const property of properties) {
        const kind = fields.get(property.key)
        if (kind !== undefined && property.value.tag !== "other") add(property, kind)
      }
    }
    if (node.tag === "array") for (const item of node.items) walk(item)
    if (node.tag !== "object") return
    for (const property of node.properties) {
      if (note.test(property.key) && property.value.tag !== "other") add(property, "a note")
      walk(property.value)
    }
  }
  walk(root)
  return found
}

/** The rules of a document of no layout that is known: values that look like ids or notes stay, and the first one of a key tells it. */
export const rulesOf = (document: JsonDocument): Rules => {
  const plain = jsonShapes.rulesOf(document, { name: "plain", texts: [] })
  const found = lookalikes(document.root)
  if (found.size === 0) return plain
  const kept = new Set<Node>()
  const problems = new Map<Property, string>()
  for (const [name, [first, ...others]] of found) {
    const more = others.length === 0 ? "" : `, and ${others.length} more of them`
    problems.set(first!, `${name}${more}, in a layout that is not known: choose the texts with \`select\`.`)
    for (const { value } of others) kept.add(value)
  }
  return {
    ...plain,
    isKept: (node) => kept.has(node),
    problemOf: (property) => problems.get(property)
  }
}
