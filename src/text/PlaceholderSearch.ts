/**
 * Finds the placeholders of a text.
 *
 * @internal
 */

import { memoizedBy } from "../internal/memoizedBy.js"
import type { Range } from "./internal/checks/check.js"
import type { Part } from "./MessageFormat.js"
import { every, type Kind, pattern, tag } from "./PlaceholderPatterns.js"

/** Options for finding placeholders. */
export interface Search {
  readonly kinds?: ReadonlyArray<Kind> | undefined
  readonly patterns?: ReadonlyArray<RegExp> | undefined
  /** The text is markup, of which tags, comments and code are left to the service. */
  readonly tagHandling?: "xml" | "html" | undefined
}

/** The same pattern with the flag `g`, to find all matches. */
export const withGlobalFlag = (pattern: RegExp): RegExp =>
  new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`)

/** Ranges in their order, those that overlap as one. */
const merged = (found: Array<Range>): ReadonlyArray<Range> => {
  const ranges: Array<Range> = []
  for (const range of found.sort((a, b) => a.start - b.start)) {
    const last = ranges.at(-1)
    if (last === undefined || range.start >= last.end) ranges.push(range)
    else if (range.end > last.end) ranges[ranges.length - 1] = { start: last.start, end: range.end }
  }
  return ranges
}

/** The same list each time, as its pattern is known by it. */
const withoutTags = /* #__PURE__ */ memoizedBy(
  (kinds: ReadonlyArray<Kind>): ReadonlyArray<Kind> => kinds.filter((kind) => kind !== "tags")
)

/** All placeholders of a text, and the known ones, in their order. Where several overlap, they are one. */
export const find = (
  text: string,
  { kinds = every, patterns = [], tagHandling }: Search,
  known: ReadonlyArray<Range> = []
): ReadonlyArray<Range> => {
  const builtIn = pattern(tagHandling === undefined ? kinds : withoutTags(kinds))
  const found: Array<Range> = [...known]
  for (const each of [...(builtIn === undefined ? [] : [builtIn]), ...patterns.map(withGlobalFlag)]) {
    for (const { 0: match, index } of text.matchAll(each)) {
      if (match !== "") found.push({ start: index, end: index + match.length })
    }
  }
  const ranges = patterns.length === 0 && known.length === 0 ? found : merged(found)
  return tagHandling === undefined ? ranges : outside(ranges, markup(text))
}

/** True if a text has a placeholder. */
export const has = (text: string, { kinds = every, patterns = [] }: Omit<Search, "tagHandling">): boolean =>
  [pattern(kinds), ...patterns].some((each) => each !== undefined && text.search(each) !== -1)

/** The ranges that touch none of others. Both are in their order. */
export const outside = <R extends Range>(
  ranges: ReadonlyArray<R>,
  others: ReadonlyArray<Range>
): ReadonlyArray<R> => {
  let next = 0
  return ranges.filter(({ end, start }) => {
    while (next < others.length && others[next]!.end <= start) next++
    return next === others.length || others[next]!.start >= end
  })
}

/** Characters that can be seen. Marks of direction around a placeholder, say, can't. */
const visible = /[^\s\p{Cf}]/u

/** True if a text has only these ranges, whitespace and invisible characters. */
export const isCovered = (text: string, ranges: ReadonlyArray<Range>): boolean => {
  let from = 0
  for (const { end, start } of ranges) {
    if (visible.test(text.slice(from, start))) return false
    from = end
  }
  return !visible.test(text.slice(from))
}

const firstOfPlaceholder = /^[\s\p{Cf}]*(?:[{$#%<&@[:!_]|$)/u

/** True if a text has only placeholders and whitespace. */
export const isOnlyPlaceholders = (text: string, search: Search): boolean =>
  (search.patterns !== undefined || firstOfPlaceholder.test(text)) && isCovered(text, find(text, search))

/** The text of all parts, and where their placeholders are in it. */
export const flatten = (
  parts: ReadonlyArray<Part>
): { readonly text: string; readonly known: ReadonlyArray<Range> } => {
  let text = ""
  const known: Array<Range> = []
  for (const part of parts) {
    const start = text.length
    text += part.text
    if (part.placeholder !== undefined) known.push({ start, end: text.length })
  }
  return { text, known }
}

const startOfTag = new RegExp(tag, "y")

/** Elements whose content is no text. */
const code = /<(script|style)(?=[\s>])/iy

/** Where markup hides text from the service: tags, comments, CDATA, scripts and style sheets. Takes linear time. */
const markup = (text: string): ReadonlyArray<Range> => {
  const ends = new Map<string, number>()
  /** Behind the next one of such ends, or the end of the text. Each is looked for once for each time it is passed. */
  const behind = (end: string, from: number): number => {
    let at = ends.get(end) ?? -1
    if (at < from && at !== text.length) {
      const found = text.indexOf(end, from)
      at = found === -1 ? text.length : found
      ends.set(end, at)
    }
    return Math.min(text.length, at + end.length)
  }
  const ranges: Array<Range> = []
  let from = 0
  for (let start = text.indexOf("<"); start !== -1; start = text.indexOf("<", from)) {
    const end = endOfMarkup(text, start, behind)
    from = end ?? start + 1
    if (end !== undefined) ranges.push({ start, end })
  }
  return ranges
}

const endOfMarkup = (
  text: string,
  start: number,
  behind: (end: string, from: number) => number
): number | undefined => {
  if (text.startsWith("<!--", start)) return behind("-->", start + 4)
  if (text.startsWith("<![CDATA[", start)) return behind("]]>", start + 9)
  if (text[start + 1] === "!" || text[start + 1] === "?") return behind(">", start)
  startOfTag.lastIndex = start
  const length = startOfTag.exec(text)?.[0].length
  if (length === undefined) return undefined
  code.lastIndex = start
  const element = code.exec(text)?.[1]
  const end = element === undefined ? text.length : behind(`</${element}`, start + length)
  return end === text.length ? start + length : end
}
