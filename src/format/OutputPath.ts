/**
 * Where translations go: languages in the names of files and folders, such as `locales/{lang}.json`, `values-{lang}/strings.xml` and
 * `{lang}.lproj`, with the codes that each platform writes; and the names that are usual beside a source.
 *
 * @since 0.1.0
 */
import * as Document from "../api/Document.js"
import * as LanguageCode from "../api/LanguageCode.js"
import * as Compression from "./Compression.js"
import type { Style } from "./internal/localeCode.js"
import * as localeCode from "./internal/localeCode.js"
import { folderOf, join, nameOf, placeBeside, splitAddress, stemOf } from "./internal/pathPieces.js"

/**
 * A path with `{lang}` where the language is, in one place or several.
 *
 * @since 0.1.0
 * @category models
 */
export type Pattern = `${string}{lang}${string}`

/**
 * The code of a language in paths.
 *
 * @since 0.1.0
 * @category models
 */
export type { Style } from "./internal/localeCode.js"

/**
 * Options for codes in a path.
 *
 * @since 0.1.0
 * @category models
 */
export interface Options {
  /**
   * The style of codes.
   *
   * @default `android` for `values-{lang}`; `underscore` for `.po`, `.mo`, `.arb` and `.properties` files, and folders named
   * `_locales` and `LC_MESSAGES`; else `bcp47`
   */
  readonly style?: Style | undefined
  /** Codes that are written otherwise, such as `{ "zh-Hant": "zh_TW" }`. @default none */
  readonly codes?: Readonly<Record<string, string>> | undefined
}

/**
 * The paths of one file in its languages.
 *
 * @since 0.1.0
 * @category models
 */
export interface OutputPath {
  readonly pattern: Pattern
  readonly style: Style
  /** The path with a wildcard for the language, for a search of files: `locales/*.json`. Check its finds with `match`. */
  readonly glob: string
  /** The path of the file in a language, by its name if it is given one. */
  readonly path: (lang: string, name?: string) => string
  /**
   * The language of such a path, as the service writes it; `undefined` if the path is another one, or has no code of a language at
   * that place. Codes in other styles than the pattern's are read too, except for Android, and `\` as `/`.
   */
  readonly match: (path: string) => string | undefined
}

/**
 * Returns `true` if a text has a place for the language.
 *
 * @since 0.1.0
 * @category guards
 */
export const isPattern = (text: string): text is Pattern => text.includes("{lang}")

const styleOf = (pattern: string): Style =>
  /(^|[/\\])values-\{lang\}([/\\]|$)/.test(pattern)
    ? "android"
    : /\.(po|mo|arb|properties)$|(^|[/\\])(_locales|LC_MESSAGES)[/\\]/.test(pattern)
      ? "underscore"
      : "bcp47"

/**
 * The code of the service for one that a platform writes: `pt-BR` for `pt_BR`, `pt-br` and `pt-rBR`, `sr-Latn` for `b+sr+Latn` and
 * `sr@latin`, `zh-Hant` for `zh_TW`. `undefined` if it is no code of a language that is known.
 *
 * @since 0.1.0
 * @category codecs
 */
export const fromCode: (code: string) => string | undefined = localeCode.fromCode

/**
 * A code in the style of a platform.
 *
 * @since 0.1.0
 * @category codecs
 */
export const toCode: (lang: string, style: Style) => string = localeCode.toCode

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")

const normalise = (path: string) => path.replaceAll("\\", "/").replace(/^(\.\/)+/, "")

const regExpOf = (pattern: Pattern): RegExp => {
  const pieces = normalise(pattern).split("{lang}").map(escapeRegExp)
  return new RegExp(`^${pieces[0]}([\\w@+.-]+?)${pieces.slice(1).join("\\1")}$`)
}

/**
 * The paths of a file by a pattern such as `locales/{lang}.json`. If `{lang}` is in it more than once, a path has the same code
 * at all of its places.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = (pattern: Pattern, options?: Options): OutputPath => {
  const style = options?.style ?? styleOf(pattern)
  const own = Object.entries(options?.codes ?? {})
  const written = new Map(own.map(([lang, code]) => [LanguageCode.canonical(lang), code]))
  const read = new Map(own.map(([lang, code]) => [code, LanguageCode.canonical(lang)]))
  let regExp: RegExp | undefined
  return {
    pattern,
    style,
    glob: pattern.replaceAll("{lang}", "*"),
    path: (lang, name) =>
      pattern.replaceAll(
        "{lang}",
        () => name ?? written.get(LanguageCode.canonical(lang)) ?? localeCode.toCode(lang, style)
      ),
    match: (path) => {
      regExp ??= regExpOf(pattern)
      const code = regExp.exec(normalise(path))?.[1]
      if (code === undefined) return undefined
      // A folder such as `values-de-night` is for a part of the devices.
      const isOther = style === "android" && !/^(b\+.+|[a-z]{2,3}(-r[A-Z]{2})?)$/.test(code)
      return read.get(code) ?? (isOther ? undefined : localeCode.fromCode(code))
    }
  }
}

/**
 * The output of a document that the service translates whole: beside its source, with the language before the extension of the translation.
 * `report.doc` becomes `report.de.docx`.
 *
 * @since 0.1.0
 * @category constructors
 */
export const ofDocument: (options: {
  readonly path: string
  readonly targetLang: string
  readonly upload?:
    | { readonly filename?: string | undefined; readonly outputFormat?: string | undefined }
    | undefined
}) => string = ({ path, targetLang, upload }) => {
  const stem = (name: string) => name.slice(0, name.length - endingOf(name).length)
  const endingOf = (name: string) => {
    const extension = Document.extension(name)
    return extension === "" ? "" : name.slice(-extension.length - 1)
  }
  const ending = endingOf(Document.translatedName(upload?.filename ?? path, upload?.outputFormat))
  return `${stem(path)}.${localeCode.toCode(targetLang, "bcp47")}${ending}`
}

/** Folders whose folders and files are languages. */
const isOfLanguages =
  /^(_?locales?|i18n|l10n|lang|langs|languages?|translations?|messages|intl|content|docs|po)$/i

/**
 * The place of a language in a path: the path around it, and its code as the service writes it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Place {
  readonly pattern: Pattern
  readonly language: string
}

/** A code at the end of a name, such as `en` in `app_en.arb` and `intro.en.md`, or all of the name. */
const codeIn = (name: string, extension: string) => {
  const isSuffix = /^\.(arb|properties|po)$/.test(extension)
  const found = (isSuffix ? /^(.*?[._-])([a-z]{2,3}(?:_[\w@]+)?)$/ : /^(.*[.])([A-Za-z_@-]+)$/).exec(name)
  return found === null ? { before: "", code: name } : { before: found[1]!, code: found[2]! }
}

/** Languages of the service: words of three letters are codes of others. */
const bases: ReadonlySet<string> = new Set(LanguageCode.known.map(LanguageCode.base))

const isSame = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && LanguageCode.base(one) === LanguageCode.base(other)

const places = (path: string, source: string | undefined): ReadonlyArray<Place> => {
  const isSource = (code: string): boolean => isSame(localeCode.fromCode(code), source)
  const folder = folderOf(path)
  const { ending, stem } = stemOf(path)
  // Folders and the text between them: those with even places are names.
  const pieces = folder.split(/([/\\])/)
  const at = (index: number) => pieces[index] ?? ""
  const found: Array<Place> = []
  const add = (pattern: string, code: string) => {
    const language = localeCode.fromCode(code)
    const isKnown = language !== undefined && (language === source || bases.has(LanguageCode.base(language)))
    if (isKnown) found.push({ pattern: join("", pattern) as Pattern, language })
  }
  const { before, code } = codeIn(stem, ending.toLowerCase())
  // A name such as `to` or `is` is a word as well.
  const isSure =
    before !== "" || isOfLanguages.test(at(pieces.length - 3)) || /\.(po|ya?ml|json)$/i.test(ending)
  if (isSure || isSource(code)) add(`${folder}${before}{lang}${ending}`, code)
  for (let index = 0; index < pieces.length - 1; index += 2) {
    const name = at(index)
    const withIn = (name: string) => pieces.with(index, name).join("") + nameOf(path)
    const lproj = /^(.+)\.lproj$/.exec(name)?.[1]
    const values = /^values-(.+)$/.exec(name)?.[1]
    if (lproj !== undefined) add(withIn("{lang}.lproj"), lproj === "Base" ? (source ?? "en") : lproj)
    else if (values !== undefined && ending === ".xml") add(withIn("values-{lang}"), values)
    else if (isOfLanguages.test(at(index - 2)) || at(index + 2) === "LC_MESSAGES" || isSource(name)) {
      add(withIn("{lang}"), name)
    }
  }
  return found
}

/** The same, and with the ending of compressed files. */
const withEnding = (path: string, pattern: string): Pattern =>
  `${pattern}${path.slice(Compression.ofPath(path).path.length)}` as Pattern

/**
 * Where the language is in the path of a source in the language `from`: at best the source's own.
 *
 * @since 0.1.0
 * @category combinators
 */
export const placeOf = (path: string, from: string | undefined): Place | undefined => {
  const source = from === undefined ? undefined : LanguageCode.canonical(from)
  const found = places(Compression.ofPath(path).path, source)
  const place =
    found.find(({ language }) => language === source) ??
    found.find(({ language }) => isSame(language, source)) ??
    found[0]
  return place && { ...place, pattern: withEnding(path, place.pattern) }
}

/**
 * True if the language stands at the end of a name, as in `guide.de.md`.
 *
 * @internal
 */
export const endsInLanguage: (place: Place) => boolean = ({ pattern }) =>
  /[._-]\{lang\}[^/\\]*$/.test(pattern)

/**
 * Where the source of a translation may be: under the name of its language, or under the name without one.
 *
 * @internal
 */
export const sourcesOf: (place: Place, from: string | undefined) => ReadonlyArray<string> = (
  { pattern },
  from
) => {
  const bare = pattern
    .replace(/[._-]\{lang\}(?=[^/\\]*$)/, "")
    .replace(/values-\{lang\}/, "values")
    .replace(/\{lang\}\.lproj/, "Base.lproj")
  return [
    ...(from === undefined ? [] : [make(pattern).path(from)]),
    ...(bare.includes("{lang}") ? [] : [bare, bare.replace(/\.po$/, ".pot")])
  ]
}

/**
 * True if translations are columns of one output, unless its name has a place for the language.
 *
 * @internal
 */
export const isOfColumns = (path: string): boolean => /\.parquet$/i.test(path)

/**
 * The pattern of the outputs of a source, under the names that are usual for its format: `products.{lang}.csv` beside `products.csv`,
 * `locales/{lang}.json` beside `locales/en.json`. Of a file that holds all of its languages it is the file itself; of Parquet, whose
 * translations are columns, one other file.
 *
 * @since 0.1.0
 * @category constructors
 */
export const beside = (path: string, from?: string): string => {
  if (/\.(xcstrings|tmx)$/i.test(path)) return path
  const suffixed = (path: string, before: string, ending = stemOf(path).ending) =>
    join(folderOf(path), `${stemOf(path).stem}${before}${ending}`)
  if (isOfColumns(path)) return suffixed(path, ".translated")
  const place = placeOf(path, from)
  if (place !== undefined) return place.pattern
  const inValues = /^(.*[/\\])?values([/\\][^/\\]+\.xml)$/i.exec(path)
  if (inValues !== null) return join(inValues[1] ?? "", `values-{lang}${inValues[2]}`)
  if (/\.pot$/i.test(path)) return suffixed(path, ".{lang}", ".po")
  const { path: bare } = Compression.ofPath(path)
  return withEnding(path, suffixed(bare, /\.(arb|properties)$/i.test(bare) ? "_{lang}" : ".{lang}"))
}

/**
 * Where the outputs of sources go.
 *
 * @internal
 */
export interface Destination {
  /**
   * A file; a folder, with a slash at its end or as `isFolder` says; or a pattern with `{lang}`, and of each source with `{dir}`, `{name}`
   * and `{ext}`. @default beside the source
   */
  readonly out?: string | undefined
  /** The language of the sources, which may stand in their paths. */
  readonly from?: string | undefined
  /** True of a path that is a folder. @default none is */
  readonly isFolder?: ((path: string) => boolean) | undefined
}

/**
 * A file that is translated.
 *
 * @internal
 */
export interface Source {
  /** Its path or its address, as it is shown. */
  readonly path: string
  /** Its folder, below the working directory or below the folder that was named. */
  readonly folder: string
}

const known: ReadonlySet<string> = new Set(["{lang}", "{dir}", "{name}", "{ext}"])

const hasPlaceholder = (out: string): boolean => /\{(lang|dir|name|ext)\}/.test(out)

/** True if a path ends as a folder; a pattern, as one for each language. */
const endsInSlash = (out: string): boolean => /[/\\]$/.test(out)

/** True of a destination that names an output itself, and not a folder. */
const isFile = ({ isFolder, out }: Destination): boolean =>
  out !== undefined &&
  !hasPlaceholder(out) &&
  stemOf(out).ending !== "" &&
  !endsInSlash(out) &&
  isFolder?.(out) !== true

/**
 * The reason for which these outputs can't go to a destination, as a clause about it.
 *
 * @internal
 */
export const problemOf = (destination: Destination, outputs = 1): string | undefined => {
  const { out = "" } = destination
  const unknown = (out.match(/\{[^{}]*\}/g) ?? []).find((name) => !known.has(name))
  if (unknown !== undefined) {
    return `has ${unknown}, which stands for nothing: it knows {lang}, {dir}, {name} and {ext}.`
  }
  // A pattern for files looks like one for folders, as `i18n/{lang}` does.
  if (out.includes("{lang}") && !endsInSlash(out) && !/\.|\{(name|ext)\}/.test(nameOf(out))) {
    return `${out} would be a file without an ending for each language: write ${out}/ for a folder, or ${out}.{ext}.`
  }
  return isFile(destination) && outputs > 1
    ? "is one file, and there are several translations: write {lang} into it, and {name} for several files; or name a folder, with a slash at its end."
    : undefined
}

/**
 * Where the outputs of a source go: a pattern, or the one path of all of them.
 *
 * @internal
 */
export const patternOf = (destination: Destination, source: Source): string => {
  const { from, out } = destination
  const [bucket, path] = placeBeside(source.path)
  if (out === undefined) return `${bucket}${beside(path, from)}`
  if (isFile(destination)) return out
  const { ending, stem } = stemOf(Compression.ofPath(path).path)
  const filled = out
    .replaceAll("{dir}", () => (source.folder === "" ? "." : source.folder))
    .replaceAll("{name}", () => stem)
    .replaceAll("{ext}", () => withEnding(path, ending.slice(1)))
  const [into, folder] = splitAddress(filled)
  if (hasPlaceholder(out) && !endsInSlash(out)) return `${into}${join(folder, "")}`
  const below = join(out.includes("{dir}") ? "" : source.folder, nameOf(path))
  return `${into}${join(folder, beside(below, from))}`
}

/**
 * The outputs of a source, by their languages.
 *
 * @internal
 */
export const outputOf =
  (destination: Destination) =>
  (source: Source): OutputPath["path"] =>
    make(patternOf(destination, source) as Pattern).path
