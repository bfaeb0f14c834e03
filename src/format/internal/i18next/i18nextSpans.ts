import * as Either from "effect/Either"
import type { DecodeOptions, Unit } from "../../Format.js"
import type { JsonDocument, Node, ObjectNode, Range } from "../json/jsonDocument.js"
import * as jsonLayout from "../json/jsonLayout.js"
import * as jsonSpans from "../json/jsonSpans.js"
import type { Span } from "../parts.js"
import { stepKey } from "../selector.js"
import { type Group, groupsOf, stringOf } from "./i18nextPlurals.js"

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
    readonly options: DecodeOptions
  ) {
    this.layout = jsonLayout.layoutOf(document)
  }

  value(node: Node, path: string): ReadonlyArray<Span> {
    if (node.tag === "string") return jsonSpans.ofString(this.document, node, path)
    if (node.tag === "array")
      return node.items.flatMap((item, index) => this.value(item, stepKey(path, index)))
    return node.tag === "object" ? this.object(node, path) : []
  }

  private object(object: ObjectNode, path: string): ReadonlyArray<Span> {
    const groups = groupsOf(object, this.options)
    if (groups.length === 0) {
      return object.properties.flatMap(({ name, value }) => this.value(value, stepKey(path, name)))
    }
    const owners = new Map(
      groups.flatMap((group) => [...group.members.values()].map((index) => [index, group]))
    )
    return runsOf(object, groups).flatMap((run) => {
      const { name, value } = object.properties[run.first]!
      return owners.has(run.first)
        ? [this.run(object, path, run, owners)]
        : this.value(value, stepKey(path, name))
    })
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

  /** The slots in place of one form of the source: those of the target before it which the source lacks, and itself. */
  private forms(object: ObjectNode, path: string, group: Group, index: number): ReadonlyArray<Slot> {
    const slots: Array<Slot> = []
    for (const { category, source } of group.forms) {
      const own = group.members.get(category)
      const node = stringOf(object, group, source)
      const property = object.properties[own ?? index]!
      const key = group.prefix + category
      const unit: Unit = {
        key: stepKey(path, key),
        text: node.value,
        line: this.document.position(node.start).line,
        state: "missing",
        ...(source === category ? undefined : { isOfOtherForm: true })
      }
      const raw = (range: Range) => this.document.text.slice(range.start, range.end)
      const head = raw({ start: property.start, end: property.value.start })
      const name =
        own === undefined ? this.document.write(key, property) + head.slice(head.lastIndexOf('"') + 1) : head
      const untouched = own === undefined ? name + raw(node) : raw(property)
      slots.push({
        index: own,
        units: [unit],
        write: ([translation]) =>
          Either.right(translation === undefined ? untouched : name + this.document.write(translation, node))
      })
      if (own !== undefined) {
        if (own === index) return slots
        slots.length = 0
      }
    }
    return []
  }
}

/** The strings of an i18next catalogue. */
export const ofCatalogue = (document: JsonDocument, options: DecodeOptions): ReadonlyArray<Span> =>
  new Walker(document, options).value(document.root, "")
