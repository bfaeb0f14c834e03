import { fractions, integers, type Kind, type Rules, rulesOf } from "../PluralRules.js"

/** The rules of both sides of a translation. A side whose rules are not known has those of the other. */
export const rulesFor = (
  source: string | undefined,
  target: string | undefined,
  kind: Kind,
  keys: ReadonlyArray<string>
): { readonly source: Rules; readonly target: Rules } => {
  const english = rulesOf("en", kind)!
  const ofTarget = target === undefined ? undefined : rulesOf(target, kind)
  const ofSource = source === undefined ? undefined : rulesOf(source, kind)
  const isEnglish = keys.every((key) => key.startsWith("=") || english.categories.includes(key))
  // Where the source language is not told, its branches are: those that English has, or else those of the target.
  const guessed = isEnglish ? english : (ofTarget ?? english)
  return { source: ofSource ?? guessed, target: ofTarget ?? ofSource ?? guessed }
}

/** A branch of the target, and the number that stands for all of its numbers. */
export interface Branch {
  readonly key: string
  readonly number: number
}

/** A group of numbers that get a branch of the target. */
interface Group {
  /** Which branches of the source these numbers have. */
  readonly keys: ReadonlyArray<string>
  readonly numbers: Array<number>
  /** True if the sentence names the number. Then it is right for all numbers of its category. */
  readonly showsNumber: boolean
}

/** Numbers up to here are rare enough for branches of their own. */
const few = 12

/** A plural argument, apart from the content of its branches. */
export interface Argument {
  readonly offset: number
  readonly rules: { readonly source: Rules; readonly target: Rules }
  /** The numbers that have branches of their own in the source. */
  readonly explicit: ReadonlyArray<number>
  /** The branches that the source has for a number, one for each time that it uses the argument. */
  readonly keysOf: (number: number) => ReadonlyArray<string>
  /** True if these branches name the number. */
  readonly showsNumber: (keys: ReadonlyArray<string>) => boolean
}

/**
 * The branches of the target: the numbers of the source, then a branch for each plural category of the target. A
 * category whose numbers have several branches in the source takes the most common one. The others, if they are of few
 * numbers, become branches for these numbers: `one {a file}` for 1, where the `one` of Russian is for 21, too.
 */
export const branches = (argument: Argument): ReadonlyArray<Branch> => {
  const explicit = [...argument.explicit]
  const categories: Array<Branch> = []
  const whole = groupsOf(argument, integers)
  const fractional = groupsOf(
    argument,
    fractions.map((fraction) => fraction + argument.offset)
  )
  for (const key of argument.rules.target.categories) {
    const groups = whole.get(key) ?? fractional.get(key) ?? []
    const chosen = choose(groups, key)
    if (chosen === undefined) continue
    const sample = chosen.numbers.find((number) => number - argument.offset >= 2) ?? chosen.numbers.at(-1)!
    categories.push({ key, number: sample })
    for (const group of groups) {
      const isCovered = group === chosen || (group.showsNumber && chosen.showsNumber)
      if (!isCovered && group.numbers.at(-1)! < few) explicit.push(...group.numbers)
    }
  }
  if (!categories.some(({ key }) => key === "other")) categories.push({ key: "other", number: 1000 })
  const numbers = [...new Set(explicit)].sort((a, b) => a - b)
  return [...numbers.map((number) => ({ key: `=${number}`, number })), ...categories]
}

/** Numbers by the category of the target, and within it by their branches in the source. */
const groupsOf = (
  { explicit, keysOf, offset, rules, showsNumber }: Argument,
  numbers: ReadonlyArray<number>
): ReadonlyMap<string, ReadonlyArray<Group>> => {
  const own = new Set(explicit)
  const byCategory = new Map<string, Map<string, Group>>()
  for (const number of numbers) {
    if (own.has(number)) continue
    const category = rules.target.select(number - offset)
    const groups = byCategory.get(category) ?? new Map<string, Group>()
    byCategory.set(category, groups)
    const keys = keysOf(number)
    const id = keys.join(" ")
    const group = groups.get(id)
    if (group === undefined) groups.set(id, { keys, numbers: [number], showsNumber: showsNumber(keys) })
    else group.numbers.push(number)
  }
  return new Map([...byCategory].map(([category, groups]) => [category, [...groups.values()]]))
}

const choose = (groups: ReadonlyArray<Group>, category: string): Group | undefined => {
  const showing = groups.filter(({ showsNumber }) => showsNumber)
  const [first, ...others] = showing.length === 0 ? groups : showing
  const same = showing.find(({ keys }) => keys.includes(category))
  return (
    same ??
    others.reduce((most, group) => (group.numbers.length > (most?.numbers.length ?? 0) ? group : most), first)
  )
}
