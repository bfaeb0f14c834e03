import * as Either from "effect/Either"
import type { DecodeOptions, Part, Problem, State } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import { isSameLanguage, tagOf } from "../languageTag.js"
import { positions, type Span, single, toParts } from "../parts.js"
import * as inlineCodes from "../xml/inlineCodes.js"
import { attribute, type XmlElement } from "../xml/xml.js"
import * as xmlContent from "../xml/xmlContent.js"
import * as edit from "../xml/xmlEdit.js"
import * as xliff from "./xliff.js"

/** The mark of written translations. */
export type Mark = "translated" | "needs-review" | "none"

const isFuzzy = (state: string | undefined): boolean =>
  state !== undefined && /^(?:new|initial|needs-)/.test(state)

const stateOf = (segment: xliff.Segment, translation: string | undefined): State => {
  const name = stateNameOf(segment)
  if (translation === undefined) return "missing"
  if (translation.trim() === "" && (name === undefined || isFuzzy(name))) return "missing"
  return isFuzzy(name) && attribute(segment.element, "approved") !== "yes" ? "fuzzy" : "translated"
}

/** The largest length of a translation: only of a text without codes, whose width is unknown. By default a width is in pixels. */
const limitOf = (unit: XmlElement, pieces: ReadonlyArray<inlineCodes.Piece>) => {
  const width = Number(attribute(unit, "maxwidth"))
  return attribute(unit, "size-unit") === "char" && width > 0 && pieces.every(({ type }) => type === "text")
    ? { maxCharacters: width }
    : undefined
}

const stateNameOf = ({ stateful }: xliff.Segment): string | undefined =>
  stateful === undefined ? undefined : attribute(stateful, "state")

const stateNames: Record<Mark, readonly [string | undefined, string | undefined]> = {
  translated: ["translated", "translated"],
  "needs-review": ["needs-review-translation", "initial"],
  none: [undefined, undefined]
}

/** The edits that give a segment a target. */
const editsOf = (
  { text, version }: xliff.Xliff,
  { element, last, source, target }: xliff.Segment,
  content: string,
  mark: Mark
): ReadonlyArray<Edit> => {
  const state = stateNames[mark][version - 1]
  const ofSegment =
    version === 2 && state !== undefined
      ? [
          edit.setAttribute(element, "state", state),
          ...(attribute(element, "state") === state ? [] : edit.removeAttribute(text, element, "subState"))
        ]
      : []
  if (target !== undefined) {
    const ofTarget =
      version === 1 && state !== undefined
        ? [
            edit.setAttribute(target, "state", state),
            ...edit.removeAttribute(text, target, "state-qualifier")
          ]
        : []
    return [...ofSegment, ...ofTarget, edit.setContent(text, target, content)]
  }
  const name = source.name.replace(/source$/, "target")
  const space = attribute(source, "xml:space")
  const attributes =
    (version === 1 && state !== undefined ? ` state="${state}"` : "") +
    (space === undefined ? "" : ` xml:space="${space}"`)
  const written = `${edit.indentOf(text, source.start)}<${name}${attributes}>${content}</${name}>`
  return [...ofSegment, { start: last.end, end: last.end, text: written }]
}

const spanOf = (
  document: xliff.Xliff,
  segment: xliff.Segment,
  context: string | undefined,
  lineOf: (at: number) => number,
  mark: Mark
): Span | undefined => {
  const { text, version } = document
  const { last, source, target } = segment
  const nameOf = xliff.nameOf
  const pieces = inlineCodes.read(text, source, { nameOf, roleOf: xliff.roleOf(version, false) })
  const ofTarget =
    target === undefined
      ? undefined
      : inlineCodes.read(text, target, { nameOf, roleOf: xliff.roleOf(version, true), like: pieces })
  const unitText = inlineCodes.textOf(pieces)
  const old = ofTarget === undefined || ofTarget.length === 0 ? undefined : inlineCodes.textOf(ofTarget)
  const isText = pieces.some((piece) => piece.type === "text" && piece.raw.trim() !== "")
  // The translation of a text that is none any more is still one.
  if (!segment.isTranslatable || (!isText && (old ?? "").trim() === "")) return undefined
  const state = isText ? stateOf(segment, old) : "translated"
  const start = version === 2 ? segment.element.start : Math.min(source.start, target?.start ?? source.start)
  const end = Math.max(last.end, target?.end ?? last.end)
  const translation = state === "missing" ? undefined : old
  const span = single(text, {
    start,
    end,
    unit: {
      key: segment.key,
      text: unitText,
      line: lineOf(source.start),
      state,
      translation,
      ...limitOf(segment.element, pieces)
    },
    context,
    write: (translation, isMarked) =>
      Either.map(xmlContent.writeAll(pieces, translation, ofTarget?.length ? ofTarget : pieces), (content) =>
        applyEdits(text, editsOf(document, segment, content, isMarked ? "needs-review" : mark), {
          start,
          end
        })
      )
  })
  return { ...span, placeholders: inlineCodes.placeholdersOf(unitText) }
}

/** The start tag that names the target language, if it has to be another one. */
const headerOf = (
  { text, version }: xliff.Xliff,
  element: XmlElement,
  targetLang: string
): Span | undefined => {
  const [name, source] = version === 1 ? ["target-language", "source-language"] : ["trgLang", "srcLang"]
  const language = attribute(element, name!)
  if (language && isSameLanguage(language, targetLang)) return undefined
  const { openEnd: end, start } = element
  const edits = [edit.setAttribute(element, name!, tagOf(targetLang), source)]
  return { start, end, units: [], write: () => Either.right(applyEdits(text, edits, { start, end })) }
}

/** The problem of a file that holds translations to another language. */
const otherLanguage = (
  { text, version }: xliff.Xliff,
  element: XmlElement,
  files: ReadonlyArray<xliff.File>,
  targetLang: string
): Problem | undefined => {
  const language = attribute(element, version === 1 ? "target-language" : "trgLang")
  if (!language || isSameLanguage(language, targetLang)) return undefined
  const translated = files
    .flatMap(({ units }) => units.flatMap(({ segments }) => segments))
    .find(({ target }) => target !== undefined && text.slice(target.openEnd, target.closeStart).trim() !== "")
  if (translated === undefined) return undefined
  return {
    ...positions(text)(translated.target!.start),
    key: translated.key,
    message: `the file holds translations to ${language}, not to ${targetLang}: take one of ${targetLang}, or one without targets.`
  }
}

/** The parts of an XLIFF file. */
export const partsOf = (
  text: string,
  { targetLang }: DecodeOptions,
  mark: Mark
): Either.Either<ReadonlyArray<Part>, Problem> =>
  Either.flatMap(xliff.read(text), (document) => {
    const { files, root, version } = document
    const at = positions(text)
    const lineOf = (offset: number) => at(offset).line
    const spans: Array<Span> = []
    const headers =
      version === 2
        ? [{ element: root, files }]
        : files.map((file) => ({ element: file.element, files: [file] }))
    for (const { element, files } of headers) {
      const problem = otherLanguage(document, element, files, targetLang)
      if (problem !== undefined) return Either.left(problem)
      const header = headerOf(document, element, targetLang)
      if (header !== undefined) spans.push(header)
      for (const { notes, segments } of files.flatMap((file) => file.units)) {
        const context = notes.length === 0 ? undefined : notes.join("\n")
        for (const segment of segments) {
          const span = spanOf(document, segment, context, lineOf, mark)
          if (span !== undefined) spans.push(span)
        }
      }
    }
    return Either.right(toParts(text, spans))
  })
