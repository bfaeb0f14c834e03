import * as Either from "effect/Either"
import type { DecodeOptions, Part, Placeholders, Unit } from "../../Format.js"
import * as Format from "../../Format.js"
import type { Span } from "../parts.js"
import { stepKey } from "../selector.js"
import type { JsonDocument, Node, ObjectNode, Property, Range, StringNode } from "./jsonDocument.js"
import * as jsonLayout from "./jsonLayout.js"
import * as jsonSpans from "./jsonSpans.js"

/** A plural form of the target, and the property of the source that it is translated from. */
export interface Form {
  readonly key: string
  readonly source: number
}

/** The plural forms of one text, which are properties of one object. */
export interface Group {
  /** The properties by their keys, as indices into the object. */
  readonly members: ReadonlyMap<string, number>
  readonly forms: ReadonlyArray<Form>
}

/** An object of which some keys hold texts, and the comments on these. */
export interface Entry extends Pick<Part, "context"> {
  readonly isText: (property: Property) => boolean
  readonly limit?: Pick<Unit, "maxCharacters"> | undefined
}

/** The meaning of the objects of a document. */
export interface Rules {
  readonly groupsOf?: ((object: ObjectNode, options: DecodeOptions) => ReadonlyArray<Group>) | undefined
  /** The entry that an object is; all values of other objects are texts, or hold some. */
  readonly entryOf?: ((object: ObjectNode) => Entry | undefined) | undefined
  /** True if a value stays as it is. */
  readonly isKept?: ((node: Node) => boolean) | undefined
  /** Why the text of a property is not read as one. */
  readonly problemOf?: ((property: Property) => string | undefined) | undefined
  /** Texts of entries are named by the ids of these, which are keys at the root as they stand there. @default by their paths */
  readonly hasIds?: boolean | undefined
  readonly placeholders?: Placeholders | undefined
}

/** A property of a piece of an object as it is written: one that was there, or a new one. */
interface Slot {
  readonly index?: number | undefined
  readonly units: ReadonlyArray<Unit>
  readonly write: NonNullable<Span["write"]>
}

/** Neighbours that hold whole plurals, from the first up to, but not including, the last index. */
interface Run {
  readonly first: number
  readonly end: number
}

/** The properties in runs. Plurals that lie in one another are one run. */
const runsOf = (object: ObjectNode, groups: ReadonlyArray<Group>): ReadonlyArray<Run> => {
  const ends = new Map<number, number>()
  for (const { members } of groups) {
    const indices = [...members.values()]
    ends.set(Math.min(...indices), Math.max(...indices) + 1)
  }
  const runs: Array<Run> = []
  for (let first = 0; first < object.properties.length; first = runs.at(-1)!.end) {
    let end = first + 1
    for (let index = first; index < end; index++) end = Math.max(end, ends.get(index) ?? end)
    runs.push({ first, end })
  }
  return runs
}

class Walker {
  private readonly layout

  constructor(
    readonly document: JsonDocument,
    readonly options: DecodeOptions,
    readonly rules: Rules,
    readonly format: string
  ) {
    this.layout = jsonLayout.layoutOf(document)
  }

  value(node: Node, path: string, entry?: Entry): ReadonlyArray<Span> {
    if (this.rules.isKept?.(node) === true) return []
    switch (node.tag) {
      case "string": {
        const spans = jsonSpans.ofString(this.document, node, path, entry?.context, entry?.limit)
        const { placeholders } = this.rules
        return placeholders === undefined ? spans : spans.map((span) => ({ ...span, placeholders }))
      }
      case "array":
        return node.items.flatMap((item, index) => this.value(item, stepKey(path, index), entry))
      case "object":
        return this.object(node, path, entry)
      case "other":
        return []
    }
  }

  private object(object: ObjectNode, path: string, around: Entry | undefined): ReadonlyArray<Span> {
    const own = this.rules.entryOf?.(object)
    const entry = own ?? around
    const properties = (index: number) => this.property(object.properties[index]!, path, own, entry)
    const groups = this.rules.groupsOf?.(object, this.options) ?? []
    if (groups.length === 0) return object.properties.flatMap((_, index) => properties(index))
    const owners = new Map(
      groups.flatMap((group) => [...group.members.values()].map((index) => [index, group]))
    )
    return runsOf(object, groups).flatMap((run) =>
      owners.has(run.first)
        ? [{ ...this.run(object, path, run, owners), context: entry?.context }]
        : properties(run.first)
    )
  }

  private property(
    property: Property,
    path: string,
    own: Entry | undefined,
    entry: Entry | undefined
  ): ReadonlyArray<Span> {
    const { name, value } = property
    if (own?.isText(property) === false) return []
    const { hasIds = false, problemOf } = this.rules
    const inner = !hasIds
      ? stepKey(path, name)
      : path === ""
        ? name
        : own === undefined
          ? stepKey(path, name)
          : path
    const message = problemOf?.(property)
    if (message === undefined) return this.value(value, inner, entry)
    const place = { ...this.document.position(value.start), key: inner }
    const problem = Format.formatError(this.format, this.options.file, { ...place, message })
    return [{ start: value.start, end: value.end, units: [], problem }]
  }

  private run(
    object: ObjectNode,
    path: string,
    { end, first }: Run,
    owners: ReadonlyMap<number, Group>
  ): Span {
    const slots: Array<Slot> = []
    for (let index = first; index < end; index++) {
      const group = owners.get(index)
      if (group === undefined) slots.push(this.other(object, path, index))
      else slots.push(...this.forms(object, path, group, index))
    }
    const { text } = this.document
    const range = { start: object.properties[first]!.start, end: object.properties[end - 1]!.end }
    const frame = jsonLayout.frameOf(this.document, object, this.layout)
    return {
      ...range,
      units: slots.flatMap(({ units }) => units),
      write: (translations) => {
        if (translations.every((translation) => translation === undefined)) {
          return Either.right(text.slice(range.start, range.end))
        }
        const entries: Array<jsonLayout.Entry> = []
        let at = 0
        for (const { index, units, write } of slots) {
          const written = write(translations.slice(at, at + units.length))
          if (Either.isLeft(written)) return written
          entries.push({ text: written.right, index })
          at += units.length
        }
        return Either.right(jsonLayout.separated(this.document, object, frame, entries))
      }
    }
  }

  /** A property that is no plural. */
  private other(object: ObjectNode, path: string, index: number): Slot {
    const property = object.properties[index]!
    const spans = this.value(property.value, stepKey(path, property.name))
    const { units, write } = jsonSpans.joined(this.document.text, property, spans)
    return { index, units, write: write! }
  }

  /** The slots in place of one form of the source: itself, and forms of the target before it, or behind the last, which the source lacks. */
  private forms(object: ObjectNode, path: string, group: Group, index: number): ReadonlyArray<Slot> {
    let place = Math.max(...group.members.values())
    return group.forms
      .toReversed()
      .flatMap((form): ReadonlyArray<Slot> => {
        const own = group.members.get(form.key)
        place = own ?? place
        return place === index ? [this.form(object, path, form, own, index)] : []
      })
      .toReversed()
  }

  private form(
    object: ObjectNode,
    path: string,
    { key, source }: Form,
    own: number | undefined,
    index: number
  ): Slot {
    // The properties of groups are strings.
    const node = object.properties[source]!.value as StringNode
    const property = object.properties[own ?? index]!
    const raw = (range: Range) => this.document.text.slice(range.start, range.end)
    const head = raw({ start: property.start, end: property.value.start })
    const name =
      own === undefined ? this.document.write(key, property) + head.slice(head.lastIndexOf('"') + 1) : head
    const untouched = own === undefined ? name + raw(node) : raw(property)
    const unit: Unit = {
      key: stepKey(path, key),
      text: node.value,
      line: this.document.position(node.start).line,
      state: "missing",
      ...(source === own ? undefined : { isOfOtherForm: true })
    }
    return {
      index: own,
      units: [unit],
      write: ([translation]) =>
        Either.right(translation === undefined ? untouched : name + this.document.write(translation, node))
    }
  }
}

/** The texts of a document, by the rules of its catalogue. */
export const spansOf = (
  document: JsonDocument,
  root: Node,
  options: DecodeOptions,
  rules: Rules,
  format = "json"
): ReadonlyArray<Span> => new Walker(document, options, rules, format).value(root, "")
