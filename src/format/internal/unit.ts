import type * as MessageFormat from "../../text/MessageFormat.js"
import type * as Syntax from "../../text/Syntax.js"

/**
 * The state of a unit's translation in the file: none, one to be looked at again, or one that is done.
 *
 * @since 0.1.0
 * @category models
 */
export type State = "missing" | "fuzzy" | "translated"

/**
 * A text to translate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Unit {
  /** Names the unit in its file: a path, an id, a row and a column. No two units of a file have the same. */
  readonly key: string
  /** The text, without the escapes of the format. */
  readonly text: string
  /** The line where it begins, from 1. */
  readonly line: number
  /** The state of the translation in the file. A format that has no place for both is always `missing`. */
  readonly state: State
  /** The translation that the file holds. */
  readonly translation?: string | undefined
  /** The text belongs to another plural form, as the file has none for this one. @default false */
  readonly isOfOtherForm?: boolean | undefined
  /** The most characters (code points) that a translation may have, where the file says so. */
  readonly maxCharacters?: number | undefined
}

/**
 * Placeholders that are not translated, as the option `placeholders` of streams takes them.
 *
 * @since 0.1.0
 * @category models
 */
export interface Placeholders {
  /** The kinds of placeholders; none if empty. */
  readonly kinds: ReadonlyArray<Syntax.Name>
  readonly patterns?: ReadonlyArray<RegExp> | undefined
  readonly messageFormat?: MessageFormat.MessageFormat | undefined
  /** Only texts in which one is found are sent protected, in requests of their own. @default false */
  readonly apart?: boolean | undefined
}
