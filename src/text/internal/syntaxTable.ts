/** The syntax that texts may hold: a row for each, with its patterns, each of which takes linear time. */

/** Where texts are from: programs read catalogues, people documents, and rows hold whatever people write. */
export type Place = "catalogue" | "document" | "rows"

/**
 * The treatment of a syntax: `protected` comes back as it was, and so does a `reference` to another text; a `message` is translated branch by
 * branch where a message format reads it; nothing here reads what is `unread`.
 */
export type Treatment = "protected" | "reference" | "message" | "unread"

export interface Row {
  /** For messages and documents. */
  readonly example: string
  readonly patterns: ReadonlyArray<string>
  /** @default "protected" */
  readonly treatment?: Treatment | undefined
  /** Where texts are read by it without being asked. @default nowhere */
  readonly knownIn?: ReadonlyArray<Place> | undefined
  /** The catalogues that are of its framework, by their paths. @default none */
  readonly paths?: RegExp | undefined
  /** Where it is told if it is not read: it can't be prose there. @default nowhere */
  readonly toldIn?: ReadonlyArray<Place> | undefined
  /** The advice for having it read. @default that it is protected if one asks for it */
  readonly advice?: string | undefined
}

/** Balanced braces, `levels` levels deep. A match is bounded by braces: a search takes linear time. */
const balanced = (levels: number): string =>
  `\\{[^{}]*${levels === 0 ? "" : `(?:${balanced(levels - 1)}[^{}]*)*`}\\}`

const types = "plural|select|selectordinal|number|date|time|spellout|ordinal|duration|choice|list"

/** <b>, </b>, <a href="x">, <br/> */
export const tag = "<\\/?[A-Za-z][^\\s<>\"',]*(?:\\s[^<>\"']*(?:(?:\"[^\"<]*\"|'[^'<]*')[^<>\"']*)*)?>"

const conversion = "(?:hh|h|ll|l|q|L|j|z|t)?[diouxXeEfFgGaAcCsSpn@]"

/** %s, %1$s, %-10.2f, %lld, %@, %(name)s: behind the percent sign. */
const printf = `(?:\\d{1,4}\\$|\\([^()\\s]*\\))?[-+#0]{0,4}(?:\\d{1,4}|\\*)?(?:\\.(?:\\d{1,4}|\\*))?${conversion}`

const letter = "[A-Za-z\\u00c0-\\u024f]"

const everywhere: ReadonlyArray<Place> = ["catalogue", "document", "rows"]
/** Markdown has other uses for brackets, and its dialects for braces. */
const exceptDocuments: ReadonlyArray<Place> = ["catalogue", "rows"]
const catalogues: ReadonlyArray<Place> = ["catalogue"]

const rows = {
  liquid: {
    example: "{% x %}",
    patterns: ["\\{%[^{}%]*(?:%(?!\\})[^{}%]*)*%\\}"],
    knownIn: everywhere,
    toldIn: everywhere
  },
  erb: {
    example: "<%= x %>",
    patterns: ["<%(?=[=#@_\\s-])[^%<]*(?:%(?!>)[^%<]*)*%>"],
    knownIn: everywhere,
    toldIn: everywhere
  },
  "vue-i18n": {
    example: "@:key",
    patterns: [
      "@(?<![\\w@]@)(?:\\.[A-Za-z]+)?:(?:\\([^()\\s]+\\)|\\{[^{}\\s]*\\}|[A-Za-z_][\\w-]*(?:\\.[\\w-]+)*)",
      "\\{\\s?'[^'{}]*'\\s?\\}",
      "\\{'[{}]'\\}"
    ],
    treatment: "reference",
    knownIn: everywhere,
    toldIn: everywhere
  },
  i18next: {
    example: "$t(key)",
    patterns: ["\\$t\\([^()]*(?:\\([^()]*\\)[^()]*)*\\)"],
    treatment: "reference",
    knownIn: everywhere,
    toldIn: everywhere
  },
  "home-assistant": {
    example: "[%key:x%]",
    patterns: ["\\[%[^%\\[\\]]*%\\]"],
    treatment: "reference",
    knownIn: everywhere,
    toldIn: everywhere
  },
  shortcodes: {
    example: '[name id="3"]',
    patterns: [
      "\\[[A-Za-z][\\w-]*(?:\\s+[\\w-]+=(?:\"[^\"\\[\\]]*\"|'[^'\\[\\]]*'|[^\\s\"'\\[\\]]+))+\\s*\\/?\\]",
      "\\[\\/[A-Za-z][\\w-]*\\]",
      "\\[(?<![\\w\\])]\\[)(?:b|i|u|s|url|img|quote|code|color|size|list)(?:=[^\\[\\]]*)?\\]"
    ],
    knownIn: exceptDocuments,
    toldIn: catalogues
  },
  mf2: {
    example: "{$name :number}",
    patterns: ["\\{\\s*[$:#/][\\w-]+(?:\\s[^{}]*)?\\}"],
    knownIn: exceptDocuments,
    toldIn: catalogues
  },
  percent: {
    example: "%name%",
    // Not the beginning of %dx%d.
    patterns: ["%(?<!\\d%)[A-Za-z_][\\w.-]{1,63}%(?![\\w%$(@.*+-])"],
    knownIn: exceptDocuments,
    toldIn: catalogues
  },
  dollars: { example: "$name$", patterns: ["\\$(?<![\\w$]\\$)[A-Za-z_]\\w{0,63}\\$"], knownIn: catalogues },
  underscores: {
    example: "__name__",
    patterns: ["__(?<!\\w__)[A-Za-z]\\w{0,63}?__(?!\\w)"],
    knownIn: catalogues
  },
  laravel: {
    example: ":name",
    // Not the `[:ss]` of HH:MM[:ss].
    patterns: [":(?<!(?:[\\w:)\\]}]|[\\w\\]]\\[):)[A-Za-z_]\\w+(?![\\w:])"],
    paths: /(?:^|[\\/])lang[\\/](?:vendor[\\/][\w.-]+[\\/])?[A-Za-z]{2,3}(?:[_-]\w+)*\.json$/,
    toldIn: catalogues
  },
  drupal: {
    example: "@name",
    patterns: ["[@!](?<![\\w@!.][@!])[a-z][\\w-]*", "%(?<!\\d%)[a-z][a-z_-]{3,}"]
  },
  rst: {
    example: ":role:`x`",
    patterns: [
      // Roles, of which the text before a target is translated.
      ":[A-Za-z][\\w.+:-]{0,40}:`[^`<>\\n]*`",
      ":[A-Za-z][\\w.+:-]{0,40}:`(?=[^`<\\n]*<[^`<>\\n]+>`)",
      "<[^`<>\\n]+>`_{0,2}",
      "``[^`\\n]+``"
    ],
    treatment: "reference"
  },
  variables: {
    example: "$name",
    patterns: ["\\$(?<![\\w$]\\$)[A-Za-z_]\\w{2,63}(?![\\w$(])", "\\$\\([A-Za-z_][\\w.]*\\)"],
    knownIn: catalogues
  },
  braces: {
    example: "{name}",
    patterns: [
      // {{x}}, {{{x}}}
      "\\{\\{\\{?[^{}]*\\}\\}\\}?",
      // {count, plural, one {# file} other {# files}}
      `\\{\\s*[^\\s{},]+\\s*,\\s*(?:${types})\\b[^{}]*(?:${balanced(8)}[^{}]*)*\\}`,
      // {name}, {0}, {0:yyyy-MM-dd HH:mm}, ${x}, %{x}, #{x}
      "[$#%]?\\{\\s*[^\\s{}:]+(?::[^\\s{}][^{}]*)?\\s*\\}",
      // ${count > 1 ? "many" : "one"}
      `[$#]${balanced(8)}`
    ]
  },
  printf: {
    example: "%s",
    patterns: [
      // Prose has 20%ige, 5%discount and %50eko.
      `%(?<!\\d[ \\u00a0\\u202f]?%)(?![1-9]\\d{0,3}${conversion}${letter})${printf}`,
      `%(?<=\\d[ \\u00a0\\u202f]?%)${printf}(?!${letter})`,
      "%%"
    ]
  },
  tags: {
    example: "<b>",
    patterns: [
      tag,
      // <0>, </0>
      "<\\/?\\d+\\s*\\/?>",
      // <!-- note -->, <?php ?>
      "<[!?][^<>]*>",
      // &nbsp;, &#39;, &#x27;
      "&(?:[A-Za-z][A-Za-z\\d]{1,31}|#\\d{1,7}|#[xX][\\dA-Fa-f]{1,6});"
    ]
  },
  "c-format": { example: "%i", patterns: [`%${printf}`, "%%"] },
  icu: {
    example: "{n, plural, …}",
    patterns: ["\\{\\s*[^\\s{},]+\\s*,\\s*(?:plural|select|selectordinal|choice)\\s*,"],
    treatment: "message",
    toldIn: everywhere,
    advice: "read it as an ICU message with `other` (placeholders.messageFormat, or formats formatjs and arb)"
  },
  plurals: {
    example: "{0} a|{1} b",
    patterns: [
      "^\\s*(?:\\{\\d+\\}|[\\[\\]]-?(?:\\d+|Inf),-?(?:\\d+|Inf|\\*)[\\[\\]])[^|A-Za-z]*[A-Za-z][^|]*\\|\\s*(?:\\{\\d|[\\[\\]]-?(?:\\d|Inf))"
    ],
    treatment: "unread",
    toldIn: everywhere,
    advice: "write a text for each form"
  },
  expressions: {
    example: "{a | b}",
    // The synopsis of a command has { A | B | --all }.
    patterns: [
      "\\{[^{}|]*(?:[$#=()]|::|\\s[<>?]\\s)[^{}|]*\\}",
      "\\{\\s*[a-z_$][\\w.]*\\s*\\|\\s*[a-z][^{}|<]*\\}"
    ],
    treatment: "unread",
    toldIn: catalogues
  },
  marks: {
    example: "##name##",
    patterns: [
      "(?:##[A-Za-z_][\\w.-]*##|%%[A-Za-z_][\\w.-]+%%|@@[A-Za-z_][\\w.-]*@@|#[A-Za-z_]\\w*#)",
      "\\[\\[[A-Za-z_][\\w. |-]*\\]\\]",
      "<<[A-Za-z_][\\w-]*>>",
      "\\*\\|[\\w: ]+\\|\\*"
    ],
    treatment: "unread",
    toldIn: catalogues
  },
  macros: {
    example: "NAME_X(text)",
    patterns: ["[A-Z](?<!\\w[A-Z])[A-Z\\d]+_[A-Z\\d_]{2,}\\([^()]*\\)"],
    treatment: "unread",
    toldIn: ["catalogue", "document"],
    advice: "protect its name (--protect /NAME_X/)"
  }
} as const satisfies Readonly<Record<string, Row>>

/** The name of a syntax. */
export type Name = keyof typeof rows

export const table: Readonly<Record<Name, Row>> = rows

export const names = Object.keys(rows) as ReadonlyArray<Name>
