import type { Choice } from "./choice.js"

/**
 * The fault of a file, with advice: a format's share of a `FormatError`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Problem {
  /** Counts from 1. */
  readonly line?: number | undefined
  /** Counts UTF-16 units from 1. */
  readonly column?: number | undefined
  readonly key?: string | undefined
  /** The choice that is at fault, if one is and not the file. */
  readonly choice?: Choice | undefined
  /** A clause in lower case with advice, such as `"a string is not closed: add the closing quote."`. Never holds a text. */
  readonly message: string
}
