/**
 * Android string resources.
 *
 * @since 0.1.0
 */
export * as AndroidStrings from "./AndroidStrings.js"
/**
 * Apple `.strings` files.
 *
 * @since 0.1.0
 */
export * as AppleStrings from "./AppleStrings.js"
/**
 * Application Resource Bundles, as Flutter uses them.
 *
 * @since 0.1.0
 */
export * as Arb from "./Arb.js"
/**
 * `messages.json` of browser extensions.
 *
 * @since 0.1.0
 */
export * as ChromeMessages from "./ChromeMessages.js"
/**
 * Files that keep the values of a column together.
 *
 * @since 0.1.0
 */
export * as Columnar from "./Columnar.js"
/**
 * Compressed bytes: gzip, Brotli, and Zstandard where Node has it, by stream.
 *
 * @since 0.1.0
 */
export * as Compression from "./Compression.js"
/**
 * Files as parts: units to translate, and bytes that pass through.
 *
 * @since 0.1.0
 */
export * as Format from "./Format.js"
/**
 * Messages of FormatJS.
 *
 * @since 0.1.0
 */
export * as FormatJs from "./FormatJs.js"
/**
 * Laws that every format keeps, for the tests of one's own.
 *
 * @since 0.1.0
 */
export * as FormatLaws from "./FormatLaws.js"
/**
 * All formats, by name and by file.
 *
 * @since 0.1.0
 */
export * as Formats from "./Formats.js"
/**
 * Web pages.
 *
 * @since 0.1.0
 */
export * as Html from "./Html.js"
/**
 * Catalogues of i18next.
 *
 * @since 0.1.0
 */
export * as I18next from "./I18next.js"
/**
 * JSON with selected strings.
 *
 * @since 0.1.0
 */
export * as Json from "./Json.js"
/**
 * JSON Lines with selected strings, streaming.
 *
 * @since 0.1.0
 */
export * as JsonLines from "./JsonLines.js"
/**
 * Markdown.
 *
 * @since 0.1.0
 */
export * as Markdown from "./Markdown.js"
/**
 * MDX.
 *
 * @since 0.1.0
 */
export * as Mdx from "./Mdx.js"
/**
 * Where translations go: languages in the names of files and folders.
 *
 * @since 0.1.0
 */
export * as OutputPath from "./OutputPath.js"
/**
 * Texts by paragraphs.
 *
 * @since 0.1.0
 */
export * as Paragraphs from "./Paragraphs.js"
/**
 * Parquet files.
 *
 * @since 0.1.0
 */
export * as Parquet from "./Parquet.js"
/**
 * Catalogues of gettext.
 *
 * @since 0.1.0
 */
export * as Po from "./Po.js"
/**
 * Java `.properties`.
 *
 * @since 0.1.0
 */
export * as Properties from "./Properties.js"
/**
 * Catalogues of Ruby on Rails.
 *
 * @since 0.1.0
 */
export * as Rails from "./Rails.js"
/**
 * SubRip subtitles.
 *
 * @since 0.1.0
 */
export * as Srt from "./Srt.js"
/**
 * Translation memories, and their entries.
 *
 * @since 0.1.0
 */
export * as Tmx from "./Tmx.js"
/**
 * WebVTT subtitles.
 *
 * @since 0.1.0
 */
export * as WebVtt from "./WebVtt.js"
/**
 * String catalogs of Xcode.
 *
 * @since 0.1.0
 */
export * as XcStrings from "./XcStrings.js"
/**
 * XLIFF 1.2, 2.0 and 2.1.
 *
 * @since 0.1.0
 */
export * as Xliff from "./Xliff.js"
/**
 * XML.
 *
 * @since 0.1.0
 */
export * as Xml from "./Xml.js"
/**
 * YAML.
 *
 * @since 0.1.0
 */
export * as Yaml from "./Yaml.js"
