import * as Either from "effect/Either"
import { all } from "../../../text/PlaceholderPatterns.js"
import { rulesOf } from "../../../text/PluralRules.js"
import type { Problem } from "../../Format.js"
import { isSameLanguage } from "../languageTag.js"
import type { Span } from "../parts.js"
import { isAmbiguous } from "./yamlScalar.js"
import type { YamlEntry, YamlFile, YamlNode } from "./yamlTree.js"

const languageCode = /^[A-Za-z]{2,3}(?:[-_][A-Za-z\d]+)*$/

const rootKey = /^(?:(["'])([\w-]+)\1|([\w-]+)):[ \t]*(?:#.*|&\w+[ \t]*)?$/

/** True if a file has one key at its root, which is a language. */
export const detectRails = (path: string, head: string): boolean => {
  const lines = head
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => !/^(?:\s|#|$|---(?:\s|$)|\.\.\.|%)/.test(line))
  const [, , quoted, plain] = rootKey.exec(lines[0] ?? "") ?? []
  const code = quoted ?? plain
  if (lines.length !== 1 || code === undefined || !languageCode.test(code)) return false
  // Words such as `api` have the form of a code.
  const isKnown = rulesOf(code.replaceAll("_", "-")) !== undefined
  return isKnown || (/[^/\\]*$/.exec(path)?.[0].split(".").includes(code) ?? false)
}

/** Plain texts that Ruby reads as symbols. */
export const isSymbol = (raw: string): boolean => /^:[\w"']/.test(raw)

/** `%<name>d` and `%<name>.2f`. */
const named = /%<\w+>[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]?/g

/** Directives of `strftime`: `%Y`, `%-d`, `%^b`, `%3N`, `%::z`. */
const directive = /%[-0^#_]{0,4}\d{0,3}(?:[EO]?[ABCDFGHILMNPQRSTUVWXYZabcdeghjklmnprstuvwxyz+]|:{1,3}z)/g

/** Placeholders that are not translated, in addition to braces, printf and tags. */
export const patterns: ReadonlyArray<RegExp> = [named, directive]

/** True if a text has a letter, apart from its placeholders. Formats of dates, delimiters and units such as "$" have none. */
export const isProse = (text: string): boolean =>
  /\p{L}/u.test(patterns.reduce((rest, pattern) => rest.replace(pattern, " "), text).replace(all, " "))

/** The entry at the root, whose key is the language. */
export const rootOf = (file: YamlFile, node: YamlNode): Either.Either<YamlEntry, Problem> => {
  const root = node.kind === "map" && node.entries.length === 1 ? node.entries[0] : undefined
  return root !== undefined && languageCode.test(String(root.key))
    ? Either.right(root)
    : Either.left({
        line: file.positionOf(node.start).line,
        message: "a Rails catalogue has one key at its root, the language: add it, or read the file as YAML."
      })
}

/** The language as the file would write it. */
const nameOf = (root: string, targetLang: string): string => {
  const name = targetLang.replace(/-r(?=[A-Z]{2}$)/, "-")
  return root.includes("_") ? name.replaceAll("-", "_") : name.replaceAll("_", "-")
}

/** The problem of a target whose texts are in another language. */
export const otherLanguage = (
  file: YamlFile,
  { key, start }: YamlEntry,
  targetLang: string
): Problem | undefined => {
  const root = String(key)
  return isSameLanguage(root, targetLang) || nameOf(root, targetLang).toLowerCase() === root.toLowerCase()
    ? undefined
    : {
        ...file.positionOf(start),
        message: `the target holds texts in ${root}, not in ${targetLang}: take a file whose root is ${nameOf(root, targetLang)}, or begin a new target.`
      }
}

/** The key at the root, for the target language; nothing if it is that already. */
export const rootSpan = (
  text: string,
  { key, keyEnd, start }: YamlEntry,
  targetLang: string
): ReadonlyArray<Span> => {
  const root = String(key)
  const name = nameOf(root, targetLang)
  if (name.toLowerCase() === root.toLowerCase()) return []
  const raw = text.slice(start, keyEnd)
  const written = raw === root && isAmbiguous(name) ? `"${name}"` : raw.replace(root, name)
  return [{ start, end: keyEnd, units: [], write: () => Either.right(written) }]
}
