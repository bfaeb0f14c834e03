import { make, type Pair, ranges, whole } from "./check.js"

/** Marks of Markdown, where a text has them, and how they are counted: `**bold**`, a code span, a heading. */
const marks: ReadonlyArray<readonly [text: RegExp, mark: RegExp]> = [
  [/\*\*(?=[^\s*])[^*]*\*\*(?!\*)/, /\*\*/g],
  [/(?<![`'\\])`(?=[^\s`'])[^`'\n]*`(?![`'])/, /`/g],
  [/^#{1,6}\s+\S/m, /^#{1,6}(?=\s)/gm]
]

/** Cheaper to look for. */
const anyMark = /\*\*|[`#]/

/** Models set a fence around their answer. */
const fence = /^\s*(?:`{3}|~{3})/

const countOf = (text: string, mark: RegExp): number => text.match(mark)?.length ?? 0

const quotationMark = /["“”„«»「」『』‘‚]|(?<![\p{L}\p{N}])['’]|['’](?![\p{L}\p{N}])/gu

/** Some translators set quotation marks instead. */
const isQuoted = ({ source, translation }: Pair): boolean =>
  countOf(translation, quotationMark) > countOf(source, quotationMark)

export const markup = make(
  {
    name: "markup",
    severity: "warning",
    explanation: "The translation has lost marks of Markdown, or is within a code fence."
  },
  (pair) => {
    const { source, translation } = pair
    const fenced = fence.test(translation) && !fence.test(source)
    if (!fenced && !anyMark.test(source)) return undefined
    const lost = marks.flatMap(([text, mark]) =>
      text.test(source) && countOf(source, mark) !== countOf(translation, mark) && !isQuoted(pair)
        ? ranges(source, mark)
        : []
    )
    return fenced || lost.length > 0
      ? { source: lost, translation: fenced ? whole(translation) : [] }
      : undefined
  }
)
