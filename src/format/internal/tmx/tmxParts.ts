import * as Either from "effect/Either"
import type { DecodeOptions, Part, Problem, Unit } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import { type Position, positions, type Span, toParts } from "../parts.js"
import { makeUnique } from "../unitKeys.js"
import * as inlineCodes from "../xml/inlineCodes.js"
import { attribute, elements, parse as parseXml, type XmlElement } from "../xml/xml.js"
import * as xmlContent from "../xml/xmlContent.js"
import * as edit from "../xml/xmlEdit.js"

/** The language of a variant; TMX before 1.4 has the attribute without a prefix. */
export const languageOf = (attributes: (name: string) => string | undefined): string | undefined =>
  attributes("xml:lang") ?? attributes("lang")

const canonical = (language: string): string => language.replaceAll("_", "-").toLowerCase()

/** True if a language is the wanted one, or a variety of it: `en-US` for `en`. */
const isWithin = (language: string, wanted: string): boolean =>
  canonical(language).startsWith(`${canonical(wanted)}-`)

/** Pairs of native codes have the same number; other elements are around text or single. */
const roleOf = (element: XmlElement): inlineCodes.Role =>
  element.name === "bpt" || element.name === "ept"
    ? { type: element.name === "bpt" ? "first" : "second", pair: `i ${attribute(element, "i") ?? ""}` }
    : { type: element.name === "hi" ? "around" : "whole" }

/** Codes of two variants are the same if their `x` is; older files have only their order. */
const nameOf = (element: XmlElement): string =>
  element.name === "ept"
    ? ""
    : `${element.name} ${attribute(element, "x") ?? attribute(element, "i") ?? attribute(element, "type") ?? ""}`

interface Variant {
  readonly element: XmlElement
  readonly language: string
  readonly segment: XmlElement
}

const variantsOf = (unit: XmlElement): ReadonlyArray<Variant> =>
  elements(unit).flatMap((element) => {
    const language = languageOf((name) => attribute(element, name))
    const segment = elements(element).find(({ name }) => name === "seg")
    return element.name !== "tuv" || language === undefined || segment === undefined
      ? []
      : [{ element, language, segment }]
  })

const find = (
  variants: ReadonlyArray<Variant>,
  wanted: string,
  isNear: (language: string) => boolean
): Variant | undefined =>
  variants.find(({ language }) => canonical(language) === canonical(wanted)) ??
  variants.find(({ language }) => isNear(language))

const noSourceLang: Problem = {
  message: "the file does not name one source language: give the option sourceLang."
}

interface File {
  readonly text: string
  readonly position: (offset: number) => Position
  readonly options: DecodeOptions
  /** The source language in the header; `undefined` for all. */
  readonly sourceLang: string | undefined
}

const sourceOf = ({ options, sourceLang }: File, unit: XmlElement, variants: ReadonlyArray<Variant>) => {
  const own = attribute(unit, "srclang")
  const wanted = options.sourceLang ?? (own === "*all*" ? undefined : own) ?? sourceLang
  return wanted === undefined
    ? Either.left(noSourceLang)
    : Either.right(
        find(variants, wanted, (language) => isWithin(language, wanted) || isWithin(wanted, language))
      )
}

const notesOf = (unit: XmlElement, source: Variant): string | undefined => {
  const notes = [unit, source.element]
    .flatMap(elements)
    .filter(({ name }) => name === "note")
    .map(({ children }) =>
      children
        .map((child) => ("text" in child ? child.text : ""))
        .join("")
        .trim()
    )
    .filter((note) => note !== "")
  return notes.length === 0 ? undefined : notes.join("\n")
}

/** The variant of the target, laid out as the variant of the source. */
const addVariant = (file: File, unit: XmlElement, source: Variant, content: string): Edit => {
  const { options, text } = file
  const { element, segment } = source
  const own = element.attributes.find(({ name }) => name === "xml:lang" || name === "lang")!
  const before = /\s*$/.exec(text.slice(element.openEnd, segment.start))![0]
  const after = /^\s*/.exec(text.slice(segment.end, element.closeStart))![0]
  const quote = text[own.end - 1]!
  const at = elements(unit).findLast(({ name }) => name === "tuv")!.end
  const written = `<tuv ${own.name}=${quote}${options.targetLang}${quote}>${before}<seg>${content}</seg>${after}</tuv>`
  return { start: at, end: at, text: edit.indentOf(text, element.start) + written }
}

const spanOf = (file: File, unit: XmlElement, key: string): Either.Either<Span | undefined, Problem> => {
  const { options, position, text } = file
  const variants = variantsOf(unit)
  return Either.map(sourceOf(file, unit, variants), (source) => {
    if (source === undefined) return undefined
    const read = (segment: XmlElement, like?: ReadonlyArray<inlineCodes.Piece>) =>
      inlineCodes.read(text, segment, { roleOf, nameOf, like })
    const content = read(source.segment)
    if (!xmlContent.hasLetters(content)) return undefined
    const target = find(
      variants.filter((variant) => variant !== source),
      options.targetLang,
      (language) => isWithin(language, options.targetLang)
    )
    const translation = target && xmlContent.textOf(read(target.segment, content))
    const isTranslated = translation !== undefined && translation !== ""
    const { line } = position(unit.start)
    const found: Unit = {
      key,
      text: xmlContent.textOf(content),
      line,
      state: isTranslated ? "translated" : "missing",
      ...(isTranslated ? { translation } : undefined)
    }
    const raw = text.slice(unit.start, unit.end)
    return {
      start: unit.start,
      end: unit.end,
      units: [found],
      context: notesOf(unit, source),
      write: ([written]) =>
        written === undefined || (isTranslated && written === translation)
          ? Either.right(raw)
          : Either.map(xmlContent.write(content, written), (inner) => {
              const change =
                target === undefined
                  ? addVariant(file, unit, source, inner)
                  : edit.setContent(text, target.segment, inner)
              return applyEdits(text, [change], unit)
            })
    }
  })
}

const notTmx: Problem = {
  line: 1,
  column: 1,
  message: "the file is not TMX: its root element has to be <tmx>, with a <header> and a <body>."
}

/** The parts of a TMX file: one for each unit with a text in the source language. */
export const parse = (text: string, options: DecodeOptions): Either.Either<ReadonlyArray<Part>, Problem> =>
  Either.flatMap(parseXml(text), ({ root }) => {
    const header = elements(root).find(({ name }) => name === "header")
    const body = elements(root).find(({ name }) => name === "body")
    if (root.name !== "tmx" || header === undefined || body === undefined) return Either.left(notTmx)
    const srclang = attribute(header, "srclang")
    const file: File = {
      text,
      position: positions(text),
      options,
      sourceLang: srclang?.toLowerCase() === "*all*" ? undefined : srclang
    }
    const toKey = makeUnique()
    const spans: Array<Span> = []
    for (const [index, unit] of elements(body)
      .filter(({ name }) => name === "tu")
      .entries()) {
      const span = spanOf(file, unit, toKey(attribute(unit, "tuid") ?? `${index + 1}`))
      if (Either.isLeft(span)) return Either.left({ ...file.position(unit.start), ...span.left })
      if (span.right !== undefined) spans.push(span.right)
    }
    return Either.right(toParts(text, spans))
  })
