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
  /** The key of a text in a namespace. */
  readonly keyOf: (namespace: string, text: string) => string
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

/** Keys of a fixed length, for all processes. */
export const hashed: Keys = {
  keyOf: (namespace, text) => hash(namespace + distinct(text)),
  hashOf: (text) => hash(distinct(text))
}

/** Texts as their own keys, for the memory of one process: a hash would take more time than all else. */
export const plain: Keys = {
  keyOf: (namespace, text) => namespace + text,
  hashOf: (text) => text
}
