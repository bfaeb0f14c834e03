import * as Either from "effect/Either"
import type { MergeOptions, Problem } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import * as inlineCodes from "../xml/inlineCodes.js"
import { attribute } from "../xml/xml.js"
import * as edit from "../xml/xmlEdit.js"
import * as xmlMerge from "../xml/xmlMerge.js"
import * as xliff from "./xliff.js"

interface Entry extends xmlMerge.Entry {
  readonly unit: xliff.Unit
}

const entryOf = (unit: xliff.Unit): Entry => ({
  key: unit.key,
  start: unit.element.start,
  end: unit.element.end,
  unit
})

/** The content of a text, with its codes. */
const saysOf = ({ text, version }: xliff.Xliff, { source }: xliff.Segment): string =>
  inlineCodes
    .read(text, source, { nameOf: xliff.nameOf, roleOf: xliff.roleOf(version, false) })
    .map((piece) => (piece.type === "code" ? `${piece.tag}${piece.raw}` : inlineCodes.plain(piece)))
    .join("")

/** True if codes of a target find the native code that they refer to in a unit. */
const findsData = (target: string, unit: string): boolean =>
  [...target.matchAll(/\sdataRef(?:Start|End)?\s*=\s*["']([^"']*)["']/g)].every(
    ([, id]) => unit.includes(`id="${id}"`) || unit.includes(`id='${id}'`)
  )

const stateEdits = (text: string, segment: xliff.Segment, state: string | undefined): ReadonlyArray<Edit> =>
  state === undefined
    ? edit.removeAttribute(text, segment.element, "state")
    : [edit.setAttribute(segment.element, "state", state)]

/** The unit of the source with the old targets, which are fuzzy where the source has changed. */
const withTargets = (source: xliff.Xliff, target: xliff.Xliff, unit: xliff.Unit, old: xliff.Unit): string => {
  const { version } = source
  const { end, start } = unit.element
  const olds = new Map(old.segments.map((segment) => [segment.key, segment]))
  const edits = unit.segments.flatMap((segment): ReadonlyArray<Edit> => {
    const before = olds.get(segment.key)
    if (before?.target === undefined || before.target.children.length === 0) return []
    const isChanged = saysOf(source, segment) !== saysOf(target, before)
    const targetEdits =
      version === 1 && isChanged
        ? [edit.setAttribute(before.target, "state", "needs-review-translation")]
        : []
    const raw = applyEdits(target.text, targetEdits, before.target)
    if (!findsData(raw, source.text.slice(start, end))) return []
    const state = isChanged ? "initial" : attribute(before.element, "state")
    return [
      ...(version === 2 ? stateEdits(source.text, segment, state) : []),
      segment.target === undefined
        ? {
            start: segment.last.end,
            end: segment.last.end,
            text: edit.indentOf(source.text, segment.source.start) + raw
          }
        : { start: segment.target.start, end: segment.target.end, text: raw }
    ]
  })
  return applyEdits(source.text, edits, { start, end })
}

const isSame = (source: xliff.Xliff, target: xliff.Xliff, unit: xliff.Unit, old: xliff.Unit): boolean =>
  unit.segments.length === old.segments.length &&
  unit.segments.every((segment, index) => {
    const before = old.segments[index]!
    return segment.key === before.key && saysOf(source, segment) === saysOf(target, before)
  })

const fileEdits = (
  source: xliff.Xliff,
  target: xliff.Xliff,
  removed: MergeOptions["removed"]
): ReadonlyArray<Edit> => {
  const entries = ({ files }: xliff.Xliff) =>
    files.map(({ element, name }) => ({ key: name, start: element.start, end: element.end }))
  const common = {
    sourceText: source.text,
    targetText: target.text,
    removed
  }
  const targets = new Map(target.files.map((file) => [file.name, file]))
  const ofUnits = source.files.flatMap((file) => {
    const old = targets.get(file.name)
    if (old?.body === undefined) return []
    return xmlMerge.editsOf({
      ...common,
      source: file.units.map(entryOf),
      target: old.units.map(entryOf),
      replace: (entry: Entry, before: Entry) =>
        isSame(source, target, entry.unit, before.unit)
          ? undefined
          : withTargets(source, target, entry.unit, before.unit),
      container: old.body,
      indent: edit.indentOf(source.text, file.units[0]?.element.start ?? 0)
    })
  })
  const ofFiles = xmlMerge.editsOf({
    ...common,
    source: entries(source),
    target: entries(target),
    replace: () => undefined,
    container: target.root,
    indent: edit.indentOf(source.text, source.files[0]?.element.start ?? 0)
  })
  return [...ofUnits, ...ofFiles]
}

/** The target with the units of the source. */
export const merge = (
  source: string,
  target: string,
  { removed }: MergeOptions
): Either.Either<string, Problem> =>
  Either.flatMap(Either.all([xliff.read(source), xliff.read(target)]), ([from, to]) => {
    if (from.version !== to.version || from.root.name !== to.root.name) {
      return Either.left({
        message: "source and target are of different versions of XLIFF: convert one of them."
      })
    }
    return xmlMerge.apply(target, fileEdits(from, to, removed), "units")
  })
