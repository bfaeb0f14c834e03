import * as Either from "effect/Either"
import type { DecodeOptions } from "../../Format.js"
import { type Form, formsWithZero, showsNumber } from "../plurals/plurals.js"
import { contentEnd, writeScalar, type YamlScalar } from "./yamlScalar.js"
import type { YamlCollection, YamlEntry, YamlNode } from "./yamlTree.js"

const categories: ReadonlySet<unknown> = new Set(["zero", "one", "two", "few", "many", "other"])

interface PluralEntry extends YamlEntry {
  readonly key: string
  readonly value: YamlScalar & { readonly text: string }
}

/** A mapping of plural categories to texts. */
export interface PluralGroup extends YamlCollection {
  readonly entries: ReadonlyArray<PluralEntry>
}

const isPluralEntry = (entry: YamlEntry): entry is PluralEntry =>
  categories.has(entry.key) &&
  entry.value.kind === "scalar" &&
  (entry.value.text ?? "").trim() !== "" &&
  !entry.value.hasProperties

export const isPluralGroup = (node: YamlNode): node is PluralGroup =>
  node.kind === "map" && node.entries.some(({ key }) => key === "other") && node.entries.every(isPluralEntry)

/** The forms that a group gets in the target language. Rails takes `zero` for 0 in every language, if it is there. */
export const formsOf = ({ entries }: PluralGroup, options: DecodeOptions): ReadonlyArray<Form> => {
  const keys = entries.map(({ key }) => key)
  const textOf = (category: string) => entries.find(({ key }) => key === category)!.value.text
  const all = formsWithZero(keys, (category) => showsNumber(textOf(category)), options)
  const isSame = all.length === keys.length && all.every(({ category }) => keys.includes(category))
  return isSame ? keys.map((key) => all.find(({ category }) => category === key)!) : all
}

/** The entry whose text and looks a form has. */
export const entryOf = ({ entries }: PluralGroup, form: Form): PluralEntry =>
  entries.find(({ key }) => key === form.category && form.source === form.category) ??
  entries.find(({ key }) => key === form.source)!

interface TargetForms {
  readonly targetForms: ReadonlyArray<Form>
  /** Those whose texts are translated, in the order of the translations. */
  readonly texts: ReadonlyArray<Form>
}

/** The group with the forms of the target language. */
export const writeGroup =
  (text: string, newline: string, group: PluralGroup, { targetForms, texts }: TargetForms, indent: number) =>
  (translations: ReadonlyArray<string | undefined>): Either.Either<string> => {
    const first = group.entries[0]!
    const last = group.entries.at(-1)!
    const { entries } = group
    const isSame =
      targetForms.length === entries.length &&
      entries.every(({ key }) => targetForms.some(({ category }) => category === key))
    // Rails needs all forms of a plural without texts, too. A lone `other` may be none.
    const isNeeded = texts.length === 0 && entries.length > 1 && !isSame
    if (translations.every((translation) => translation === undefined) && !isNeeded) {
      return Either.right(text.slice(first.start, last.end))
    }
    const between = group.isFlow ? ", " : newline + " ".repeat(indent)
    const written = targetForms.map((form, index) => {
      const entry = entryOf(group, form)
      const { end, start } = entry.value
      const value = writeScalar(
        entry.value,
        text.slice(start, end),
        (texts.includes(form) ? translations[texts.indexOf(form)] : undefined) ?? entry.value.text,
        newline,
        false
      )
      const isOwn = entry.key === form.category
      const key = text.slice(entry.start, entry.keyEnd)
      const core = `${isOwn ? key : key.replace(entry.key, form.category)}${text.slice(entry.keyEnd, start)}${value}`
      const after = isOwn && end < entry.end ? text.slice(end, entry.end) : ""
      const next = group.entries[group.entries.indexOf(entry) + 1]
      const isFollowed = isOwn && next !== undefined && targetForms[index + 1]?.category === next.key
      return {
        core: (entry.value.isBlock ? core.slice(0, contentEnd(core)) : core) + after,
        gap: isFollowed ? text.slice(entry.end, next.start) : between
      }
    })
    return Either.right(
      written.map(({ core, gap }, index) => (index < written.length - 1 ? core + gap : core)).join("")
    )
  }
