/**
 * The terms of a glossary that a text holds: its translation depends on these alone.
 *
 * @internal
 */
import { canonicalJson, hash, shortHash } from "../internal/hash.js"
import { termsIn } from "./internal/checks/glossary.js"

/** The entries of a glossary for a pair of languages, source to target. */
export type Terms = ReadonlyMap<string, string>

/**
 * The terms that a text holds in any of their forms, and their translations, in an order of their own. By the matcher of `Check.glossary`,
 * for which forms of a term do not count: a text that is sent once too often costs little, and a finding too many costs a person's time.
 */
export const find: (
  terms: Terms,
  text: string
) => ReadonlyArray<readonly [term: string, translation: string]> = termsIn

/** Makes the hash of the terms that a text holds, as many digits as the half of a key of a store; `undefined` if it holds none. */
export const hasher =
  (terms: Terms): ((text: string) => string | undefined) =>
  (text) => {
    const held = termsIn(terms, text)
    return held.length === 0 ? undefined : shortHash(canonicalJson(held))
  }

/** The hash of all terms. */
export const hashOf = (terms: Terms): string =>
  hash(canonicalJson(Array.from(terms).sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))))
