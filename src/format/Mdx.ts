/**
 * MDX: Markdown with components.
 *
 * @since 0.1.0
 */
import type * as Format from "./Format.js"
import * as markdownFormat from "./internal/markdown/markdownFormat.js"

/**
 * Selects the texts of a file to translate.
 *
 * @since 0.1.0
 * @category models
 */
export type { Options } from "./internal/markdown/markdownFormat.js"

/**
 * MDX: as `Markdown.make`, and imports, exports, expressions and JSX tags stay as they are. There are no HTML, no indented code, no
 * links in angle brackets and no template tags: `{{ x }}` is an expression. JSX tags with text between them travel as `<g1>a</g1>`,
 * expressions as `<x1/>`; attributes are kept. `{#id}` at the end of a heading is its anchor.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: markdownFormat.Options) => Format.Format = markdownFormat.make({
  name: "mdx",
  dialect: "mdx",
  extensions: [".mdx"]
})

/**
 * MDX with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
