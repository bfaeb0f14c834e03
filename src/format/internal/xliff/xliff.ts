import * as Either from "effect/Either"
import type { Problem } from "../../Format.js"
import { positions } from "../parts.js"
import { makeUnique } from "../unitKeys.js"
import type { Role } from "../xml/inlineCodes.js"
import { attribute, elements, parse, type XmlElement } from "../xml/xml.js"

/** A text and its translation in an XLIFF file. */
export interface Segment {
  readonly key: string
  /** The trans-unit of XLIFF 1.2, or the segment of XLIFF 2. */
  readonly element: XmlElement
  readonly source: XmlElement
  /** The element that a new target follows: the source, or the seg-source of XLIFF 1.2. */
  readonly last: XmlElement
  readonly target: XmlElement | undefined
  /** The element whose attribute `state` tells of the target. */
  readonly stateful: XmlElement | undefined
  readonly isTranslatable: boolean
}

/** A trans-unit of XLIFF 1.2, or a unit of XLIFF 2. */
export interface Unit {
  /** Names it in the file. */
  readonly key: string
  readonly element: XmlElement
  readonly segments: ReadonlyArray<Segment>
  readonly notes: ReadonlyArray<string>
}

/** The element `file`. */
export interface File {
  readonly name: string
  readonly element: XmlElement
  /** The element that holds its units: the body of XLIFF 1.2, or the file itself. */
  readonly body: XmlElement | undefined
  readonly units: ReadonlyArray<Unit>
}

export interface Xliff {
  readonly text: string
  readonly root: XmlElement
  /** 1 for XLIFF 1.0 to 1.2, 2 for XLIFF 2. */
  readonly version: 1 | 2
  readonly files: ReadonlyArray<File>
}

/** The text of an element without its tags, for notes. */
const wordsOf = (element: XmlElement): string =>
  element.children
    .map((child) =>
      child.type === "text" || child.type === "cdata"
        ? child.text
        : child.type === "element"
          ? wordsOf(child)
          : ""
    )
    .join("")
    .replace(/\s+/g, " ")
    .trim()

const notesOf = (unit: XmlElement, own: Own): ReadonlyArray<string> =>
  elements(unit)
    .flatMap((child) => (own(child, "notes") ? elements(child) : [child]))
    .filter(
      (child) =>
        own(child, "note") &&
        attribute(child, "annotates") !== "target" &&
        attribute(child, "appliesTo") !== "target" &&
        attribute(child, "category") !== "location"
    )
    .map(wordsOf)
    .filter((note) => note !== "")

/** Returns `true` for an element of XLIFF itself with such a name. */
type Own = (element: XmlElement, local: string) => boolean

const problemAt = (text: string, at: number, message: string, key?: string): Problem => ({
  ...positions(text)(at),
  key,
  message
})

/** Reads the units of one file. */
class Reader {
  readonly units: Array<Unit> = []
  private readonly ids = new Set<string>()
  problem: Problem | undefined

  constructor(
    private readonly text: string,
    private readonly own: Own,
    private readonly file: string,
    private readonly unique: (key: string) => string
  ) {}

  private keyOf(element: XmlElement): string {
    const id = attribute(element, "id") ?? ""
    if (this.ids.has(id)) {
      this.problem ??= problemAt(
        this.text,
        element.start,
        "two units of a file have this id: give each its own.",
        id
      )
    }
    this.ids.add(id)
    return this.unique(`${this.file}/${id}`)
  }

  visit(parent: XmlElement, isTranslatable: boolean): void {
    for (const child of elements(parent)) {
      const translate = attribute(child, "translate")
      const translatable = translate === undefined ? isTranslatable : translate !== "no"
      if (this.own(child, "group")) this.visit(child, translatable)
      else if (this.own(child, "trans-unit")) this.onTransUnit(child, translatable)
      else if (this.own(child, "unit")) this.onUnit(child, translatable)
    }
  }

  private child(element: XmlElement, local: string): XmlElement | undefined {
    return elements(element).find((child) => this.own(child, local))
  }

  private onTransUnit(element: XmlElement, isTranslatable: boolean) {
    const key = this.keyOf(element)
    const source = this.child(element, "source")
    const target = this.child(element, "target")
    const last = this.child(element, "seg-source") ?? source
    const segments =
      source === undefined || last === undefined
        ? []
        : [{ key, element, source, last, target, stateful: target, isTranslatable }]
    this.units.push({ key, element, segments, notes: notesOf(element, this.own) })
  }

  private onUnit(element: XmlElement, isTranslatable: boolean) {
    const key = this.keyOf(element)
    const ids = new Set<string>()
    const segments = elements(element)
      .filter((child) => this.own(child, "segment"))
      .flatMap((segment): ReadonlyArray<Segment> => {
        const source = this.child(segment, "source")
        const target = this.child(segment, "target")
        const id = attribute(segment, "id")
        if (id !== undefined && ids.has(id)) {
          const message = "two segments of a unit have this id: give each its own."
          this.problem ??= problemAt(this.text, segment.start, message, `${key}/${id}`)
        }
        if (id !== undefined) ids.add(id)
        if (source === undefined) return []
        return [
          {
            key: id === undefined ? key : this.unique(`${key}/${id}`),
            element: segment,
            source,
            last: source,
            target,
            stateful: segment,
            isTranslatable
          }
        ]
      })
    const named = segments.map((segment, index) =>
      segment.key === key && index > 0 ? { ...segment, key: this.unique(key) } : segment
    )
    this.units.push({ key, element, segments: named, notes: notesOf(element, this.own) })
  }
}

const versionOf = (root: XmlElement): 1 | 2 | undefined => {
  if (root.local !== "xliff") return undefined
  const version = attribute(root, "version") ?? ""
  return version.startsWith("1.") ? 1 : version.startsWith("2.") ? 2 : undefined
}

/** The units of an XLIFF file with their places. Left if it is no XML, no XLIFF 1 or 2, or if ids are there twice. */
export const read = (text: string): Either.Either<Xliff, Problem> =>
  Either.flatMap(parse(text), ({ root }) => {
    const version = versionOf(root)
    if (version === undefined) {
      const message =
        'the root is not <xliff version="1.2"> or <xliff version="2.0">: take a file of XLIFF 1 or 2.'
      return Either.left(problemAt(text, root.start, message))
    }
    const own: Own = (element, local) => element.local === local && element.namespace === root.namespace
    const uniqueKey = makeUnique()
    const uniqueName = makeUnique()
    const files: Array<File> = []
    for (const element of elements(root).filter((child) => own(child, "file"))) {
      const name = uniqueName(attribute(element, version === 1 ? "original" : "id") ?? "")
      const body = version === 1 ? elements(element).find((child) => own(child, "body")) : element
      const reader = new Reader(text, own, name, uniqueKey)
      if (body !== undefined) reader.visit(body, attribute(element, "translate") !== "no")
      if (reader.problem !== undefined) return Either.left(reader.problem)
      files.push({ name, element, body, units: reader.units })
    }
    return Either.right({ text, root, version, files })
  })

const whole: Role = { type: "whole" }
const around: Role = { type: "around" }
const transparent: Role = { type: "transparent" }

/** The role of an element within a text of XLIFF. Native code within `ph`, `it`, `bpt` and `ept` is part of the code. */
export const roleOf =
  (version: 1 | 2, isTarget: boolean) =>
  (element: XmlElement): Role => {
    const id = attribute(element, "id") ?? ""
    const first = (pair: string): Role => ({ type: "first", pair })
    const second = (pair: string): Role => ({ type: "second", pair })
    switch (element.local) {
      case "g":
        return version === 1 ? around : whole
      case "pc":
        return version === 2 ? around : whole
      case "mrk":
        return isTarget && attribute(element, "mtype") === "seg"
          ? transparent
          : attribute(element, "mtype") === "protected" || attribute(element, "translate") === "no"
            ? whole
            : around
      case "bx":
        return first(`bx ${attribute(element, "rid") ?? id}`)
      case "ex":
        return second(`bx ${attribute(element, "rid") ?? id}`)
      case "bpt":
        return first(`bpt ${attribute(element, "rid") ?? id}`)
      case "ept":
        return second(`bpt ${attribute(element, "rid") ?? id}`)
      case "sc":
        return first(`sc ${id}`)
      case "ec":
        return second(`sc ${attribute(element, "startRef") ?? id}`)
      case "sm":
        return first(`sm ${id}`)
      case "em":
        return second(`sm ${attribute(element, "startRef") ?? ""}`)
      default:
        return whole
    }
  }

/** The name of an element within a text: codes of a source and its target have the same ids. */
export const nameOf = (element: XmlElement): string =>
  [
    element.local,
    attribute(element, "id") ?? attribute(element, "mid") ?? "",
    attribute(element, "startRef") ?? attribute(element, "hex") ?? ""
  ].join(" ")
