import { pattern } from "../../../text/PlaceholderPatterns.js"
import * as Syntax from "../../../text/Syntax.js"
import type { Placeholders } from "../../Format.js"
import type { PoEntry } from "./poParser.js"

/** Of texts of which no flag says more. */
export const defaults: Placeholders = {
  kinds: ["braces", "printf", "tags", ...Syntax.knownIn("catalogue"), "drupal", "rst"]
}

const braces = new Set([
  "python-brace",
  "perl-brace",
  "csharp",
  "java",
  "java-printf",
  "c++",
  "rust",
  "sh",
  "javascript",
  "php",
  "boost"
])
const printf =
  /^(?:c|objc|python|java-printf|javascript|php|perl|awk|lua|object-pascal|tcl|gcc-internal|gfc-internal|ruby|go|d|ocaml|boost|lisp|elisp|librep|scheme|smalltalk|ycp|modula2)$/

/** `%1`, `%L2`, `%n` of Qt and KDE. */
const numbered = /%(?:L?\d{1,2}|n)/g

type Kinds = Placeholders["kinds"]

const firstKinds = ["braces", "printf", "tags"] as const

const known = pattern(["braces", "c-format", "tags"])!

const anySyntax = pattern(Syntax.names)!

/** Parts that have the same object share their requests. */
const made = new Map<string, Placeholders>()

const make = (kinds: Kinds, isNumbered: boolean): Placeholders => {
  const key = [isNumbered, ...kinds].join(" ")
  const placeholders = made.get(key) ?? { kinds, patterns: isNumbered ? [numbered] : undefined }
  made.set(key, placeholders)
  return placeholders
}

/** The placeholders of flags such as `c-format`; `undefined` if there are none. */
const ofFlags = (flags: ReadonlyArray<string>): Placeholders | undefined => {
  const names = flags.flatMap((flag) => {
    const [, not, name] = /^(no-|possible-|impossible-)?(.+)-format$/.exec(flag) ?? []
    return name === undefined ? [] : [{ name, isNot: not === "no-" || not === "impossible-" }]
  })
  const formats = names.filter(({ isNot }) => !isNot).map(({ name }) => name)
  if (formats.length === 0) {
    return names.length === 0
      ? undefined
      : make(
          defaults.kinds.filter((kind) => kind !== "printf" && kind !== "drupal"),
          false
        )
  }
  const kinds: Kinds = [
    ...(formats.some((name) => braces.has(name)) ? (["braces"] as const) : []),
    ...(formats.some((name) => printf.test(name)) ? (["printf", "c-format"] as const) : []),
    ...(formats.includes("sh") ? (["variables"] as const) : []),
    "tags"
  ]
  return make(
    kinds,
    formats.some((name) => name === "qt" || name === "qt-plural" || name.startsWith("kde"))
  )
}

/** The largest length of a translation, by a flag such as `max-length:40`. */
export const limitOf = (flags: ReadonlyArray<string>) => {
  const [length] = flags.flatMap((flag) => /^max-length:\s*([1-9]\d*)$/.exec(flag)?.slice(1) ?? [])
  return length === undefined ? undefined : { maxCharacters: Number(length) }
}

/** The placeholders of a message with such texts, if it has others than those of all messages. */
export const placeholdersOf = (
  { flags }: PoEntry,
  texts: ReadonlyArray<string>
): Placeholders | undefined => {
  const placeholders = ofFlags(flags)
  if (placeholders === undefined) return undefined
  const isIn = (pattern: RegExp) => texts.some((text) => text.search(pattern) !== -1)
  if (isIn(known) || (placeholders.patterns ?? []).some(isIn)) return placeholders
  // Stores know the text by the kinds of all messages, none of which is in it.
  return isIn(anySyntax) ? make([...firstKinds, ...placeholders.kinds], false) : undefined
}
