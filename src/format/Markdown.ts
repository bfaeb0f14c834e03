/**
 * Markdown: headings, paragraphs, lists, tables, quotes, footnotes, texts of images, titles of links, and fields of the
 * front matter.
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
 * Markdown with the extensions of GitHub: tables, task lists, strikethrough, footnotes and literal links.
 *
 * Units are headings, paragraphs (also those of lists, quotes and footnotes), cells of tables, texts of images, titles of
 * links, and fields of YAML front matter by their names. Code, HTML, math between dollars, targets of links, definitions of
 * references with their titles, and the rest of the front matter stay as they are. Links to headings, such as
 * `guide.md#install`, stay while the headings are translated: `{#install}` at the end of a heading keeps its anchor.
 *
 * Lines that stay, and end a paragraph: markers of alerts (`> [!NOTE]`; a title behind one is a unit), fences of containers
 * (`:::tip Title`, with their titles), and lines of nothing but template tags, such as `{% note %}` or `{{< note >}}`.
 * Attributes at the end of a block stay: `{#id}`, `{.class}`, `{: key=value}`. Within texts, `{{ x }}`, `{% x %}`, `${x}`
 * and `:rocket:` are kept; texts of images and titles of links with template tags stay as a whole.
 *
 * Inline marks travel as tags, so texts are XML: `*a*` as `<i1>a</i1>`, `**a**` as `<b1>a</b1>`, `~~a~~` as `<s1>a</s1>`,
 * links as `<a1>a</a1>`, and pieces that are kept as a whole as `<x1/>`: code, HTML tags, images, footnote references, links
 * that show their address, hard breaks. They come back as the marks of the source. A bare address becomes `<https://…>`, or
 * `[…](…)`, where the translation has letters beside it that would be read as part of it. A translation that has lost,
 * doubled or crossed tags, or is empty, cannot be written.
 *
 * Lines of a paragraph are joined by spaces. A translated paragraph is one line, without whitespace at its ends; it breaks
 * only at hard breaks. Characters that would be structure in a translation are escaped.
 *
 * Keys are numbers that are the same in every language: of the section by its headings, and of the block in it, such as
 * `1.2/heading`, `1.2/3`, `1.2/3/alt1` and `frontMatter/title`.
 *
 * A file has at most 16 MiB and 100 levels of quotes and lists.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: markdownFormat.Options) => Format.Format = markdownFormat.make({
  name: "markdown",
  dialect: "md",
  extensions: [".md", ".markdown"]
})

/**
 * Markdown with the default options.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
