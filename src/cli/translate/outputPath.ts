/** Where translations go: by a pattern, or beside their sources under the names that are usual for the format. */
import { basename, dirname, extname, join, parse, posix, sep } from "node:path"
import * as Option from "effect/Option"
import * as LanguageCode from "../../api/LanguageCode.js"
import * as Compression from "../../format/Compression.js"
import * as LocalePath from "../../format/LocalePath.js"

/** A file that is translated. */
export interface Source {
  /** As it is shown. */
  readonly path: string
  /** The address, if it is one. It may hold a signature. */
  readonly address?: string | undefined
  /** Its folder, below the working directory or below the folder that was named. */
  readonly folder: string
}

/** Folders whose folders and files are languages. */
const isOfLanguages =
  /^(_?locales?|i18n|l10n|lang|langs|languages?|translations?|messages|intl|content|docs|po)$/i

/** The place of a language in a path: the path around it, and its code as the service writes it. */
interface Place {
  readonly pattern: LocalePath.Pattern
  readonly language: string
}

/** A code at the end of a name, such as that of `app_en.arb` and `intro.en.md`; or all of the name. */
const codeIn = (name: string, extension: string) => {
  const isSuffix = /^\.(arb|properties|po)$/.test(extension)
  const found = (isSuffix ? /^(.*?[._-])([a-z]{2,3}(?:_[\w@]+)?)$/ : /^(.*[.])([A-Za-z_@-]+)$/).exec(name)
  return found === null ? [{ before: "", code: name }] : [{ before: found[1]!, code: found[2]! }]
}

/** Languages of the service: words of three letters are codes of others. */
const bases: ReadonlySet<string> = new Set(LanguageCode.known.map(LanguageCode.base))

const places = (path: string, source: string | undefined): ReadonlyArray<Place> => {
  const isSource = (code: string): boolean => {
    const language = LocalePath.fromCode(code)
    return (
      source !== undefined &&
      language !== undefined &&
      LanguageCode.base(language) === LanguageCode.base(source)
    )
  }
  const { base, dir, ext, name } = parse(path)
  const folders = dir === "" ? [] : dir.split(/[/\\]/)
  const found: Array<Place> = []
  const add = (pattern: string, code: string) => {
    const language = LocalePath.fromCode(code)
    const isKnown = language !== undefined && (language === source || bases.has(LanguageCode.base(language)))
    if (isKnown) found.push({ pattern: pattern as LocalePath.Pattern, language })
  }
  for (const { before, code } of codeIn(name, ext.toLowerCase())) {
    // A name such as `to` or `is` is a word as well.
    const isSure =
      before !== "" || isOfLanguages.test(folders.at(-1) ?? "") || /\.(po|ya?ml|json)$/i.test(ext)
    if (isSure || isSource(code)) {
      add(join(dir, `${before}{lang}${ext}`), code)
    }
  }
  folders.forEach((folder, index) => {
    const withIn = (name: string) =>
      [...folders.slice(0, index), name, ...folders.slice(index + 1), base].join(sep)
    const lproj = /^(.+)\.lproj$/.exec(folder)?.[1]
    const values = /^values-(.+)$/.exec(folder)?.[1]
    if (lproj !== undefined) add(withIn("{lang}.lproj"), lproj === "Base" ? (source ?? "en") : lproj)
    else if (values !== undefined && ext === ".xml") add(withIn("values-{lang}"), values)
    else if (
      isOfLanguages.test(folders[index - 1] ?? "") ||
      folders[index + 1] === "LC_MESSAGES" ||
      isSource(folder)
    ) {
      add(withIn("{lang}"), folder)
    }
  })
  return found
}

/** The same, and with the ending of compressed files. */
const withEnding = (path: string, pattern: string): LocalePath.Pattern =>
  `${pattern}${path.slice(Compression.ofPath(path).path.length)}` as LocalePath.Pattern

/** Where the language is in the path of a source: at best that of the source. */
export const placeOf = (path: string, from: string | undefined): Place | undefined => {
  const source = from === undefined ? undefined : LanguageCode.canonical(from)
  const found = places(Compression.ofPath(path).path, source)
  const place =
    found.find(({ language }) => language === source) ??
    found.find(
      ({ language }) => source !== undefined && LanguageCode.base(language) === LanguageCode.base(source)
    ) ??
    found[0]
  return place && { ...place, pattern: withEnding(path, place.pattern) }
}

const suffixed = (path: string, before: string, ext = parse(path).ext): LocalePath.Pattern => {
  const { dir, name } = parse(path)
  return join(dir, `${name}${before}{lang}${ext}`) as LocalePath.Pattern
}

/** Whether translations are columns of one output, unless its name has a place for the language. */
export const isOfColumns = (path: string): boolean => /\.parquet$/i.test(path)

/** The pattern of the outputs of a source, or the one path of all of them; `undefined` for a file that holds all of its languages. */
export const defaultPattern = (path: string, from: string | undefined): string | undefined => {
  if (/\.(xcstrings|tmx)$/i.test(path)) return undefined
  if (isOfColumns(path)) return join(dirname(path), `${parse(path).name}.translated${extname(path)}`)
  const place = placeOf(path, from)
  if (place !== undefined) return place.pattern
  const folder = dirname(path)
  if (/\.xml$/i.test(path) && basename(folder) === "values") {
    return join(dirname(folder), "values-{lang}", basename(path)) as LocalePath.Pattern
  }
  if (/\.pot$/i.test(path)) return suffixed(path, ".", ".po")
  const { path: bare } = Compression.ofPath(path)
  return withEnding(path, suffixed(bare, /\.(arb|properties)$/i.test(bare) ? "_" : "."))
}

const known: ReadonlySet<string> = new Set(["{lang}", "{dir}", "{name}", "{ext}"])

/** What a pattern holds in braces, and nobody knows. */
export const unknownPlaceholder = (pattern: string): string | undefined =>
  (pattern.match(/\{[^{}]*\}/g) ?? []).find((name) => !known.has(name))

/** What is wrong with the placeholders of `--out`. */
export const placeholderProblem = (out: string | undefined): string | undefined => {
  const unknown = out === undefined ? undefined : unknownPlaceholder(out)
  return unknown === undefined
    ? undefined
    : `--out has ${unknown}, which stands for nothing: it knows {lang}, {dir}, {name} and {ext}.`
}

const isPattern = (out: string): boolean => /\{(lang|dir|name|ext)\}/.test(out)

/** Where the outputs of sources go. */
export interface Options {
  readonly out: string | undefined
  readonly from: string | undefined
  /** Names of languages in paths, by their codes. @default the style of the pattern */
  readonly codes?: Readonly<Record<string, string>> | undefined
  /** Whether a path is a folder that is there. */
  readonly isFolder: (path: string) => boolean
}

/** Whether a path says that it is a folder; of a pattern, that it is one for each language. */
const endsInSlash = (out: string): boolean => /[/\\]$/.test(out)

/** Whether `--out` names an output itself, and not a folder. */
const isFile = ({ isFolder, out }: Pick<Options, "isFolder" | "out">): boolean =>
  out !== undefined && !isPattern(out) && parse(out).ext !== "" && !endsInSlash(out) && !isFolder(out)

/** A path below a folder, which may be an address. */
const below = (folder: string, path: string): string => {
  const [bucket, rest] = splitAddress(folder)
  return `${bucket}${bucket === "" ? join(rest, path) : posix.join(rest, path)}`
}

/** The bucket of an address, and the rest; of another path, all of it is the rest. */
const splitAddress = (path: string): readonly [bucket: string, rest: string] => {
  const bucket = /^s3:\/\/[^/]*\/?/i.exec(path)?.[0] ?? ""
  return [bucket, path.slice(bucket.length)]
}

/** Where the output of a source is by default: beside it, or in the working directory if that can't be written. */
const placeBeside = ({ path }: Source): readonly [bucket: string, rest: string] => {
  if (!/^https?:\/\//i.test(path)) return splitAddress(path)
  const name = basename(new URL(path).pathname)
  return ["", Option.getOrElse(decodeName(name), () => name).replaceAll(/[\\/]/g, "_")]
}

const decodeName = Option.liftThrowable(decodeURIComponent)

/** What is wrong with `--out` for so many outputs. */
export const problemOf = (options: Options, outputs: number): string | undefined =>
  isFile(options) && outputs > 1
    ? `--out is one file, and there are several translations: write {lang} into it, and {name} for several files; or name a folder, with a slash at its end.`
    : undefined

/** Where the outputs of a source go: a pattern, or the one path of all of them. */
export const patternOf =
  (options: Options) =>
  (source: Source): string => {
    const { from, out } = options
    const [bucket, beside] = placeBeside(source)
    if (out === undefined) return `${bucket}${defaultPattern(beside, from) ?? beside}`
    if (isFile(options)) return out
    const { ext, name } = parse(Compression.ofPath(beside).path)
    const filled = out
      .replaceAll("{dir}", () => (source.folder === "" ? "." : source.folder))
      .replaceAll("{name}", () => name)
      .replaceAll("{ext}", () => withEnding(beside, ext.slice(1)))
    if (isPattern(out) && !endsInSlash(out)) return below(filled, "")
    const folder = out.includes("{dir}") ? "" : source.folder
    return below(filled, defaultPattern(join(folder, basename(beside)), from) ?? basename(beside))
  }

/** The outputs of a source, by their languages. */
export const make = (options: Options): ((source: Source) => (targetLang: string) => string) => {
  const find = patternOf(options)
  return (source) => {
    const pattern = find(source)
    return LocalePath.isPattern(pattern) ? LocalePath.make(pattern, options).path : () => pattern
  }
}
