/**
 * The patterns of placeholders, as regular expressions.
 *
 * @internal
 */

/** Balanced braces, `levels` levels deep. A match is bounded by braces: a search takes linear time. */
const balanced = (levels: number): string =>
  `\\{[^{}]*${levels === 0 ? "" : `(?:${balanced(levels - 1)}[^{}]*)*`}\\}`

const types = "plural|select|selectordinal|number|date|time|spellout|ordinal|duration|choice|list"

/** <b>, </b>, <a href="x">, <br/> */
export const tag = "<\\/?[A-Za-z][^\\s<>\"',]*(?:\\s[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)?>"

/** Pieces that programs replace by other texts, or take for markup. */
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
    tag,
    // <0>, </0>
    "<\\/?\\d+\\s*\\/?>",
    // <!-- note -->, <?php ?>
    "<[!?][^<>]*>",
    // &nbsp;, &#39;, &#x27;
    "&(?:[A-Za-z][A-Za-z\\d]{1,31}|#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6});"
  ]
}

/** The kinds of placeholders that are known. */
export type Kind = keyof typeof sources

export const every: ReadonlyArray<Kind> = ["braces", "printf", "tags"]

/** Finds all placeholders of these kinds; `undefined` for none. */
export const pattern = (kinds: ReadonlyArray<Kind>): RegExp | undefined =>
  kinds.length === 0 ? undefined : new RegExp(kinds.flatMap((kind) => sources[kind]).join("|"), "g")

/** Finds all placeholders. */
export const all = pattern(every)!
