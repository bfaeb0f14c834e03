import * as PluralRules from "../../PluralRules.js"
import { make, type Pair, type Range, range } from "./check.js"
import { languageOf } from "./languages.js"

/** A branch, with its braces: `{# file}` of `one {# file}`. */
interface Branch extends Range {
  readonly key: string
  /** True if its text names the number. */
  readonly showsNumber: boolean
}

interface Argument extends Range {
  readonly name: string
}

/** An argument with branches: `{n, plural, one {# file} other {# files}}`. */
interface Selector extends Argument {
  readonly kind: "select" | PluralRules.Kind
  readonly branches: ReadonlyMap<string, Branch>
}

/** A brace that has opened. */
type Open =
  | (Pick<Selector, "start" | "name" | "kind"> & {
      readonly type: "selector"
      readonly branches: Map<string, Branch>
      /** Where the key of the next branch begins. */
      from: number
    })
  | { readonly type: "branch"; readonly start: number; readonly key: string; showsNumber: boolean }
  | { readonly type: "argument"; readonly start: number; readonly name: string }

/** A text in quotes, or a part of the syntax. */
const token = /'[{}#][^']*'|[{}#]/g

const head = /\{\s*([^\s{},]*)(?:\s*,\s*(plural|selectordinal|select)\s*,\s*(?:offset:\d+\s*)?)?/y

const open = (text: string, start: number, around: Open | undefined): Open => {
  if (around?.type === "selector") {
    return { type: "branch", start, key: text.slice(around.from, start).trim(), showsNumber: false }
  }
  head.lastIndex = start
  const [match = "", name = "", kind] = head.exec(text) ?? []
  return kind === undefined
    ? { type: "argument", start, name }
    : {
        type: "selector",
        start,
        name,
        kind: kind as Selector["kind"],
        branches: new Map(),
        from: start + match.length
      }
}

/** All arguments, those within others first. Takes linear time. */
export const argumentsIn = (text: string): ReadonlyArray<Argument | Selector> => {
  const found: Array<Argument | Selector> = []
  const stack: Array<Open> = []
  for (const { 0: match, index } of text.matchAll(token)) {
    const last = match === "}" ? stack.pop() : stack.at(-1)
    const around = stack.at(-1)
    const end = index + 1
    if (match === "{") stack.push(open(text, index, last))
    else if (match === "#" && last?.type === "branch") last.showsNumber = true
    else if (match === "}" && last !== undefined && last.type !== "branch") found.push({ ...last, end })
    else if (match === "}" && last?.type === "branch" && around?.type === "selector") {
      around.branches.set(last.key, { ...last, end })
      around.from = end
    }
    if (match === "}" && last?.type === "argument" && around?.type === "branch") {
      const argument = stack.at(-2)
      if (argument?.type === "selector" && argument.name === last.name) around.showsNumber = true
    }
  }
  return found
}

const selectorsIn = (text: string): ReadonlyArray<Selector> =>
  argumentsIn(text).filter((argument) => "branches" in argument)

const category = /^(?:zero|one|two|few|many|other)$/
const number = /^=\d+$/

const known = new Map<string, ReadonlyArray<string>>()

/** The categories that whole numbers have in a language, but for millions. */
const categoriesOf = (language: string, kind: PluralRules.Kind): ReadonlyArray<string> => {
  const key = `${kind} ${language}`
  const found = known.get(key)
  if (found !== undefined) return found
  const select = PluralRules.rulesOf(language, kind)?.select ?? (() => "other")
  const made = [...new Set(PluralRules.integers.filter((each) => each <= 1000).map(select))]
  known.set(key, made)
  return made
}

/** True if the keys of a translation are those that its language needs, or that programs ask for. */
const hasKeys = (expected: Selector, { branches: actual, kind }: Selector, targetLang: string): boolean => {
  const keys = [...expected.branches.keys()]
  if (!actual.has("other")) return false
  if (kind === "select") return keys.length === actual.size && keys.every((key) => actual.has(key))
  const needed = keys.some((key) => key !== "other" && category.test(key))
    ? categoriesOf(targetLang, kind)
    : []
  return (
    [...actual.keys()].every((key) => category.test(key) || number.test(key)) &&
    keys.every((key) => !number.test(key) || actual.has(key)) &&
    needed.every((key) => actual.has(key))
  )
}

const words = (text: string, { end, start }: Range): number =>
  text.slice(start, Math.min(end, start + 500)).match(/[^\s{}#]+/g)?.length ?? 0

/** Languages whose nouns say one and two without a word of their own. */
const withoutOne = /^(?:ar|he)$/

/** Branches that have lost the number. Those of one and two may have a word for it, and so a word more. */
const withoutNumber = (
  expected: Selector,
  actual: Selector,
  text: string,
  targetLang: string
): ReadonlyArray<Branch> => {
  const other = actual.branches.get("other")
  return actual.kind === "select" || other === undefined
    ? []
    : [...actual.branches.values()].filter((branch) => {
        const model = expected.branches.get(branch.key) ?? expected.branches.get("other")
        if (number.test(branch.key) || !model?.showsNumber || branch.showsNumber) return false
        return (
          /^(?:few|many|other)$/.test(branch.key) ||
          (!withoutOne.test(languageOf(targetLang).name) && words(text, branch) <= words(text, other))
        )
      })
}

const textOf = (text: string, { end, start }: Range): string => text.slice(start, end)

/** Places in the translation of an argument that programs can't read, or that says too little. */
const faultsOf = (
  expected: Selector,
  actual: Selector | undefined,
  { source, targetLang, translation }: Pair
): ReadonlyArray<Range> =>
  actual === undefined ||
  !expected.branches.has("other") ||
  textOf(source, expected) === textOf(translation, actual)
    ? []
    : hasKeys(expected, actual, targetLang)
      ? withoutNumber(expected, actual, translation, targetLang)
      : [actual]

export const hasBranches = /,\s*(?:plural|selectordinal|select)\s*,/

export const icu = make(
  {
    name: "icu",
    severity: "error",
    explanation:
      "A message in the syntax of ICU has lost a branch or a number, or has a keyword that programs do not know."
  },
  (pair) => {
    if (!pair.source.includes("{") || !hasBranches.test(pair.source)) return undefined
    const actual = new Map<string, Array<Selector>>()
    for (const each of selectorsIn(pair.translation)) {
      const key = `${each.kind} ${each.name}`
      const same = actual.get(key)
      if (same === undefined) actual.set(key, [each])
      else same.push(each)
    }
    const source: Array<Range> = []
    const translation: Array<Range> = []
    for (const expected of selectorsIn(pair.source)) {
      const faults = faultsOf(expected, actual.get(`${expected.kind} ${expected.name}`)?.shift(), pair)
      if (faults.length > 0) source.push(range(expected))
      translation.push(...faults.map(range))
    }
    return source.length === 0 ? undefined : { source, translation }
  }
)
