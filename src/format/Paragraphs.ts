/**
 * Texts by paragraphs.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import * as lineEnds from "./internal/lines/lineEnds.js"
import { makeParagraphReader } from "./internal/lines/lineParts.js"
import * as linesFormat from "./internal/lines/linesFormat.js"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * Text of which each paragraph is a unit. Blank lines separate paragraphs. To be chosen by name, as it takes no file ending.
 *
 * The key is the number of the paragraph's first line. Its lines are joined with a blank. The translation of a paragraph of
 * one line is one line; that of more lines is wrapped at spaces to the length of the longest one, with the indentation of
 * the first and the second line. Items of a list without blank lines between them are one paragraph: take `Lines` for
 * those. Otherwise as `Lines.make`; a paragraph has at most 16 Mi characters.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = linesFormat.make({
  name: "paragraphs",
  extensions: [],
  makeParts: makeParagraphReader,
  ends: lineEnds.paragraphs
})

/**
 * Text by paragraphs, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
