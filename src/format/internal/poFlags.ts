import type { Placeholders } from "../Format.js"

/** Of texts of which no flag says more. */
export const defaults: Placeholders = { kinds: ["braces", "printf", "tags"] }

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

/** What flags such as `c-format` say of placeholders; `undefined` if nothing. */
export const placeholdersOf = (flags: ReadonlyArray<string>): Placeholders | undefined => {
  const names = flags.flatMap((flag) => {
    const [, not, name] = /^(no-|possible-|impossible-)?(.+)-format$/.exec(flag) ?? []
    return name === undefined ? [] : [{ name, isNot: not === "no-" || not === "impossible-" }]
  })
  const formats = names.filter(({ isNot }) => !isNot).map(({ name }) => name)
  if (formats.length === 0) {
    return names.length === 0 ? undefined : { kinds: defaults.kinds.filter((kind) => kind !== "printf") }
  }
  const isNumbered = formats.some((name) => name === "qt" || name === "qt-plural" || name.startsWith("kde"))
  return {
    kinds: [
      ...(formats.some((name) => braces.has(name)) ? (["braces"] as const) : []),
      ...(formats.some((name) => printf.test(name)) ? (["printf"] as const) : []),
      "tags"
    ],
    patterns: isNumbered ? [numbered] : undefined
  }
}
