import { isBlank } from "../../../internal/texts.js"
import type { DecodeOptions } from "../../Format.js"
import type { Form, Group } from "../json/jsonCatalogue.js"
import type { Node, ObjectNode } from "../json/jsonDocument.js"
import { pluralFormsOf } from "../plurals/pluralForms.js"
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

/** The keys of the plural forms of a language in JSON of version 3, which has those of gettext. */
const numberedKeys = (key: string, language: string): ReadonlyArray<string> => {
  const { count } = pluralFormsOf(language)
  return count === 2 ? [key, `${key}_plural`] : Array.from({ length: count }, (_, index) => `${key}_${index}`)
}

/** True if the language has no form but `other`. */
const hasOnlyOther = (language: string | undefined, kind: "plural" | "selectordinal"): boolean =>
  language !== undefined && plurals.forms(["other"], () => true, { targetLang: language }, kind).length === 1

const isText = (value: Node | undefined): boolean => value?.tag === "string" && !isBlank(value.value)

const showsNumber = (value: Node | undefined): boolean =>
  value?.tag === "string" && plurals.showsNumber(value.value)

/**
 * Plurals whose keys differ in their category, `other` among them. A key of `other` that stands alone may as well be a context, unless the
 * source language has no other form.
 */
export const categoryGroups = (
  object: ObjectNode,
  languages: Languages,
  keyOf: (key: string) => PluralKey | undefined
): ReadonlyArray<Group> => {
  const found = new Map<string, Map<string, number>>()
  object.properties.forEach(({ name }, index) => {
    const plural = keyOf(name)
    if (plural === undefined) return
    const members = found.get(plural.prefix) ?? new Map<string, number>()
    found.set(plural.prefix, members.set(plural.category, index))
  })
  return [...found].flatMap(([prefix, members]): ReadonlyArray<Group> => {
    const valueOf = (category: string) => object.properties[members.get(category) ?? -1]?.value
    const kind = prefix.endsWith("_ordinal_") ? "selectordinal" : "plural"
    const categories = [...members.keys()]
    const isGroup =
      isText(valueOf("other")) &&
      categories.every((category) => valueOf(category)!.tag === "string") &&
      (members.size > 1 || hasOnlyOther(languages.sourceLang, kind))
    if (!isGroup) return []
    const source = categories.filter((category) => isText(valueOf(category)))
    const forms = plurals.formsWithZero(source, (category) => showsNumber(valueOf(category)), languages, kind)
    return [
      {
        members: new Map([...members].map(([category, index]) => [prefix + category, index])),
        forms: forms.map(({ category, source }) => ({ key: prefix + category, source: members.get(source)! }))
      }
    ]
  })
}

const numbered = /^(.+)_(?:plural|0)$/

/** Plurals of version 3: `file` and `file_plural`, or `file_0`, `file_1` and `file_2` in a language of as many forms. */
const numberedGroups = (
  object: ObjectNode,
  { sourceLang = "en", targetLang }: Languages
): ReadonlyArray<Group> => {
  const indices = new Map(object.properties.map(({ name }, index) => [name, index]))
  return object.properties.flatMap(({ name }): ReadonlyArray<Group> => {
    const key = numbered.exec(name)?.[1]
    if (key === undefined) return []
    const keys = numberedKeys(key, sourceLang)
    const places = keys.flatMap((key) => indices.get(key) ?? [])
    const valueAt = (place: number) => object.properties[places[place]!]?.value
    const isGroup =
      keys.includes(name) &&
      keys.length === places.length &&
      places.every((_, at) => isText(valueAt(at))) &&
      // Other keys end with numbers, too.
      (keys.length === 2 || showsNumber(valueAt(keys.length - 1)))
    if (!isGroup) return []
    const source = pluralFormsOf(sourceLang)
    const target = pluralFormsOf(targetLang)
    const isOfOne = (index: number) =>
      target.isSingular(index) || (target.isOfOne(index) && showsNumber(valueAt(0)))
    const sourceOf = (index: number) =>
      source.header === target.header ? places[index]! : isOfOne(index) ? places[0]! : places.at(-1)!
    return [
      {
        members: new Map(keys.map((key, at) => [key, places[at]!])),
        forms: numberedKeys(key, targetLang).map((key, index): Form => ({ key, source: sourceOf(index) }))
      }
    ]
  })
}

/** The plurals among the properties of an object. */
export const groupsOf = (object: ObjectNode, languages: Languages): ReadonlyArray<Group> => {
  const groups = categoryGroups(object, languages, pluralKey)
  return groups.length > 0 ? groups : numberedGroups(object, languages)
}

/** True if some keys of values are plurals, or a text has a reference to another one: `$t(key)`. */
export const isI18next = (node: Node): boolean => {
  switch (node.tag) {
    case "string":
      return node.value.includes("$t(")
    case "array":
      return node.items.some(isI18next)
    case "object":
      return (
        groupsOf(node, { targetLang: "en" }).length > 0 ||
        node.properties.some(({ value }) => isI18next(value))
      )
    case "other":
      return false
  }
}
