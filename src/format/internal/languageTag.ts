import * as Option from "effect/Option"

/** A language as others than programs for BCP 47 write it: `pt_BR`, `zh-rCN`, `sr@latin`, `de_DE.UTF-8`. */
const normalized = (language: string): string => {
  const [name = "", modifier] = language.split("@")
  const tag = name
    .replace(/\..*$/, "")
    .replace(/-r(?=[A-Z]{2}$)/, "-")
    .replaceAll("_", "-")
  const script = modifier === "latin" ? "Latn" : modifier === "cyrillic" ? "Cyrl" : undefined
  const [primary, ...others] = tag.split("-")
  return [primary, ...(script === undefined ? [] : [script]), ...others].join("-")
}

const parse = Option.liftThrowable((language: string) => {
  const locale = new Intl.Locale(normalized(language))
  const { language: name, script } = locale.maximize()
  return { name: name === "no" ? "nb" : name, script, region: locale.region }
})

/** Whether two codes name one language. A code without a region names it for all regions. */
export const isSameLanguage = (first: string, second: string): boolean =>
  first === second ||
  Option.getOrElse(
    Option.zipWith(
      parse(first),
      parse(second),
      (a, b) =>
        a.name === b.name &&
        a.script === b.script &&
        (a.region === undefined || b.region === undefined || a.region === b.region)
    ),
    () => false
  )
