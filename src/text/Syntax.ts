/**
 * The syntax that texts may hold: placeholders, references to other texts, messages with branches. What is known of it is protected, what is
 * not understood is told.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { memoizedBy } from "../internal/memoizedBy.js"
import { is, TaggedError } from "../internal/taggedError.js"
import type { Range } from "./internal/checks/check.js"
import * as table from "./internal/syntaxTable.js"
import type * as MessageFormat from "./MessageFormat.js"
import { pattern } from "./PlaceholderPatterns.js"
import * as PlaceholderSearch from "./PlaceholderSearch.js"

/**
 * The name of a syntax:
 * `braces`, `{name}`, `{0:N2}`, `{{x}}`, `${x}`, `%{x}`, arguments of ICU messages;
 * `percent`, `%name%`; `printf`, `%s`, `%1$s`, `%.2f`, `%@`, `%(x)s`, `%%`, but not `20%ige` and `5%discount`, which `c-format` takes too;
 * `tags`, `<b>`, `<br/>`, `<0>`, `<!-- x -->`, `&nbsp;`;
 * `liquid`, `{% x %}`; `erb`, `<%= x %>`; `mf2`, `{$x :number}`, `{#if x}`;
 * `i18next`, `$t(key, { x })`; `vue-i18n`, `@:key`, `@.lower:key`, `{'@'}`; `home-assistant`, `[%key:x%]`;
 * `shortcodes`, `[name id="3"]`, `[/name]`; `dollars`, `$name$`; `underscores`, `__name__`; `variables`, `$name`, `$(name)`;
 * `laravel`, `:name`; `drupal`, `@name`, `!name`, `%name`; `rst`, roles and links of reStructuredText;
 * `icu`, `{n, plural, …}`; `plurals`, `{0} a|{1} b`; `expressions`, `{a | b}`; `marks`, `##name##`, `[[name]]`, `*|NAME|*`;
 * `macros`, `NAME_X(text)`.
 *
 * @since 0.1.0
 * @category models
 */
export type Name = table.Name

/**
 * All names.
 *
 * @since 0.1.0
 * @category constants
 */
export const names: ReadonlyArray<Name> = table.names

/**
 * Where texts are from: a program reads those of a `catalogue`, a person those of a `document`; `rows` of tables and lines hold what anybody
 * writes. In rows only what can't be prose is syntax.
 *
 * @since 0.1.0
 * @category models
 */
export type Place = table.Place

/**
 * The treatment of a syntax: `protected` comes back as it was, and so does a `reference` to another text; a `message` is translated branch by
 * branch where a message format reads it; nothing here reads what is `unread`.
 *
 * @since 0.1.0
 * @category models
 */
export type Treatment = table.Treatment

/**
 * The syntax by which texts of a place are read without being asked. The kinds of placeholders `braces`, `printf` and `tags` are no part
 * of it.
 *
 * @since 0.1.0
 * @category combinators
 */
export const knownIn = (place: Place): ReadonlyArray<Name> =>
  names.filter((name) => table.table[name].knownIn?.includes(place))

/**
 * The syntax of the framework that a catalogue is of, by its path: `laravel` for `lang/en.json`.
 *
 * @since 0.1.0
 * @category combinators
 */
export const knownAt = (path: string): ReadonlyArray<Name> =>
  names.filter((name) => table.table[name].paths?.test(path))

/**
 * A syntax by its name, or a pattern between slashes such as `/\bACME\b/i`. Left says what is wrong.
 *
 * @since 0.1.0
 * @category constructors
 */
export const fromText = (given: string): Either.Either<Name | RegExp, string> => {
  const [, source, flags] = /^\/(.+)\/([a-z]*)$/s.exec(given) ?? []
  if (source !== undefined) {
    return Either.try({
      try: () => new RegExp(source, flags),
      catch: () => `${given} is no pattern: write a regular expression, such as /\\bACME\\b/.`
    })
  }
  const name = names.find((name) => name === given)
  return name === undefined
    ? Either.left(
        `no syntax has the name ${JSON.stringify(given)}. There are ${names.join(", ")}, and patterns such as /\\bACME\\b/.`
      )
    : Either.right(name)
}

/**
 * The placeholders of texts that are rows, for the option `placeholders` of streams: those that can't be prose. Texts without are sent as
 * they are.
 *
 * @since 0.1.0
 * @category constants
 */
export const ofRows: { readonly kinds: ReadonlyArray<Name>; readonly apart: true } = {
  kinds: /* #__PURE__ */ ["braces", "printf", "tags", ...knownIn("rows")],
  apart: true
}

/**
 * The way in which texts are read.
 *
 * @since 0.1.0
 * @category models
 */
export interface Reading {
  /** Where the texts are from. */
  readonly place: Place
  /** The syntax that is protected. @default `braces`, `printf`, `tags` and what is known in rows */
  readonly kinds?: ReadonlyArray<Name> | undefined
  /** Further syntax that is protected. @default nothing */
  readonly patterns?: ReadonlyArray<RegExp> | undefined
  /** The format that messages are read by. @default none */
  readonly messageFormat?: MessageFormat.MessageFormat | undefined
}

/**
 * A piece of syntax in a text: where it is, in UTF-16 code units.
 *
 * @since 0.1.0
 * @category models
 */
export interface Found extends Range {
  /** Its name; `undefined` for one of the caller's patterns. */
  readonly syntax: Name | undefined
  /** False if nothing reads it: to translate the text would be to translate it too. */
  readonly isUnderstood: boolean
}

const patternsOf = new Map<Name, RegExp>()

const patternOf = (name: Name): RegExp => {
  const found = patternsOf.get(name) ?? pattern([name])!
  patternsOf.set(name, found)
  return found
}

const matches = (text: string, pattern: RegExp): ReadonlyArray<Range> =>
  Array.from(text.matchAll(pattern), ({ 0: match, index }) => ({ start: index, end: index + match.length }))

/** The ranges that lie in none of others. Both are in their order, and none overlaps another of its list. */
const outsideOf = (ranges: ReadonlyArray<Range>, others: ReadonlyArray<Range>): ReadonlyArray<Range> => {
  let next = 0
  return ranges.filter(({ end, start }) => {
    while (next < others.length && others[next]!.end < end) next++
    return next === others.length || others[next]!.start > start
  })
}

/** The syntax that is told where it is found. */
interface Told {
  readonly names: ReadonlyArray<Name>
  /** Finds any of it. */
  readonly any: RegExp | undefined
}

const toldBy = (place: Place) =>
  memoizedBy((kinds: ReadonlyArray<Name>): Told => {
    const told = names.filter(
      (name) => table.table[name].toldIn?.includes(place) === true && !kinds.includes(name)
    )
    return { names: told, any: pattern(told) }
  })

/** Texts are read by the thousand, with the same list of kinds. */
const toldIn: Readonly<Record<Place, (kinds: ReadonlyArray<Name>) => Told>> = {
  catalogue: /* #__PURE__ */ toldBy("catalogue"),
  document: /* #__PURE__ */ toldBy("document"),
  rows: /* #__PURE__ */ toldBy("rows")
}

/** The syntax in a text that nothing reads, in the order of the table. */
const unread = (text: string, reading: Reading): ReadonlyArray<Found> => {
  const { kinds = ofRows.kinds, messageFormat, patterns, place } = reading
  const told = toldIn[place](kinds)
  if (told.any === undefined || text.search(told.any) === -1) return []
  let known: ReadonlyArray<Range> | undefined
  return told.names.flatMap((name) => {
    const found = matches(text, patternOf(name))
    if (found.length === 0) return []
    if (table.table[name].treatment === "message" && messageFormat?.parse(text, {}) !== undefined) return []
    known ??= PlaceholderSearch.find(text, { kinds, patterns })
    const left = table.table[name].treatment === "message" ? found : outsideOf(found, known)
    return left.map((range): Found => ({ ...range, syntax: name, isUnderstood: false }))
  })
}

/**
 * The syntax in a text, in its order. That which is understood and lies within another is no part of it. Takes time in proportion to the
 * text.
 *
 * @since 0.1.0
 * @category combinators
 */
export const find = (text: string, reading: Reading): ReadonlyArray<Found> => {
  const { kinds = ofRows.kinds, patterns = [] } = reading
  const all = PlaceholderSearch.find(text, reading)
  const nameAt = new Map<number, Name>()
  for (const name of kinds)
    for (const { start } of matches(text, patternOf(name))) if (!nameAt.has(start)) nameAt.set(start, name)
  const known = all.map((range): Found => ({ ...range, syntax: nameAt.get(range.start), isUnderstood: true }))
  return [...known, ...unread(text, { ...reading, kinds, patterns })].sort((a, b) => a.start - b.start)
}

/**
 * A text holds syntax that is not understood, so it was not sent: the service would have translated it. The error holds no text.
 *
 * @since 0.1.0
 * @category errors
 */
export class NotUnderstood extends TaggedError<NotUnderstood>()(
  "NotUnderstood",
  {
    /** The name of the syntax: see {@link Name}. */
    syntax: Schema.Literal(...table.names),
    /** The number of UTF-16 code units before it in the text. */
    offset: Schema.Number
  },
  ({ offset, syntax }) => {
    const { advice = `protect it (--protect ${syntax})`, example } = table.table[syntax]
    return `The text holds what looks like ${example} (${syntax}) at character ${offset + 1}, and nothing reads it here, so it was not sent: ${advice}; or, if it is no syntax, accept the text, or translate the file as text (--as-text).`
  }
) {}

/**
 * Returns `true` for a `NotUnderstood`.
 *
 * @since 0.1.0
 * @category guards
 */
export const isNotUnderstood = /* #__PURE__ */ is(NotUnderstood)

/**
 * The error of a text that holds syntax which is not understood: of the first such. `undefined` if there is none.
 *
 * @since 0.1.0
 * @category combinators
 */
export const notUnderstood = (text: string, reading: Reading): NotUnderstood | undefined => {
  const [first] = unread(text, reading)
  return first?.syntax && new NotUnderstood({ syntax: first.syntax, offset: first.start })
}
