/**
 * The keys by which texts are found.
 *
 * @internal
 */
import { hash } from "../internal/hash.js"
import { hasLoneSurrogate } from "../internal/utf8.js"
import type { Namespace } from "./internal/storeModels.js"

/** Keys for texts. */
export interface Keys {
  /** The key of a text in a namespace, translated with terms of a glossary or none. */
  readonly keyOf: (namespace: string, text: string, terms?: string) => string
  /** The part of a key that is the same for all terms. */
  readonly baseOf: (key: string) => string
  /** The hash of the terms of a key, if it is none of a text without terms, whose key is given. */
  readonly termsOf: (key: string, keyWithout: string) => string | undefined
  /** The hash of a text in corrections. */
  readonly hashOf: (text: string) => string
}

/** The id of a namespace: a hash over its fields in a fixed order. */
export const namespaceId = ({
  account,
  endpoint,
  service,
  settings,
  sourceLang,
  targetLang
}: Namespace): string =>
  hash(JSON.stringify([endpoint, service, account, sourceLang ?? null, targetLang ?? null, settings]))

/** UTF-8 has no bytes for half of a surrogate pair: a text with one would get the hash of another text. */
const distinct = (text: string): string => (hasLoneSurrogate(text) ? `j${JSON.stringify(text)}` : `t${text}`)

/** Digits of the half of a hashed key, and of the hash of terms. */
const half = 16

/** Digits of a half, of which some are flipped: twice the same are again the first ones. */
const flipped = (digits: string, by: string): string =>
  (BigInt(`0x${digits}`) ^ BigInt(`0x${by}`)).toString(16).padStart(half, "0")

/**
 * Keys of a fixed length, for all processes. Terms change their second half alone, so that all translations of a text lie side by side
 * in an index.
 */
export const hashed: Keys = {
  keyOf: (namespace, text, terms) => {
    const key = hash(namespace + distinct(text))
    return terms === undefined ? key : key.slice(0, half) + flipped(key.slice(half), terms)
  },
  baseOf: (key) => key.slice(0, half),
  termsOf: (key, keyWithout) =>
    key === keyWithout ? undefined : flipped(key.slice(half), keyWithout.slice(half)),
  hashOf: (text) => hash(distinct(text))
}

/** The character before the terms of a plain key, which begins with the digits of a namespace otherwise. */
const mark = "\u0000"

/** Texts as their own keys, for the memory of one process: a hash would take more time than all else. */
export const plain: Keys = {
  keyOf: (namespace, text, terms) =>
    terms === undefined ? namespace + text : mark + terms + namespace + text,
  baseOf: (key) => (key.startsWith(mark) ? key.slice(mark.length + half) : key),
  termsOf: (key) => (key.startsWith(mark) ? key.slice(mark.length, mark.length + half) : undefined),
  hashOf: (text) => text
}
