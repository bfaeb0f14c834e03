import * as Either from "effect/Either"
import type { Part, Problem, Unit } from "../../Format.js"
import { applyEdits, type Edit } from "../edits.js"
import { positions, type Span, single, toParts } from "../parts.js"
import { hasLetters, isBlank, isHidden, isMarked, isTextAttribute } from "./htmlElements.js"
import { type HtmlStructure, structure } from "./htmlStructure.js"
import { received, restore, sent } from "./htmlText.js"
import { type HtmlToken, tokenize } from "./htmlTokens.js"

interface Document extends HtmlStructure {
  readonly text: string
  readonly lineOf: (offset: number) => number
}

/** Some tokens, and the text around and between them. */
interface Run {
  readonly start: number
  readonly end: number
  /** The first token. */
  readonly first: number
  /** Behind the last token. */
  readonly behind: number
}

/** The longest kept text that the translator sees. */
const longestShown = 100

/** True for a kept piece that is shown to the translator. A script may hold characters that look like mark-up. */
const isShown = (kept: string): boolean => kept.length <= longestShown && !kept.includes("<")

const keyOf = ({ ordinals, tokens }: Document, index: number): string =>
  `${tokens[index]!.name}[${ordinals[index]}]`

/** The index behind an empty element or token that may stand outside of a text; `undefined` if it belongs to the text. */
const behindEmpty = ({ closes, contents, roles, tokens }: Document, index: number): number | undefined => {
  const close = closes[index]!
  if (close < 0) return index + 1
  const isEmpty =
    roles[index] === "keptInline" ? isHidden(tokens[index]!) : contents[close] === contents[index]
  return isEmpty ? close + 1 : undefined
}

/** The text of a run without its surroundings: whitespace, elements without a text, and elements that hold all of it. */
const trim = (document: Document, run: Run): Run => {
  const { closes, opens, roles, text, tokens } = document
  let { behind, end, first, start } = run
  for (;;) {
    while (first < behind && isBlank(text.slice(start, tokens[first]!.start))) {
      const next = behindEmpty(document, first)
      if (next === undefined) break
      start = tokens[next - 1]!.end
      first = next
    }
    while (first < behind && isBlank(text.slice(tokens[behind - 1]!.end, end))) {
      const begin = opens[behind - 1]! < 0 ? behind - 1 : opens[behind - 1]!
      if (behindEmpty(document, begin) === undefined) break
      end = tokens[begin]!.start
      behind = begin
    }
    const holdsAll =
      first < behind &&
      roles[first] === "inline" &&
      closes[first] === behind - 1 &&
      isBlank(text.slice(start, tokens[first]!.start)) &&
      isBlank(text.slice(tokens[behind - 1]!.end, end))
    if (!holdsAll) break
    start = tokens[first]!.end
    end = tokens[behind - 1]!.start
    first++
    behind--
  }
  const inner = text.slice(start, end)
  const blank = inner.length - inner.trimStart().length
  return { start: start + blank, end: start + Math.max(blank, inner.trimEnd().length), first, behind }
}

/** A place of an attribute's text, between its quotes and whitespace. */
interface AttributeText {
  readonly start: number
  readonly end: number
  readonly unit: Unit
  readonly write: (translation: string) => string
}

const writeAttribute =
  (raw: string, quote: string) =>
  (translation: string): string => {
    const text = raw.includes("<") ? received(raw, translation) : translation
    if (quote === "'") return text.replaceAll("'", "&#39;")
    if (quote === '"') return text.replaceAll('"', "&quot;")
    return /^[^\s"'=<>`]+$/.test(text) ? text : `"${text.replaceAll('"', "&quot;")}"`
  }

const attributesOf = (document: Document, index: number): ReadonlyArray<AttributeText> => {
  const token = document.tokens[index]!
  if (token.attributes.length === 0 || isMarked(token)) return []
  return token.attributes.flatMap(({ end, name, start }) => {
    if (!isTextAttribute(token, name)) return []
    const before = /^[^=]*=\s*(["']?)/.exec(document.text.slice(start, end))
    if (before === null) return []
    const quote = before[1]!
    const inner = document.text.slice(start + before[0].length, end - quote.length)
    const raw = inner.trim()
    if (!hasLetters(raw)) return []
    const from = start + before[0].length + inner.length - inner.trimStart().length
    const key = `${keyOf(document, index)}@${name}`
    return [
      {
        start: from,
        end: from + raw.length,
        unit: { key, text: sent(raw), line: document.lineOf(from), state: "missing" as const },
        write: writeAttribute(raw, quote)
      }
    ]
  })
}

const attributeSpans = (document: Document, index: number): ReadonlyArray<Span> =>
  attributesOf(document, index).map(({ write, ...place }) =>
    single(document.text, { ...place, write: (translation) => Either.right(write(translation)) })
  )

/** A piece of the file with some of its attributes written anew, which come in their order. */
const edited = (
  text: string,
  piece: { readonly start: number; readonly end: number },
  edits: ReadonlyArray<Edit>
) => {
  let low = 0
  let high = edits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (edits[middle]!.start < piece.start) low = middle + 1
    else high = middle
  }
  const first = low
  while (low < edits.length && edits[low]!.end <= piece.end) low++
  return applyEdits(text, edits.slice(first, low), piece)
}

/** The text of a run for the translator, and its kept pieces. */
interface Content {
  readonly text: string
  readonly hasLetters: boolean
  readonly kept: ReadonlyArray<{ readonly start: number; readonly end: number }>
  /** The tags in the text. */
  readonly tags: ReadonlyArray<HtmlToken>
  readonly attributes: ReadonlyArray<AttributeText>
}

const contentOf = (document: Document, { behind, end, first, start }: Run): Content => {
  const { closes, roles, text, tokens } = document
  const kept: Array<{ readonly start: number; readonly end: number }> = []
  const tags: Array<HtmlToken> = []
  const attributes: Array<AttributeText> = []
  let written = ""
  let found = false
  let from = start
  const take = (to: number) => {
    const gap = text.slice(from, to)
    found ||= hasLetters(gap)
    written += gap
  }
  for (let index = first; index < behind; index++) {
    const token = tokens[index]!
    take(token.start)
    attributes.push(...attributesOf(document, index))
    if (roles[index] === "keptInline" || token.kind === "comment") {
      const close = token.kind === "comment" ? index : closes[index]!
      kept.push({ start: token.start, end: tokens[close]!.end })
      const shown = close === index + 1 ? text.slice(token.end, tokens[close]!.start) : ""
      const name = `x${kept.length}`
      written += `<${name} translate="no">${isShown(shown) ? shown : ""}</${name}>`
      index = close
    } else {
      tags.push(token)
      written += text.slice(token.start, token.end)
    }
    from = tokens[index]!.end
  }
  take(end)
  return { text: written, hasLetters: found, kept, tags, attributes }
}

const runSpan = (document: Document, run: Run, content: Content, key: string): Span => {
  const { lineOf, text } = document
  const unit: Unit = { key, text: content.text, line: lineOf(run.start), state: "missing" }
  const write = ([translation, ...others]: ReadonlyArray<string | undefined>): Either.Either<
    string,
    Problem
  > => {
    const edits = content.attributes.flatMap(({ end, start, write }, index) => {
      const other = others[index]
      return other === undefined ? [] : [{ start, end, text: write(other) }]
    })
    if (translation === undefined) return Either.right(edited(text, run, edits))
    const pieces = (piece: { readonly start: number; readonly end: number }) => edited(text, piece, edits)
    return restore({
      text: content.text,
      translation,
      kept: content.kept.map(pieces),
      tags: new Map(
        edits.length === 0 ? [] : content.tags.map((tag) => [text.slice(tag.start, tag.end), pieces(tag)])
      )
    })
  }
  return {
    start: run.start,
    end: run.end,
    units: [unit, ...content.attributes.map(({ unit }) => unit)],
    write
  }
}

/** The spans of a text with inline elements, and of their attributes. */
const runSpans = (document: Document, run: Run, toKey: () => string): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  const { closes, roles } = document
  const attributesFrom = (first: number, behind: number) => {
    for (let index = first; index < behind; index++) {
      spans.push(...attributeSpans(document, index))
      if (roles[index] === "keptInline") index = closes[index]!
    }
  }
  const core = trim(document, run)
  const content = contentOf(document, core)
  if (!content.hasLetters) {
    attributesFrom(run.first, run.behind)
    return spans
  }
  attributesFrom(run.first, core.first)
  spans.push(runSpan(document, core, content, toKey()))
  attributesFrom(core.behind, run.behind)
  return spans
}

/** A title holds no elements: its text may be mark-up only in looks. */
const titleSpan = (document: Document, run: Run, key: string): ReadonlyArray<Span> => {
  const inner = document.text.slice(run.start, run.end)
  const raw = inner.trim()
  if (!hasLetters(raw)) return []
  const start = run.start + inner.length - inner.trimStart().length
  return [
    single(document.text, {
      start,
      end: start + raw.length,
      unit: { key, text: sent(raw), line: document.lineOf(start), state: "missing" },
      write: (translation) => {
        const written = received(raw, translation)
        return Either.right(/<\/title/i.test(written) ? sent(translation) : written)
      }
    })
  ]
}

const spansOf = (document: Document): ReadonlyArray<Span> => {
  const { closes, roles, text, tokens } = document
  const spans: Array<Span> = []
  const owners: Array<number> = []
  const runs = new Map<string, number>()
  let start = 0
  let first = 0
  const flush = (index: number) => {
    while (owners.length > 0 && closes[owners.at(-1)!]! < index) owners.pop()
    const end = tokens[index]?.start ?? text.length
    const owner = owners.at(-1)
    const name = owner === undefined ? "text" : keyOf(document, owner)
    const toKey = () => {
      const count = (runs.get(name) ?? 0) + 1
      runs.set(name, count)
      return count === 1 ? name : `${name}#${count}`
    }
    const run: Run = { start, end, first, behind: index }
    if (end <= start) return
    const isTitle = owner !== undefined && tokens[owner]!.name === "title"
    for (const span of isTitle ? titleSpan(document, run, toKey()) : runSpans(document, run, toKey))
      spans.push(span)
  }
  for (let index = 0; index < tokens.length; index++) {
    const role = roles[index]!
    const close = closes[index]!
    if (role === "inline") continue
    if (role === "keptInline") {
      index = close
      continue
    }
    flush(index)
    spans.push(...attributeSpans(document, index))
    start = tokens[index]!.end
    if (role === "keptBlock") {
      const isPaired = document.opens[close] === index
      start = isPaired ? tokens[close]!.end : (tokens[close]?.start ?? text.length)
      index = isPaired ? close : close - 1
    } else if (close >= 0) {
      owners.push(index)
    }
    first = index + 1
  }
  flush(tokens.length)
  return spans
}

/** The parts of a document of HTML, or of a piece of one. */
export const parse = (text: string): Either.Either<ReadonlyArray<Part>, Problem> => {
  const { problem, tokens } = tokenize(text)
  const position = positions(text)
  if (problem !== undefined) {
    return Either.left({ ...position(problem.offset), message: problem.message })
  }
  const document: Document = { ...structure(text, tokens), text, lineOf: (offset) => position(offset).line }
  return Either.right(toParts(text, spansOf(document)))
}
