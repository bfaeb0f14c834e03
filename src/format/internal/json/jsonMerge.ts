import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import type { Format, MergeOptions } from "../../Format.js"
import type { ArrayNode, JsonDocument, Node, ObjectNode, Property } from "./jsonDocument.js"
import * as jsonDocument from "./jsonDocument.js"
import * as jsonLayout from "./jsonLayout.js"

/** Rules for merging the entries of two objects. */
export interface EntryRules {
  /** Returns `true` if an entry of the source is wanted in a target that does not have it. @default always */
  readonly isWanted?: ((property: Property) => boolean) | undefined
  /** Returns `true` if an entry of the target stays though the source does not have it. @default as units that were removed */
  readonly isKept?: ((property: Property) => boolean | undefined) | undefined
  /** The node of a source's value that is written into the target. @default all of it */
  readonly pick?: ((value: Node) => Node) | undefined
}

/** Rules for merging files of a format. */
export interface Rules {
  /** Returns `true` if the values of an object or array of the source are merged, and not taken as they are. */
  readonly isDeep: (source: Node) => boolean
  /** Returns `true` if an entry of the target stays. @default unless its text is blank, or of another kind than the source's */
  readonly isPresent?: ((target: Node, source: Node) => boolean) | undefined
  readonly entries?: ((objects: Objects) => EntryRules) | undefined
}

/** The objects that are merged. */
export interface Objects {
  readonly source: ObjectNode
  readonly target: ObjectNode
  readonly options: MergeOptions
}

/** True if a value is a text, or has one somewhere. */
const holdsText = (node: Node): boolean => {
  switch (node.tag) {
    case "string":
      return !isBlank(node.value)
    case "object":
      return node.properties.some(({ value }) => holdsText(value))
    case "array":
      return node.items.some(holdsText)
    case "other":
      return false
  }
}

/** A text of the target stays where the source has none; where neither has one, so does a value that takes the same place. */
export const isPresent = (target: Node, source: Node): boolean => {
  if (holdsText(target) && !holdsText(source)) return true
  return jsonLayout.isContainer(source) || holdsText(source)
    ? target.tag === source.tag && (source.tag !== "string" || holdsText(target))
    : !jsonLayout.isContainer(target)
}

/** True if a text of the target was emptied, and the source has another kind of value in its place. */
const isEmptied = (target: Node, source: Node): boolean =>
  target.tag === "string" && isBlank(target.value) && source.tag !== "string"

class Merger {
  private readonly layouts: { readonly source: jsonLayout.Layout; readonly target: jsonLayout.Layout }

  constructor(
    readonly source: JsonDocument,
    readonly target: JsonDocument,
    readonly options: MergeOptions,
    readonly rules: Rules
  ) {
    this.layouts = { source: jsonLayout.layoutOf(source), target: jsonLayout.layoutOf(target, source) }
  }

  document(): string {
    const { end, start } = this.target.root
    const { text } = this.target
    return text.slice(0, start) + this.value(this.source.root, this.target.root, "", true) + text.slice(end)
  }

  private value(source: Node, target: Node, indent: string, isRoot = false): string {
    const stays = this.rules.isPresent ?? isPresent
    const isDeep = isRoot || this.rules.isDeep(source)
    return source.tag === "object" && target.tag === "object" && isDeep
      ? this.object(source, target)
      : source.tag === "array" && target.tag === "array" && isDeep
        ? this.array(source, target)
        : stays(target, source) && !isEmptied(target, source)
          ? jsonLayout.rawOf(this.target, target)
          : this.moved(source, indent)
  }

  private moved(node: jsonDocument.Range, indent: string): string {
    return jsonLayout.moved(this.source, node, this.layouts.source, this.layouts.target, indent)
  }

  private object(source: ObjectNode, target: ObjectNode): string {
    const rules = this.rules.entries?.({ source, target, options: this.options })
    const pick = rules?.pick ?? ((value: Node) => value)
    const sources = new Map(source.properties.map((property) => [property.name, property]))
    const frame = jsonLayout.frameOf(this.target, target, this.layouts.target)
    const indent = jsonLayout.indentOf(frame)
    const kept = new Map<string, jsonLayout.Entry>()
    target.properties.forEach((property, index) => {
      const own = sources.get(property.name)
      const head = this.target.text.slice(property.start, property.value.start)
      if (own !== undefined) {
        kept.set(property.name, { text: head + this.value(pick(own.value), property.value, indent), index })
      } else if (rules?.isKept?.(property) ?? this.options.removed === "keep") {
        kept.set(property.name, { text: jsonLayout.rawOf(this.target, property), index })
      }
    })
    const after = new Map<string | undefined, Array<jsonLayout.Entry>>()
    let last: string | undefined
    for (const property of source.properties) {
      if (kept.has(property.name)) last = property.name
      else if (rules?.isWanted?.(property) !== false) {
        const head = this.source.text.slice(property.start, property.value.start)
        const entries = after.get(last) ?? []
        entries.push({ text: head + this.moved(pick(property.value), indent) })
        after.set(last, entries)
      }
    }
    const entries = [...kept].flatMap(([name, entry]) => [entry, ...(after.get(name) ?? [])])
    return jsonLayout.framed(this.target, target, frame, [...(after.get(undefined) ?? []), ...entries])
  }

  private array(source: ArrayNode, target: ArrayNode): string {
    const frame = jsonLayout.frameOf(this.target, target, this.layouts.target)
    const indent = jsonLayout.indentOf(frame)
    const entries: Array<jsonLayout.Entry> = target.items.flatMap((item, index) => {
      const own = source.items[index]
      return own !== undefined
        ? [{ text: this.value(own, item, indent), index }]
        : this.options.removed === "keep"
          ? [{ text: jsonLayout.rawOf(this.target, item), index }]
          : []
    })
    for (const item of source.items.slice(target.items.length)) {
      entries.push({ text: this.moved(item, indent) })
    }
    return jsonLayout.framed(this.target, target, frame, entries)
  }
}

/** Merges files of JSON: entries that the target lacks come behind the entry that is before them in the source. */
export const make =
  (rules: Rules): NonNullable<Format["merge"]> =>
  (source, target, options) =>
    Either.gen(function* () {
      const documents = [yield* jsonDocument.parse(source), yield* jsonDocument.parse(target)] as const
      return new Merger(...documents, options, rules).document()
    })
