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

/** The properties that look like ids or notes, and what they look like. */
const lookalikes = (root: Node): ReadonlyMap<Property, string> => {
  const found = new Map<Property, string>()
  const walk = (node: Node): void => {
    const records = recordsOf(node)
    const fields = fieldsOf(records)
    for (const { properties } of fields.size === 0 ? [] : records) {
      for (const property of properties) {
        const kind = fields.get(property.key)
        if (kind !== undefined) found.set(property, kind)
      }
    }
    if (node.tag === "array") for (const item of node.items) walk(item)
    if (node.tag !== "object") return
    for (const property of node.properties) {
      if (note.test(property.key)) found.set(property, "a note")
      walk(property.value)
    }
  }
  walk(root)
  return found
}

/** The rules of a document of no layout that is known: keys that look like ids or notes are told. */
export const rulesOf = (document: JsonDocument): Rules => {
  const found = lookalikes(document.root)
  return {
    ...jsonShapes.rulesOf(document, { name: "plain", texts: [] }),
    problemOf: (property) => {
      const kind = found.get(property)
      return kind === undefined || property.value.tag === "other"
        ? undefined
        : `its key looks like that of ${kind}, and the file is of no layout that is known: choose the texts with \`select\`.`
    }
  }
}
