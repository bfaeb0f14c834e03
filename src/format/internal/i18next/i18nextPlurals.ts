import { isBlank } from "../../../internal/texts.js"
import type { DecodeOptions } from "../../Format.js"
import type { ObjectNode, StringNode } from "../json/jsonDocument.js"
import * as plurals from "../plurals/plurals.js"

type Languages = Pick<DecodeOptions, "sourceLang" | "targetLang">

/** A key with a suffix for a plural category. */
export interface PluralKey {
  /** The key without the category, with the underscore before it: `file_`, `file_ordinal_`. */
  readonly prefix: string
  readonly category: string
}

const suffix = /^(?:zero|one|two|few|many|other)$/

export const pluralKey = (key: string): PluralKey | undefined => {
  const end = key.lastIndexOf("_") + 1
  const category = key.slice(end)
  return end > 1 && suffix.test(category) ? { prefix: key.slice(0, end), category } : undefined
}

/** The plural forms of one text, in one object. */
export interface Group {
  readonly prefix: string
  /** The properties by their categories, as indices into the object. */
  readonly members: ReadonlyMap<string, number>
  readonly forms: ReadonlyArray<plurals.Form>
}

/** True if the language has no form but `other`. */
const hasOnlyOther = (language: string | undefined, kind: "plural" | "selectordinal"): boolean =>
  language !== undefined && plurals.forms(["other"], () => true, { targetLang: language }, kind).length === 1

/**
 * The plurals among the properties of an object: keys that differ in their category, `other` among them. A key in `_other`
 * that stands alone may as well be a context, unless the source language has no other form.
 */
export const groupsOf = (object: ObjectNode, languages: Languages): ReadonlyArray<Group> => {
  const found = new Map<string, Map<string, number>>()
  object.properties.forEach(({ name }, index) => {
    const plural = pluralKey(name)
    if (plural === undefined) return
    const members = found.get(plural.prefix) ?? new Map<string, number>()
    found.set(plural.prefix, members.set(plural.category, index))
  })
  const valueAt = (index: number | undefined) =>
    index === undefined ? undefined : object.properties[index]!.value
  const showsNumber = (index: number | undefined) => {
    const value = valueAt(index)
    return value?.tag === "string" && plurals.showsNumber(value.value)
  }
  const isText = (index: number | undefined) => {
    const value = valueAt(index)
    return value?.tag === "string" && !isBlank(value.value)
  }
  return [...found].flatMap(([prefix, members]): ReadonlyArray<Group> => {
    const kind = prefix.endsWith("_ordinal_") ? "selectordinal" : "plural"
    const isGroup =
      isText(members.get("other")) &&
      [...members.values()].every((index) => valueAt(index)!.tag === "string") &&
      (members.size > 1 || hasOnlyOther(languages.sourceLang, kind))
    if (!isGroup) return []
    const source = [...members.keys()].filter((category) => isText(members.get(category)))
    const isShowing = (category: string) => showsNumber(members.get(category))
    return [{ prefix, members, forms: plurals.formsWithZero(source, isShowing, languages, kind) }]
  })
}

/** The string of a form in the source. */
export const stringOf = (object: ObjectNode, { members }: Group, category: string): StringNode =>
  object.properties[members.get(category)!]!.value as StringNode
