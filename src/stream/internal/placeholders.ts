/** A place in a text: from `start` up to, but not including, `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** Balanced braces, so many levels deep. What a match may hold is bounded by braces: a search takes linear time. */
const balanced = (levels: number): string =>
  `\\{[^{}]*${levels === 0 ? "" : `(?:${balanced(levels - 1)}[^{}]*)*`}\\}`

const types = "plural|select|selectordinal|number|date|time|spellout|ordinal|duration|choice|list"

/** What programs put other texts in place of, or take for markup. */
const sources = {
  braces: [
    // {{x}}, {{{x}}}
    "\\{\\{\\{?[^{}]*\\}\\}\\}?",
    // {count, plural, one {# file} other {# files}}
    `\\{\\s*[^\\s{},]+\\s*,\\s*(?:${types})\\b[^{}]*(?:${balanced(8)}[^{}]*)*\\}`,
    // {name}, {0}, {0:yyyy-MM-dd HH:mm}, ${x}, %{x}, #{x}
    "[$#%]?\\{\\s*[^\\s{}:]+(?::[^\\s{}][^{}]*)?\\s*\\}",
    // ${count > 1 ? "many" : "one"}
    `[$#]${balanced(8)}`
  ],
  printf: [
    // %s, %1$s, %-10.2f, %lld, %@, %(name)s, %%
    "%(?:\\d{1,4}\\$|\\([^()\\s]*\\))?[-+#0]{0,4}(?:\\d{1,4}|\\*)?(?:\\.(?:\\d{1,4}|\\*))?(?:hh|h|ll|l|q|L|j|z|t)?[diouxXeEfFgGaAcCsSpn@]",
    "%%"
  ],
  tags: [
    // <b>, </b>, <a href="x">, <br/>
    "<\\/?[A-Za-z][^\\s<>\"',]*(?:\\s[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)?>",
    // <0>, </0>
    "<\\/?\\d+\\s*\\/?>",
    // <!-- note -->, <?php ?>
    "<[!?][^<>]*>"
  ]
}

/** The kinds of placeholders that are known. */
export type Kind = keyof typeof sources

const pattern = (kinds: ReadonlyArray<Kind>): RegExp | undefined =>
  kinds.length === 0 ? undefined : new RegExp(kinds.flatMap((kind) => sources[kind]).join("|"), "g")

const all = pattern(["braces", "printf", "tags"])

/** The same pattern with the flag `g`, to find all matches. */
export const withGlobalFlag = (pattern: RegExp): RegExp =>
  new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`)

/** All placeholders of a text, in their order. Where matches of several patterns overlap, they are one. */
export const find = (
  text: string,
  kinds: ReadonlyArray<Kind> | undefined,
  patterns: ReadonlyArray<RegExp>
): ReadonlyArray<Range> => {
  const known = kinds === undefined ? all : pattern(kinds)
  const found: Array<Range> = []
  for (const each of [...(known === undefined ? [] : [known]), ...patterns.map(withGlobalFlag)]) {
    for (const { 0: match, index } of text.matchAll(each)) {
      if (match !== "") found.push({ start: index, end: index + match.length })
    }
  }
  if (patterns.length === 0) return found
  const merged: Array<Range> = []
  for (const range of found.sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1)
    if (last === undefined || range.start >= last.end) merged.push(range)
    else if (range.end > last.end) merged[merged.length - 1] = { start: last.start, end: range.end }
  }
  return merged
}
