/**
 * JSON whose strings are translated, all of them or those that selectors take.
 *
 * @since 0.1.0
 */
import * as Either from "effect/Either"
import * as Syntax from "../text/Syntax.js"
import type * as Format from "./Format.js"
import * as fieldFit from "./internal/fieldFit.js"
import * as icuMessages from "./internal/icuMessages.js"
import * as jsonCatalogue from "./internal/json/jsonCatalogue.js"
import * as jsonDocument from "./internal/json/jsonDocument.js"
import * as jsonFields from "./internal/json/jsonFields.js"
import * as jsonMerge from "./internal/json/jsonMerge.js"
import * as jsonPipes from "./internal/json/jsonPipes.js"
import { mergeWithForms } from "./internal/json/jsonPlurals.js"
import * as jsonShapes from "./internal/json/jsonShapes.js"
import * as jsonSpans from "./internal/json/jsonSpans.js"
import { toParts, withSelection } from "./internal/parts.js"
import * as selector from "./internal/selector.js"

const name = "json"

const parseAll = (plurals: Options["plurals"]) => (text: string, options: Format.DecodeOptions) =>
  Either.map(jsonDocument.parse(text), (document) => {
    const shape = jsonShapes.shapeOf(document.root)
    const rules = shape === undefined ? jsonFields.rulesOf(document) : jsonShapes.rulesOf(document, shape)
    const spans = jsonCatalogue.spansOf(document, document.root, options, rules, name)
    const dialect = plurals ?? (shape === undefined ? jsonPipes.dialectOf(document.root) : undefined)
    return toParts(text, dialect === undefined ? spans : jsonPipes.withPlurals(spans, dialect, options, name))
  })

const mergeTexts = jsonMerge.make({ isDeep: () => true })

const mergePlurals = mergeWithForms(parseAll(undefined), jsonShapes.pluralKey)

/**
 * Selects the texts of a file to translate.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options extends Format.Options {
  /**
   * The strings to translate, by their paths: `title`, `seo.description`, `messages[*].content`. `*` stands for one key or
   * index, `**` for any number of them, `[*]` for each item of an array, `[0]` for its first, and `["a.b"]` for a key with
   * other characters. In a file that is an array, a path that begins with a name begins at each of its items. A selector that
   * cannot be read fails each file. A file in which none of them leads anywhere fails with a message about its own keys.
   *
   * @default all strings
   */
  readonly select?: ReadonlyArray<string> | undefined
  /**
   * The framework whose plural forms stand between bars, such as `car | cars` of vue-i18n and `{0} none|[1,*] some` of Laravel: each is
   * translated. With selectors, texts hold none. @default the one that other texts of the file show: references such as `@:key` and `{'@'}`
   * of vue-i18n, numbers such as `{0}` and `]1,Inf]` of Laravel
   */
  readonly plurals?: "laravel" | "vue-i18n" | undefined
}

/**
 * A format of JSON in which the selected strings are translated.
 *
 * Strings in objects and arrays, at any depth up to 500 levels; keys, numbers and blank strings are not. A unit's key is its
 * path: `a.b[0].c`, and `a["x.y"]` for keys with other characters. Where an object has a key `a` several times, the second is
 * named `a#2`; all are translated, and selectors take all of them. Strings are written as the file escapes them: with `\u....`
 * above ASCII if it has only such, and `\/` where it was.
 *
 * Without selectors, layouts of catalogues are known by the whole of a file: Docusaurus, `package.nls.json`, go-i18n, Angular, Transifex,
 * and messages of browser extensions. Of their entries only the messages are translated, with the plural forms of the target language;
 * notes are the context, and ids and the root's `$schema` stay. Where the layout is none of these, keys that look like ids or notes are
 * told, and their values stay: then select the texts. Texts that have arguments with branches are ICU messages, as those of `FormatJs`.
 *
 * The file is UTF-8 and strict JSON: comments and trailing commas are errors with line and column.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make: (options?: Options) => Format.Format = ({
  extensions = [".json"],
  plurals,
  select
} = {}) => {
  const selected = selector.start(select ?? ["**"])
  return icuMessages.wholeFile({
    name,
    extensions,
    settings: { plurals, select: select ?? ["**"] },
    choices: select,
    listOf: selector.arrayOf,
    place: "catalogue",
    placeholders: { kinds: ["braces", "printf", "tags", ...Syntax.knownIn("catalogue")] },
    parse: (text, options) =>
      select === undefined
        ? parseAll(plurals)(text, options)
        : Either.gen(function* () {
            const state = yield* selected
            const document = yield* jsonDocument.parse(text)
            const parts = toParts(text, jsonSpans.ofSelected(document, document.root, state))
            // Only of a translation the keys are known: it may lack units of its source.
            if (options.keys !== undefined) return parts
            const fit = yield* fieldFit.make(select)
            fit.add(jsonDocument.valueOf(document))
            return yield* withSelection(parts, fit)
          }),
    merge: (source, target, options) =>
      Either.flatMap(jsonDocument.parse(source), ({ root }) =>
        select === undefined && jsonShapes.shapeOf(root)?.hasPlurals === true
          ? mergePlurals(source, target, options)
          : mergeTexts(source, target, options)
      )
  })
}

/**
 * JSON in which all strings are translated.
 *
 * @since 0.1.0
 * @category formats
 */
export const format: Format.Format = make()
