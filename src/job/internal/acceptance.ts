/** Findings that a person has accepted. The record has a line for each, which holds until its source or its translation changes. */
import type * as Either from "effect/Either"
import { identity } from "effect/Function"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import { shortHash } from "../../internal/hash.js"
import type * as Check from "../../text/Check.js"

const Line = Schema.Struct({
  /** The name of the check. */
  accepted: Schema.String,
  /** The hash of the language, the source and the translation. */
  pair: Schema.String
})

/** An accepted finding of a check, in each text with this source and this translation. */
export interface Accepted extends Schema.Schema.Type<typeof Line> {}

/** True for a line of a record that is an accepted finding. */
export const isLine = (line: string): boolean => line.startsWith(`{"accepted"`)

export const parse: (line: string) => Either.Either<Accepted, ParseResult.ParseError> =
  Schema.decodeUnknownEither(Schema.parseJson(Line))

/** Formats write some whitespace in another way than it came. */
const normalized = (text: string): string => text.trim().replaceAll(/\s+/g, " ")

/** A source and its translation in a language, as a hash. */
export const pairOf = (targetLang: string, source: string, translation: string): string =>
  shortHash([targetLang, normalized(source), normalized(translation)].join("\u0000"))

const idOf = ({ accepted, pair }: Accepted): string => `${accepted} ${pair}`

/** The finding in a text that is not sent for its syntax: it has no translation. */
export const unread: Check.Finding = {
  check: "syntax",
  severity: "warning",
  explanation: "",
  source: [],
  translation: []
}

/** Accepted findings, each once. */
export const distinct = (all: Iterable<Accepted>): ReadonlyArray<Accepted> => [
  ...new Map(Array.from(all, (one) => [idOf(one), one])).values()
]

/** Leaves out the findings in a translation that are accepted. */
export type Filter = (
  findings: ReadonlyArray<Check.Finding>,
  source: string,
  translation: string
) => ReadonlyArray<Check.Finding>

export const filter = (accepted: ReadonlyArray<Accepted> = [], targetLang: string): Filter => {
  if (accepted.length === 0) return identity
  const known = new Set(accepted.map(idOf))
  return (findings, source, translation) => {
    if (findings.length === 0) return findings
    const pair = pairOf(targetLang, source, translation)
    return findings.filter(({ check }) => !known.has(idOf({ accepted: check, pair })))
  }
}
