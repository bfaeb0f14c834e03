import * as Either from "effect/Either"
import type * as Format from "../../Format.js"
import { type Span, single } from "../parts.js"
import * as selector from "../selector.js"
import { isProse, isSymbol } from "./railsLocale.js"
import { entryOf, formsOf, isPluralGroup, type PluralGroup, writeGroup } from "./yamlPlurals.js"
import { writeScalar } from "./yamlScalar.js"
import type { YamlEntry, YamlFile, YamlNode } from "./yamlTree.js"

type Path = ReadonlyArray<string | number>

export interface Walk {
  readonly file: YamlFile
  readonly newline: string
  readonly isSelected: selector.Selector
  readonly options: Format.DecodeOptions
  readonly isRails: boolean
}

const contextOf = (entry: YamlEntry | undefined) => entry?.comments.join("\n").trim() || undefined

const scalarSpans = (
  { file, isRails, isSelected, newline }: Walk,
  node: YamlNode,
  path: Path,
  prefix: Path,
  entry: YamlEntry | undefined
): ReadonlyArray<Span> => {
  if (node.kind !== "scalar" || node.text === undefined || node.text.trim() === "") return []
  const raw = file.text.slice(node.start, node.end)
  if (!isSelected(path) || (isRails && (isSymbol(raw) || !isProse(node.text)))) return []
  return [
    single(file.text, {
      start: node.start,
      end: node.end,
      unit: {
        key: selector.pathKey([...prefix, ...path]),
        text: node.text,
        line: file.positionOf(node.start).line,
        state: "missing"
      },
      context: contextOf(entry),
      write: (translation) => Either.right(writeScalar(node, raw, translation, newline))
    })
  ]
}

const pluralSpan = (
  { file, newline, options }: Walk,
  group: PluralGroup,
  path: Path,
  prefix: Path,
  entry: YamlEntry | undefined
): Span => {
  const targetForms = formsOf(group, options)
  const first = group.entries[0]!
  const texts = targetForms.filter((form) => isProse(entryOf(group, form).value.text))
  return {
    start: first.start,
    end: group.entries.at(-1)!.end,
    units: texts.map((form) => {
      const { value } = entryOf(group, form)
      return {
        key: selector.pathKey([...prefix, ...path, form.category]),
        text: value.text,
        line: file.positionOf(value.start).line,
        state: "missing" as const,
        ...(form.source === form.category ? undefined : { isOfOtherForm: true })
      }
    }),
    context: contextOf(entry),
    write: writeGroup(
      file.text,
      newline,
      group,
      { targetForms, texts },
      file.positionOf(first.start).column - 1
    )
  }
}

export const spansOf = (
  walk: Walk,
  node: YamlNode,
  path: Path,
  prefix: Path,
  entry?: YamlEntry
): ReadonlyArray<Span> => {
  if (walk.isRails && isPluralGroup(node)) return [pluralSpan(walk, node, path, prefix, entry)]
  if (node.kind === "map" || node.kind === "seq") {
    return node.entries.flatMap((inner) => spansOf(walk, inner.value, [...path, inner.key], prefix, inner))
  }
  return scalarSpans(walk, node, path, prefix, entry)
}

const nothing = /^(~|null|Null|NULL)$/

/** A node as a value; each number or date is 0. The value of an alias is translated at its own place. */
export const valueOf = (text: string, node: YamlNode): unknown => {
  switch (node.kind) {
    case "map":
      return Object.fromEntries(node.entries.map(({ key, value }) => [key, valueOf(text, value)]))
    case "seq":
      return node.entries.map(({ value }) => valueOf(text, value))
    case "scalar":
      return node.text ?? (nothing.test(text.slice(node.start, node.end)) ? null : 0)
    case "alias":
      return undefined
    default:
      return null
  }
}

export const prefixOf = ({ documents }: YamlFile, index: number): Path =>
  documents.length > 1 ? [index] : []
