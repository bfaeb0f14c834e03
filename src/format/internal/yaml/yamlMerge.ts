import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import type { MergeOptions, Problem } from "../../Format.js"
import { applyEdits, type Edit, newlineOf } from "../edits.js"
import { isProse, otherLanguage, rootOf, rootSpan } from "./railsLocale.js"
import { isPluralGroup } from "./yamlPlurals.js"
import { parseYaml, type YamlCollection, type YamlEntry, type YamlFile, type YamlNode } from "./yamlTree.js"

interface Options extends Pick<MergeOptions, "removed"> {
  readonly isRails: boolean
  readonly targetLang?: string | undefined
}

const isCollection = (node: YamlNode): node is YamlCollection => node.kind === "map" || node.kind === "seq"

const isString = (node: YamlNode): boolean => node.kind === "scalar" && node.text !== undefined

/** A byte order mark indents nothing. */
const columnOf = ({ positionOf, text }: YamlFile, offset: number): number => {
  const { column, line } = positionOf(offset)
  return column - (line === 1 && text.startsWith("\uFEFF") ? 2 : 1)
}

class Merge {
  readonly edits: Array<Edit> = []
  readonly newline: string
  problem: Problem | undefined

  constructor(
    readonly source: YamlFile,
    readonly target: YamlFile,
    readonly options: Options
  ) {
    this.newline = newlineOf(target.text)
  }

  /** An entry of the source, its lines moved to a column of the target. */
  raw(entry: YamlEntry, column: number, from = entry.begin): string {
    const by = column - columnOf(this.source, entry.start)
    const lines = this.source.text.slice(from, entry.end).split(/\r?\n/)
    const moved = lines.map((line, index) =>
      index === 0 || line.trim() === ""
        ? line
        : by >= 0
          ? " ".repeat(by) + line
          : line.slice(Math.min(-by, /^ */.exec(line)![0].length))
    )
    return moved.join(this.newline)
  }

  /** An entry as it can stand between brackets: in one line. */
  rawInFlow(entry: YamlEntry, from: number, isFromFlow: boolean): string {
    const raw = this.source.text.slice(from, entry.end)
    const { value } = entry
    const isQuoted = /^["']/.test(this.source.text.slice(value.start, value.start + 1))
    const fits =
      !/[\r\n]/.test(raw) &&
      (isFromFlow || (value.kind === "scalar" && !value.isBlock && (isQuoted || !/[,[\]{}#]/.test(raw))))
    if (!fits) {
      const message =
        "the entry cannot be put between the brackets of the target: write the target's collection in lines."
      this.problem ??= { key: String(entry.key), message }
    }
    return raw
  }

  collections(source: YamlCollection, target: YamlCollection) {
    const known = new Map(target.entries.map((entry) => [entry.key, entry]))
    const first = target.entries[0]!
    const column = columnOf(this.target, first.start)
    const between = target.isFlow ? ", " : this.newline + " ".repeat(column)
    let anchor: YamlEntry | undefined
    for (const entry of source.entries) {
      const existing = known.get(entry.key)
      if (existing !== undefined) {
        anchor = existing
        this.entry(entry, existing, { from: source.isFlow, to: target.isFlow })
        continue
      }
      const raw = target.isFlow ? this.rawInFlow(entry, entry.start, source.isFlow) : this.raw(entry, column)
      const at = anchor?.end ?? first.begin
      this.edits.push({ start: at, end: at, text: anchor === undefined ? raw + between : between + raw })
    }
    if (this.options.removed === "drop") this.drop(source, target)
  }

  drop(source: YamlCollection, target: YamlCollection) {
    const keys = new Set(source.entries.map(({ key }) => key))
    let kept: YamlEntry | undefined
    target.entries.forEach((entry, index) => {
      if (keys.has(entry.key)) kept = entry
      else {
        const before = target.entries[index - 1]
        const next = target.entries[index + 1]
        this.edits.push(
          kept !== undefined && before !== undefined
            ? { start: before.end, end: entry.end, text: "" }
            : { start: entry.begin, end: next?.begin ?? entry.end, text: "" }
        )
      }
    })
  }

  /** True if a value is a text, or has one somewhere. */
  private holdsText(node: YamlNode): boolean {
    if (isCollection(node)) return node.entries.some(({ value }) => this.holdsText(value))
    const text = node.kind === "scalar" ? (node.text ?? "") : ""
    return node.kind === "alias" || (this.options.isRails ? isProse(text) : !isBlank(text))
  }

  /** True if the target lacks a value of the source. A text of the target stays where the source has none. */
  private isMissing(source: YamlNode, target: YamlNode): boolean {
    const isOther = source.kind !== target.kind
    if (this.holdsText(target)) return isOther && source.kind !== "alias" && this.holdsText(source)
    // The text of the target was emptied.
    if (isString(target) && !isString(source)) return true
    return isCollection(source)
      ? source.entries.length > 0 || (isOther && isCollection(target))
      : isCollection(target) || (isString(source) && this.holdsText(source))
  }

  entry(source: YamlEntry, target: YamlEntry, isFlow: { readonly from: boolean; readonly to: boolean }) {
    // A language may need plurals where the source needs none.
    if (target.value.kind === "alias" || (this.options.isRails && isPluralGroup(target.value))) {
      if (!isCollection(source.value) || isPluralGroup(source.value)) return
    }
    const sameKind = source.value.kind === target.value.kind
    if (
      isCollection(source.value) &&
      isCollection(target.value) &&
      sameKind &&
      target.value.entries.length > 0
    ) {
      return this.collections(source.value, target.value)
    }
    if (!this.isMissing(source.value, target.value)) return
    const text = isFlow.to
      ? this.rawInFlow(source, source.keyEnd, isFlow.from)
      : this.raw(source, columnOf(this.target, target.start), source.keyEnd)
    this.edits.push({ start: target.keyEnd, end: target.end, text })
  }
}

const unmergeable = (message: string): Either.Either<never, Problem> => Either.left({ message })

const mergeDocument = (merge: Merge, source: YamlNode, target: YamlNode): Either.Either<void, Problem> => {
  if (merge.options.isRails) {
    return Either.flatMap(
      Either.all([rootOf(merge.source, source), rootOf(merge.target, target)]),
      ([from, to]) => {
        const problem = otherLanguage(merge.target, to, merge.options.targetLang ?? "")
        return problem === undefined
          ? Either.right(merge.entry(from, to, { from: false, to: false }))
          : Either.left(problem)
      }
    )
  }
  if (!isCollection(source)) return Either.void
  if (source.kind !== target.kind || target.entries.length === 0) {
    return source.entries.length === 0
      ? Either.void
      : unmergeable("source and target have other kinds of values at their root: begin a new target.")
  }
  return Either.right(merge.collections(source, target))
}

/** The source as a new target. */
const begin = (source: YamlFile, { isRails, targetLang = "" }: Options): Either.Either<string, Problem> =>
  isRails
    ? Either.map(Either.all(source.documents.map((node) => rootOf(source, node))), (roots) =>
        applyEdits(
          source.text,
          roots.flatMap((root) =>
            rootSpan(source.text, root, targetLang).flatMap(({ end, start, write }) =>
              write === undefined
                ? []
                : [{ start, end, text: Either.getOrElse(write([]), () => String(root.key)) }]
            )
          )
        )
      )
    : Either.right(source.text)

/** The target with the entries of the source that it lacks. */
export const mergeYaml = (
  sourceText: string,
  targetText: string,
  options: Options
): Either.Either<string, Problem> =>
  Either.gen(function* () {
    const source = yield* parseYaml(sourceText)
    const target = yield* parseYaml(targetText)
    if (target.documents.every(({ kind }) => kind === "empty")) return yield* begin(source, options)
    if (source.documents.length !== target.documents.length) {
      return yield* unmergeable("source and target have other numbers of documents: begin a new target.")
    }
    const merge = new Merge(source, target, options)
    for (const [index, document] of source.documents.entries()) {
      yield* mergeDocument(merge, document, target.documents[index]!)
    }
    if (merge.problem !== undefined) return yield* Either.left(merge.problem)
    const merged = applyEdits(targetText, merge.edits)
    yield* Either.mapLeft(
      parseYaml(merged),
      (): Problem => ({
        message: "the entries of the source do not fit into the target: begin a new target."
      })
    )
    return merged
  })
