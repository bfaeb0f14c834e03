import { isBlank } from "../../../internal/texts.js"
import type { DecodeOptions, State, Unit } from "../../Format.js"
import type { JsonDocument, Node, ObjectNode, Property } from "../json/jsonDocument.js"
import * as jsonDocument from "../json/jsonDocument.js"
import * as jsonLayout from "../json/jsonLayout.js"
import { formsWithZero, showsNumber } from "../plurals/plurals.js"

/** A localization as it is written in the target language. */
export type Template =
  | {
      readonly tag: "unit"
      readonly index: number
      readonly source: string
      readonly target: Node | undefined
    }
  | { readonly tag: "object"; readonly entries: ReadonlyArray<readonly [string, Template]> }
  | { readonly tag: "raw"; readonly node: Node }

const states: Record<string, State> = { translated: "translated", needs_review: "fuzzy" }

interface Known {
  readonly translation: string
  readonly state: State
}

/** All texts below a localization, with their states. */
const unitsIn = (node: Node | undefined): ReadonlyArray<Known> => {
  if (node?.tag !== "object") return []
  return jsonDocument
    .lastOfEach(node)
    .flatMap(({ key, value }) => (key === "stringUnit" ? stateOf(value) : unitsIn(value)))
}

const stateOf = (unit: Node | undefined): ReadonlyArray<Known> => {
  const translation = jsonDocument.getString(unit, "value")
  const state = states[jsonDocument.getString(unit, "state") ?? ""]
  return translation === undefined || state === undefined || isBlank(translation)
    ? []
    : [{ translation, state }]
}

/** True if one of the texts below a localization shows a number. */
const hasNumber = (node: Node | undefined): boolean =>
  node?.tag === "object" &&
  node.properties.some(({ key, value }) =>
    key === "stringUnit" ? showsNumber(jsonDocument.getString(value, "value") ?? "") : hasNumber(value)
  )

/** Makes the template of one localization, and the units in it. */
export class Builder {
  readonly units: Array<Unit> = []
  private found = 0

  constructor(
    readonly string: Pick<Property, "key" | "name">,
    readonly line: number,
    readonly languages: Pick<DecodeOptions, "sourceLang" | "targetLang">
  ) {}

  private unit(text: string, target: Node | undefined, path: ReadonlyArray<string>): Template {
    const key = path.length === 0 ? this.string.name : `${this.string.name}|==|${path.join(".")}`
    const [known] = stateOf(target)
    if (target !== undefined) this.found++
    this.units.push({ key, text, line: this.line, state: "missing", ...known })
    return { tag: "unit", index: this.units.length - 1, source: text, target }
  }

  private object(entries: ReadonlyArray<readonly [string, Template | undefined]>): Template | undefined {
    const present = entries.flatMap(([key, template]) =>
      template === undefined ? [] : [[key, template] as const]
    )
    return present.length === 0 ? undefined : { tag: "object", entries: present }
  }

  /** The texts of plural categories, devices and the like, by their names. */
  private cases(kind: string, source: ObjectNode, target: Node | undefined, path: ReadonlyArray<string>) {
    const names = jsonDocument
      .lastOfEach(source)
      .filter(({ value }) => value.tag === "object")
      .map(({ key }) => key)
    const made =
      kind === "plural" && names.length > 0
        ? formsWithZero(names, (name) => hasNumber(jsonDocument.get(source, name)), this.languages)
        : names.map((name) => ({ category: name, source: name }))
    return this.object(
      made.map((form) => [
        form.category,
        this.localization(jsonDocument.get(source, form.source)!, jsonDocument.get(target, form.category), [
          ...path,
          kind,
          form.category
        ])
      ])
    )
  }

  private each(
    source: Node,
    target: Node | undefined,
    make: (key: string, source: ObjectNode, target: Node | undefined) => Template | undefined
  ): Template | undefined {
    if (source.tag !== "object") return undefined
    return this.object(
      jsonDocument
        .lastOfEach(source)
        .map(({ key, value }) => [
          key,
          value.tag === "object" ? make(key, value, jsonDocument.get(target, key)) : undefined
        ])
    )
  }

  private localization(
    source: Node,
    target: Node | undefined,
    path: ReadonlyArray<string>
  ): Template | undefined {
    if (source.tag !== "object") return undefined
    return this.object(
      jsonDocument.lastOfEach(source).map(({ key, value }) => {
        const own = jsonDocument.get(target, key)
        if (key === "stringUnit") {
          const text = jsonDocument.getString(value, "value") ?? ""
          const isNone = isBlank(text) && isBlank(jsonDocument.getString(own, "value") ?? "")
          return [key, isNone ? undefined : this.unit(text, own, path)]
        }
        if (key === "variations") {
          return [key, this.each(value, own, (kind, of, to) => this.cases(kind, of, to, path))]
        }
        if (key === "substitutions") {
          return [
            key,
            this.each(value, own, (name, of, to) => this.localization(of, to, [...path, key, name]))
          ]
        }
        return [key, { tag: "raw", node: own ?? value }]
      })
    )
  }

  /** The template for a source localization, or for the key where there is none. */
  build(source: Node | undefined, target: Node | undefined): Template | undefined {
    const template =
      source === undefined
        ? this.object([
            ["stringUnit", this.unit(this.string.key, jsonDocument.get(target, "stringUnit"), [])]
          ])
        : this.localization(source, target, [])
    const others = this.found === 0 ? unitsIn(target) : []
    // A target that has its texts in other places was made so by a person.
    if (others.length > 0) {
      const state = others.every(({ state }) => state === "translated") ? "translated" : "fuzzy"
      this.units.forEach((unit, index) => {
        this.units[index] = { ...unit, state, translation: others[0]!.translation }
      })
    }
    return template
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The translations of the units, and which of them are marked. */
export interface Written {
  readonly translations: ReadonlyArray<string | undefined>
  readonly marks: ReadonlyArray<boolean>
}

/** Writes templates as Xcode does: keys in their order, with spaces before the colon if the file has them. */
export class Printer {
  private readonly layout: jsonLayout.Layout
  private readonly colon: string

  constructor(readonly document: JsonDocument) {
    this.layout = jsonLayout.layoutOf(document)
    const { root, text } = document
    const first = root.tag === "object" ? root.properties[0] : undefined
    const head = first === undefined ? "" : text.slice(first.start, first.value.start)
    this.colon = head.slice(head.lastIndexOf('"') + 1)
  }

  /** Prints a template in place of the target's node. */
  template(template: Template, target: Node | undefined, indent: string, own: Written): string {
    if (template.tag === "raw") return this.raw(template.node, indent)
    if (template.tag === "unit") return this.unit(template, own, indent)
    const inner = indent + (this.layout.unit ?? "")
    const written = new Map(
      template.entries.map(([key, entry]) => [
        key,
        this.template(entry, jsonDocument.get(target, key), inner, own)
      ])
    )
    if (target?.tag === "object") {
      for (const { key, value } of jsonDocument.lastOfEach(target)) {
        if (!written.has(key) && key !== "stringUnit" && key !== "variations") {
          written.set(key, this.raw(value, inner))
        }
      }
    }
    return this.object([...written], indent)
  }

  private raw(node: Node, indent: string): string {
    return jsonLayout.moved(this.document, node, this.layout, this.layout, indent)
  }

  private unit(
    { index, source, target }: Extract<Template, { readonly tag: "unit" }>,
    { marks, translations }: Written,
    indent: string
  ): string {
    const translation = translations[index]
    const state = translation === undefined ? "new" : marks[index] === true ? "needs_review" : "translated"
    if (translation === undefined && target !== undefined) return this.raw(target, indent)
    const before = jsonDocument.get(target, "value") ?? { start: 0, end: 0 }
    const value = this.document.write(translation ?? source, before)
    return this.object(
      [
        ["state", JSON.stringify(state)],
        ["value", value]
      ],
      indent
    )
  }

  object(entries: ReadonlyArray<readonly [string, string]>, indent: string): string {
    const { newline, unit } = this.layout
    const [open, close] = unit === undefined ? ["", ""] : [newline + indent + unit, newline + indent]
    const written = [...entries]
      .sort(([a], [b]) => compare(a, b))
      .map(([key, value]) => this.entry(key, value))
      .join(`,${open}`)
    return `{${open}${written}${close}}`
  }

  private entry(key: string, value: string): string {
    return JSON.stringify(key) + this.colon + value
  }

  /** An object with one more entry, before the first whose key comes behind its own. */
  inserted(object: ObjectNode, key: string, value: string): string {
    const entries: Array<jsonLayout.Entry> = object.properties.map((property, index) => ({
      text: jsonLayout.rawOf(this.document, property),
      index
    }))
    const at = object.properties.findIndex((property) => property.key > key)
    entries.splice(at === -1 ? entries.length : at, 0, { text: this.entry(key, value) })
    const frame = jsonLayout.frameOf(this.document, object, this.layout)
    return jsonLayout.framed(this.document, object, frame, entries)
  }

  /** The indentation of the levels below an object. */
  indentOf(object: ObjectNode, levels: number): string {
    return jsonLayout.indentation(this.document, object.start) + (this.layout.unit ?? "").repeat(levels)
  }
}
