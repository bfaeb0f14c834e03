import * as Either from "effect/Either"
import { isBlank } from "../../../internal/texts.js"
import { rulesOf } from "../../../text/PluralRules.js"
import * as Format from "../../Format.js"
import { tagOf } from "../languageTag.js"
import type { Span } from "../parts.js"
import { pluralFormsOf } from "../plurals/pluralForms.js"
import { showsNumber } from "../plurals/plurals.js"
import type { Node } from "./jsonDocument.js"

/** A framework whose texts hold plural forms between bars. */
export type Dialect = "laravel" | "vue-i18n"

/** A form as it stands in a text: its range of numbers and the whitespace around it are no part of its text. */
interface Form {
  readonly before: string
  readonly text: string
  readonly after: string
}

/** The numbers of a form of Laravel: `{0}`, `[2,*]`, `]1,Inf]`. */
const numbers =
  /^\s*(?:\{\s*-?\d+(?:\s*,\s*-?\d+)*\s*\}|[[\]]\s*(?:-?\d+|-?Inf|\*)\s*,\s*(?:-?\d+|Inf|\*)\s*[[\]])/

/** True if two forms have the same argument. */
const repeats = (forms: ReadonlyArray<string>, argument: RegExp): boolean => {
  const found = forms.flatMap((form) => argument.exec(form)?.[0] ?? [])
  return new Set(found).size < found.length
}

const signs: Readonly<Record<Dialect, (text: string) => boolean>> = {
  laravel: (text) => {
    if (!text.includes("|")) return false
    const forms = text.split("|")
    const own = new Set(forms.map((form) => numbers.exec(form)?.[0].trim()))
    const isNumbered = forms.every((form) => numbers.test(form) && !isBlank(form.replace(numbers, "")))
    // {0} is an argument of vue-i18n, which several forms have.
    return (isNumbered && own.size === forms.length) || repeats(forms, /:count\b/)
  },
  "vue-i18n": (text) =>
    /(?:^|[\s(])@(?:\.\w+)?:(?:\(|\w)|\{'[^'{}]+'\}/.test(text) ||
    (text.includes("|") && repeats(text.split("|"), /\{(?:n|count|\d)\}/))
}

/** The framework that texts of a document show, by other signs than bars: a bar alone is prose. */
export const dialectOf = (root: Node): Dialect | undefined => {
  const shows = (node: Node, isSign: (text: string) => boolean): boolean => {
    switch (node.tag) {
      case "string":
        return isSign(node.value)
      case "array":
        return node.items.some((item) => shows(item, isSign))
      case "object":
        return node.properties.some(({ value }) => shows(value, isSign))
      case "other":
        return false
    }
  }
  return (["laravel", "vue-i18n"] as const).find((dialect) => shows(root, signs[dialect]))
}

const formsOf = (text: string, dialect: Dialect): ReadonlyArray<Form> =>
  text.split("|").map((form) => {
    const [own = ""] = (dialect === "laravel" ? numbers.exec(form) : null) ?? []
    const rest = form.slice(own.length)
    const inner = rest.trim()
    const start = rest.length - rest.trimStart().length
    return { before: own + rest.slice(0, start), text: inner, after: rest.slice(start + inner.length) }
  })

/** True if a form does not say its numbers. */
const isPlain = ({ before }: Form): boolean => isBlank(before)

/** The forms of the target, each as a form of the source is written; why there are none. */
const targetForms = (
  forms: ReadonlyArray<Form>,
  dialect: Dialect,
  { sourceLang = "en", targetLang }: Format.DecodeOptions
): Either.Either<ReadonlyArray<Form>, string> => {
  if (dialect === "vue-i18n") {
    const { length } = rulesOf(tagOf(targetLang))?.categories ?? []
    return length <= 2
      ? Either.right(forms)
      : Either.left(
          "its plural forms stand between bars, and which of them is for which number in this language only the program knows (pluralizationRules): translate it by hand."
        )
  }
  const source = pluralFormsOf(sourceLang)
  const target = pluralFormsOf(targetLang)
  const isOfOne = (index: number, { text }: Form) =>
    target.isSingular(index) || (target.isOfOne(index) && showsNumber(text.replace(/:\w+/, "%d")))
  if (!forms.some(isPlain)) {
    const one = forms.find(({ before }) => /^\s*\{\s*1\s*\}/.test(before))
    const rest = forms.find(({ before }) => /^\s*(?:\[\s*2|\]\s*1)\s*,\s*(?:Inf|\*)\s*\]/.test(before))
    if (rest === undefined || target.count <= 2) return Either.right(forms)
    const plain = { before: "", text: rest.text, after: "" }
    return Either.right([
      ...Array.from({ length: target.count }, (_, index) =>
        one !== undefined && isOfOne(index, one) ? { ...plain, text: one.text } : plain
      ),
      ...forms.filter((form) => form !== rest && !(form === one && target.isSingular(0)))
    ])
  }
  if (!forms.every(isPlain)) {
    return Either.left(
      "some of its plural forms say their numbers, and others do not: give all of them some, such as [2,*]."
    )
  }
  if (forms.length !== source.count) {
    return Either.left(
      `it has ${forms.length} plural forms between bars, and the language of the file has ${source.count}: give them numbers, such as {0} and [2,*].`
    )
  }
  if (source.header === target.header) return Either.right(forms)
  return Either.right(
    Array.from({ length: target.count }, (_, index) =>
      isOfOne(index, forms[0]!) ? forms[0]! : forms.at(-1)!
    )
  )
}

/** A span whose text holds plural forms between bars, with a unit for each of the target; one that has none tells why. */
const split = (
  span: Span,
  unit: Format.Unit,
  dialect: Dialect,
  options: Format.DecodeOptions,
  format: string
): Span => {
  const forms = formsOf(unit.text, dialect)
  const { start, end } = span
  // Laravel writes no blanks around bars, as prose does.
  const isProse = dialect === "laravel" && / \| /.test(unit.text) && forms.every(isPlain)
  if (isProse || forms.some(({ text }) => isBlank(text))) return span
  return Either.match(targetForms(forms, dialect, options), {
    onLeft: (message) => ({
      start,
      end,
      units: [],
      problem: Format.formatError(format, options.file, { line: unit.line, key: unit.key, message })
    }),
    onRight: (wanted) => ({
      ...span,
      units: wanted.map(({ text }, index) => ({ ...unit, key: `${unit.key}|${index}`, text })),
      write: (translations) =>
        span.write!([
          translations.every((translation) => translation === undefined)
            ? undefined
            : wanted
                .map(({ after, before, text }, index) => before + (translations[index] ?? text) + after)
                .join("|")
        ])
    })
  })
}

/** Spans in which texts with bars are plurals of a framework. */
export const withPlurals = (
  spans: ReadonlyArray<Span>,
  dialect: Dialect,
  options: Format.DecodeOptions,
  format: string
): ReadonlyArray<Span> =>
  spans.map((span) => {
    const [unit] = span.units
    return span.units.length === 1 && unit?.text.includes("|") === true && span.write !== undefined
      ? split(span, unit, dialect, options, format)
      : span
  })
