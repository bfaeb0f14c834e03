import type * as Effect from "effect/Effect"

/**
 * Where something stands in a text: from `start` to before `end`, in UTF-16 code units.
 *
 * @since 0.1.0
 * @category models
 */
export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * A text, its translation, and known facts about them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Pair {
  readonly source: string
  readonly translation: string
  /** A code of the service, such as `en`. `undefined` if neither the caller nor the service has said it. */
  readonly sourceLang: string | undefined
  /** A code of the service, such as `pt-BR`. */
  readonly targetLang: string
  /** The ranges of the source that have to stand in the translation as they are. */
  readonly placeholders?: ReadonlyArray<Range> | undefined
  /** Entries of the glossary that was used, source to target. */
  readonly glossary?: ReadonlyMap<string, string> | undefined
  /** The most that the translation may have, in characters (code points), where its file says so. */
  readonly maxCharacters?: number | undefined
}

/**
 * Something that looks wrong.
 *
 * @since 0.1.0
 * @category models
 */
export interface Finding {
  /** The name of the check. */
  readonly check: string
  /** `error` if the translation is of no use as it is. */
  readonly severity: "error" | "warning"
  /** The fault, in a sentence without a word of the texts. */
  readonly explanation: string
  /** The ranges of the source with the fault. */
  readonly source: ReadonlyArray<Range>
  /** The ranges of the translation with the fault. */
  readonly translation: ReadonlyArray<Range>
}

/**
 * A pure function from a pair to its findings, under a name; or one that asks somebody.
 *
 * @since 0.1.0
 * @category models
 */
export interface Check {
  readonly name: string
  /**
   * Raised once it finds something else in the same pairs: what it has found of unchanged outputs is remembered until then.
   * @default nothing of it is remembered
   */
  readonly version?: string | undefined
  readonly find: (pair: Pair) => ReadonlyArray<Finding>
  /** The questions of a check that asks somebody: see `Check.effect`. @default `find` knows all */
  readonly asking?: Asking | undefined
}

/**
 * A translation that a check which asks somebody is to look at.
 *
 * @since 0.1.0
 * @category models
 */
export interface Question {
  readonly pair: Pair
  /** False for a translation that was there before: nobody is asked, and it has a stored verdict or none. */
  readonly mayAsk: boolean
}

/**
 * A check that has not looked at a translation: it has failed, or was not asked, as the translation was there before.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unasked {
  readonly check: string
  /** The tag or the name of its error. @default it was not asked */
  readonly reason?: string | undefined
}

/**
 * The answer about a translation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verdict {
  readonly findings: ReadonlyArray<Finding>
  /** The checks that have not looked at it. */
  readonly unasked: ReadonlyArray<Unasked>
}

/**
 * The verdicts that were given before, by hashes of all that they depend on: a `TranslationStore`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Verdicts<E> {
  readonly verdicts: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string | undefined>, E>
  readonly judge: (
    verdicts: Iterable<{ readonly key: string; readonly verdict: string }>
  ) => Effect.Effect<void, E>
}

/**
 * The questions of a check that asks somebody.
 *
 * @since 0.1.0
 * @category models
 */
export interface Asking {
  /** The verdicts on translations, in their order: those that were given before, and answers for the others, which are kept. */
  readonly judge: <E>(
    questions: ReadonlyArray<Question>,
    known: Verdicts<E> | undefined
  ) => Effect.Effect<ReadonlyArray<Verdict>, E>
}

/** Makes the checks that are built in: each reports at most one finding, with all places in it. */

/** Where something is wrong. */
export interface Places {
  readonly source: ReadonlyArray<Range>
  readonly translation: ReadonlyArray<Range>
}

const nothing: ReadonlyArray<Finding> = []

export const make = (
  {
    explanation,
    name,
    severity,
    version = "1"
  }: Pick<Finding, "severity" | "explanation"> & Pick<Check, "name" | "version">,
  places: (pair: Pair) => Places | undefined
): Check => ({
  name,
  version,
  find: (pair) => {
    const found = places(pair)
    return found === undefined ? nothing : [{ check: name, severity, explanation, ...found }]
  }
})

export const whole = (text: string): ReadonlyArray<Range> =>
  text === "" ? [] : [{ start: 0, end: text.length }]

/** Both texts, from end to end. */
export const everything = ({ source, translation }: Pair): Places => ({
  source: whole(source),
  translation: whole(translation)
})

/** Where a pattern with the flag `g` matches. Two thirds of the time of `matchAll`, which makes another pattern of it. */
export const ranges = (text: string, pattern: RegExp): Array<Range> => {
  const found: Array<Range> = []
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const end = match.index + match[0].length
    found.push({ start: match.index, end })
    if (match[0] === "") pattern.lastIndex = end + 1
  }
  return found
}

/** The number of times that a text is searched for a part of the other: a check takes time in proportion to the texts. */
export const mostSearched = 100

/** A range that has to be in both texts. */
export interface Found extends Range {
  /** Equal if it is the same in both. */
  readonly key: string
}

/** Those that are not among others as well, one for one. */
export const without = (all: ReadonlyArray<Found>, others: ReadonlyArray<Found>): ReadonlyArray<Found> => {
  const counts = new Map<string, number>()
  for (const { key } of others) counts.set(key, (counts.get(key) ?? 0) + 1)
  return all.filter(({ key }) => {
    const count = counts.get(key) ?? 0
    counts.set(key, count - 1)
    return count <= 0
  })
}

export const range = ({ end, start }: Range): Range => ({ start, end })

/**
 * True if a pattern with the flag `g` finds the same in both texts, in the same order. Cheaper than comparing its
 * matches.
 */
export const isSameIn = ({ source, translation }: Pair, pattern: RegExp): boolean => {
  const expected = source.match(pattern)
  const actual = translation.match(pattern)
  return expected === null || actual === null
    ? expected === actual
    : expected.length === actual.length && expected.every((match, index) => match === actual[index])
}
