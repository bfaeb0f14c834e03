/**
 * Subtitles and captions in the format of the web.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import { decode, placeholders } from "./internal/cues/cues.js"

const name = "webvtt"

/**
 * Options of the format.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./Format.js"

/**
 * WebVTT, read as a stream. Units and their layout are those of SRT.
 *
 * Speakers are those of `<v Name>` too. The header, `NOTE`, `STYLE` and `REGION` blocks, ids and settings of cues stay. The key is the
 * id of the first cue if it is a number, or else its start. References such as `&amp;`, `&nbsp;` and `&#39;` are characters in the
 * text; names that only HTML knows stay. Fails as SRT does, and if the file does not begin with `WEBVTT`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Format.Options) => Format.Format = ({ extensions = [".vtt"] } = {}) => ({
  name,
  extensions,
  settings: {},
  isBilingual: false,
  place: "document",
  placeholders,
  decode: decode("vtt", name)
})

/**
 * WebVTT with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
