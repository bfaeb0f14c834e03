import { integers } from "../../../text/PluralRules.js"

/** The plural forms of a PO file. */
export interface PluralForms {
  readonly count: number
  /** The value of `Plural-Forms:`. */
  readonly header: string
  /** True for a form of the number 1 alone. */
  readonly isSingular: (index: number) => boolean
  /** True for a form of the number 1, but not 2: it may be for 0 or for 21, too. */
  readonly isOfOne: (index: number) => boolean
}

type Expression = (n: number) => number

const tokens = /\s*(\d+|n|\|\||&&|[=!<>]=|[-+*/%<>!?:()])\s*/y

const levels: ReadonlyArray<Readonly<Record<string, (a: number, b: number) => number>>> = [
  { "||": (a, b) => Number(a !== 0 || b !== 0) },
  { "&&": (a, b) => Number(a !== 0 && b !== 0) },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  {
    "<": (a, b) => Number(a < b),
    ">": (a, b) => Number(a > b),
    "<=": (a, b) => Number(a <= b),
    ">=": (a, b) => Number(a >= b)
  },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.trunc(a / b), "%": (a, b) => a % b }
]

const tokenize = (source: string): ReadonlyArray<string> | undefined => {
  const found: Array<string> = []
  tokens.lastIndex = 0
  while (tokens.lastIndex < source.length) {
    const token = tokens.exec(source)
    if (token === null) return undefined
    found.push(token[1]!)
  }
  return found
}

/** Longer ones are not read, which bounds the recursion. */
const maxLength = 1000

/** An expression of C with the variable `n`; `undefined` if it is malformed. */
export const parseExpression = (source: string): Expression | undefined => {
  const found = source.length > maxLength ? undefined : tokenize(source.trim())
  if (found === undefined) return undefined
  let at = 0
  const take = (token: string) => {
    const isNext = found[at] === token
    if (isNext) at++
    return isNext
  }
  const unary = (): Expression | undefined => {
    if (take("!")) {
      const operand = unary()
      return operand && ((n) => Number(operand(n) === 0))
    }
    if (take("(")) {
      const inner = conditional()
      return take(")") ? inner : undefined
    }
    const token = found[at++]
    if (token === "n") return (n) => n
    const number = Number(token)
    return token !== undefined && /^\d/.test(token) ? () => number : undefined
  }
  const binary = (level: number): Expression | undefined => {
    const operators = levels[level]
    if (operators === undefined) return unary()
    let left = binary(level + 1)
    while (left !== undefined && found[at] !== undefined && Object.hasOwn(operators, found[at]!)) {
      const operator = operators[found[at++]!]!
      const first: Expression = left
      const second = binary(level + 1)
      left = second && ((n) => operator(first(n), second(n)))
    }
    return left
  }
  const conditional = (): Expression | undefined => {
    const test = binary(0)
    if (test === undefined || !take("?")) return test
    const yes = conditional()
    const no = take(":") ? conditional() : undefined
    return yes && no && ((n) => (test(n) !== 0 ? yes(n) : no(n)))
  }
  const expression = conditional()
  return at === found.length ? expression : undefined
}

const make = (count: number, expression: Expression, header: string): PluralForms => {
  const ofOne = expression(1)
  const others = new Set(integers.filter((number) => number !== 1).map(expression))
  const isOfOne = (index: number) => index === ofOne && index !== expression(2)
  return { count, header, isSingular: (index) => index === ofOne && !others.has(index), isOfOne }
}

/** More forms than any language has are a mistake. */
const maxCount = 20

/**
 * The value of `Plural-Forms:`; `undefined` if it is a template's or malformed. As gettext, it looks for the names, in any surroundings.
 */
export const parsePluralForms = (header: string): PluralForms | undefined => {
  const count = /nplurals\s*=\s*(\d+)/.exec(header)?.[1]
  const source = /\bplural\s*=([^;]*)/.exec(header)?.[1]
  const expression = source === undefined ? undefined : parseExpression(source)
  const isCount = Number(count) >= 1 && Number(count) <= maxCount
  return expression !== undefined && isCount ? make(Number(count), expression, header.trim()) : undefined
}

const one = "nplurals=1; plural=0;"
const germanic = "nplurals=2; plural=(n != 1);"
const french = "nplurals=2; plural=(n > 1);"
const slavic =
  "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"
const czech = "nplurals=3; plural=(n==1) ? 0 : (n>=2 && n<=4) ? 1 : 2;"

/** The headers of `msginit` (`plural-table.c` of gettext), and, for languages that it does not know, those that their teams use. */
const headers: ReadonlyArray<readonly [languages: string, header: string]> = [
  ["ja vi ko zh th id ms lo my km bo dz jv su yo wo ig", one],
  ["pt_BR fr br oc ln mg ti wa fil tl am gun", french],
  ["ru uk be sr hr bs sh", slavic],
  ["cs sk", czech],
  ["lv", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);"],
  ["ga", "nplurals=3; plural=n==1 ? 0 : n==2 ? 1 : 2;"],
  ["ro", "nplurals=3; plural=n==1 ? 0 : (n==0 || (n%100 > 0 && n%100 < 20)) ? 1 : 2;"],
  ["lt", "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);"],
  ["pl", "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);"],
  ["sl", "nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);"],
  [
    "ar",
    "nplurals=6; plural=n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5;"
  ],
  ["cy", "nplurals=4; plural=(n==1) ? 0 : (n==2) ? 1 : (n != 8 && n != 11) ? 2 : 3;"],
  ["gd", "nplurals=4; plural=(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n > 2 && n < 20) ? 2 : 3;"],
  [
    "mt",
    "nplurals=4; plural=(n==1 ? 0 : n==0 || (n%100>1 && n%100<11) ? 1 : (n%100>10 && n%100<20) ? 2 : 3);"
  ],
  ["is", "nplurals=2; plural=(n%10!=1 || n%100==11);"],
  ["mk", "nplurals=2; plural=(n%10==1 && n%100!=11 ? 0 : 1);"]
]

const known = new Map(
  headers.flatMap(([languages, header]) => languages.split(" ").map((name) => [name, header]))
)

/** The plural forms of a language, as gettext writes them; those of English for languages that are not known. */
export const pluralFormsOf = (language: string): PluralForms => {
  const name = language.replace(/-r(?=[A-Z]{2}$)/, "-").replaceAll("-", "_")
  const header =
    known.get(name.replace(/^pt_br$/i, "pt_BR")) ?? known.get(name.split("_")[0]!.toLowerCase()) ?? germanic
  return parsePluralForms(header)!
}
