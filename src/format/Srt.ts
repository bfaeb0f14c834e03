/**
 * Subtitles in the format of SubRip.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import { decode, placeholders } from "./internal/cues/cues.js"

const name = "srt"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * SubRip subtitles, read as a stream.
 *
 * A unit is a sentence: cues of one speaker, of which the first ends without punctuation and the next begins within 1.5
 * seconds, are joined, at most 8. Where a text ends in a script without spaces (Chinese, Japanese, Thai), they are joined
 * only behind a comma. Cues with two speakers (lines that begin with `-`) have a unit for each. The key is the number of the
 * first cue, or its start if it has none; `#` and the line follow where numbers do not rise; the speakers of a cue are
 * `12/1` and `12/2`.
 *
 * A translation is laid out on the cues of its unit in proportion to their times and their texts, broken behind punctuation
 * or at spaces (Chinese, Japanese and Thai: between words), in one or two lines of 42 characters read at 17 a second;
 * Chinese: 18 characters at 9, Japanese: 16 at 4, Korean: 20 at 12. A text that is too long for that still has two lines.
 * Where it has fewer words than cues, neighbours show the same one. Whitespace is reduced to single spaces and line breaks.
 *
 * Numbers, times and blank lines stay. Tags around the text of a cue stay on it; tags inside are in the text. Fails with a
 * `FormatError`, behind the cues before it, on times that are wrong, text outside of cues, cues of more than 64 Ki
 * characters, and bytes that are not UTF-8.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".srt"] } = {}) => ({
  name,
  extensions,
  settings: {},
  isBilingual: false,
  place: "document",
  placeholders,
  decode: decode("srt", name)
})

/**
 * SubRip subtitles, with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
