import { type MessageFormatElement, type PluralElement, TYPE } from "@formatjs/icu-messageformat-parser"
import type { Languages, Part } from "../MessageFormat.js"
import type { Kind } from "../PluralRules.js"
import * as messagePlurals from "./messagePlurals.js"

type Elements = ReadonlyArray<MessageFormatElement>

/** An element that has branches. */
type Selector = Extract<MessageFormatElement, { options: unknown }>

/** A choice that was made for an argument: its number if it is one, and which branches are taken. */
interface Choice {
  readonly argument: string
  readonly number: number | undefined
  readonly keyOf: (selector: Selector) => string
}

/** The choices for selectors, by the ids of their arguments. */
type Choices = ReadonlyMap<string, Choice>

/** A message in the target language: branches around sentences. */
export type Tree =
  | { readonly sentence: number; readonly isPlural: boolean }
  | { readonly head: string; readonly branches: ReadonlyArray<readonly [key: string, tree: Tree]> }

/** A message with more branches, or more arguments that have some, is too large to be translated branch by branch. */
const mostBranches = 200
const mostSelectors = 16

const isSelector = (element: MessageFormatElement): element is Selector =>
  element.type === TYPE.select || element.type === TYPE.plural

const kindOf = (selector: Selector): Kind | "select" =>
  selector.type === TYPE.select ? "select" : selector.pluralType === "ordinal" ? "selectordinal" : "plural"

const offsetOf = (selector: Selector): number => (selector.type === TYPE.select ? 0 : selector.offset)

/** The id of a selector's argument. Selectors with the same id are decided together. */
const idOf = (selector: Selector): string => `${kindOf(selector)} ${offsetOf(selector)} ${selector.value}`

const keysOf = (selector: Selector): ReadonlyArray<string> => Object.keys(selector.options)

/** A branch of a selector, or else the branch for all others. */
const keyOr = (selector: Selector, key: string): string =>
  Object.hasOwn(selector.options, key) ? key : "other"

/** All selectors that matter once choices are made. */
const selectorsIn = (elements: Elements, choices: Choices): ReadonlyArray<Selector> =>
  elements.filter(isSelector).flatMap((selector) => {
    const choice = choices.get(idOf(selector))
    return [selector, ...taken(selector, choice).flatMap((branch) => selectorsIn(branch, choices))]
  })

const taken = (selector: Selector, choice: Choice | undefined): ReadonlyArray<Elements> =>
  choice === undefined
    ? Object.values(selector.options).map(({ value }) => value)
    : [selector.options[choice.keyOf(selector)]!.value]

/** Turns the branches of a message inside out, so that each branch of an argument holds the text around it. */
export class Expansion {
  readonly sentences: Array<ReadonlyArray<Part>> = []
  private readonly indices = new Map<string, number>()
  private count = 0

  constructor(
    private readonly message: string,
    private readonly elements: Elements,
    private readonly languages: Languages
  ) {}

  /** The branches; `undefined` if they are too many, or can't be turned inside out. */
  expand(choices: Choices = new Map(), innermost?: string): Tree | undefined {
    const open = selectorsIn(this.elements, choices).filter((selector) => !choices.has(idOf(selector)))
    if (choices.size === 0 && new Set(open.map(idOf)).size > mostSelectors) return undefined
    // `#` is a number only directly in a plural, so plurals are inside; `#` less an offset has no other way to be said.
    const [next] = [...open].sort((a, b) => rank(a) - rank(b))
    if (next === undefined) return this.leaf(choices, innermost)
    const id = idOf(next)
    const same = open.filter((selector) => idOf(selector) === id)
    const branches: Array<readonly [key: string, tree: Tree]> = []
    for (const [key, choice] of next.type === TYPE.select
      ? cases(next.value, same)
      : this.plurals(next, same)) {
      const tree = this.expand(new Map(choices).set(id, choice), id)
      if (tree === undefined) return undefined
      branches.push([key, tree])
    }
    const offset = offsetOf(next) === 0 ? "" : ` offset:${offsetOf(next)}`
    return { head: `${next.value}, ${kindOf(next)},${offset}`, branches }
  }

  private leaf(choices: Choices, innermost: string | undefined): Tree | undefined {
    if (++this.count > mostBranches) return undefined
    const parts = this.partsOf(this.elements, choices, undefined, innermost)
    if (parts === undefined) return undefined
    const key = JSON.stringify(parts)
    const sentence = this.indices.get(key) ?? this.sentences.push(parts) - 1
    this.indices.set(key, sentence)
    return { sentence, isPlural: innermost !== undefined && !innermost.startsWith("select ") }
  }

  private plurals(next: PluralElement, same: ReadonlyArray<Selector>): ReadonlyArray<[string, Choice]> {
    const kind = next.pluralType === "ordinal" ? "selectordinal" : "plural"
    const { offset } = next
    const keys = same.flatMap(keysOf)
    const { sourceLang, targetLang } = this.languages
    const rules = messagePlurals.rulesFor(sourceLang, targetLang, kind, keys)
    const keyFor = (number: number) => (selector: Selector) =>
      Object.hasOwn(selector.options, `=${number}`)
        ? `=${number}`
        : keyOr(selector, rules.source.select(number - offset))
    const branches = messagePlurals.branches({
      offset,
      rules,
      explicit: keys.filter((key) => key.startsWith("=")).map((key) => Number(key.slice(1))),
      keysOf: (number) => same.map(keyFor(number)),
      showsNumber: (keys) =>
        showsNumber(this.elements, next.value) ||
        same.some((selector, index) => showsNumber(selector.options[keys[index]!]!.value, next.value, true))
    })
    return branches.map(({ key, number }) => [key, { argument: next.value, number, keyOf: keyFor(number) }])
  }

  /** The sentence that is left of elements when all choices are made. */
  private partsOf(
    elements: Elements,
    choices: Choices,
    plural: PluralElement | undefined,
    innermost: string | undefined
  ): ReadonlyArray<Part> | undefined {
    const parts: Array<Part> = []
    for (const element of elements) {
      const found = this.partsOfOne(element, choices, plural, innermost)
      if (found === undefined) return undefined
      parts.push(...found)
    }
    return parts
  }

  private partsOfOne(
    element: MessageFormatElement,
    choices: Choices,
    plural: PluralElement | undefined,
    innermost: string | undefined
  ): ReadonlyArray<Part> | undefined {
    if (element.type === TYPE.literal) return [{ text: element.value, placeholder: undefined }]
    if (element.type === TYPE.pound) return pound(plural!, choices, innermost)
    if (isSelector(element)) {
      const branch = element.options[choices.get(idOf(element))!.keyOf(element)]!.value
      return this.partsOf(branch, choices, element.type === TYPE.plural ? element : undefined, innermost)
    }
    const { end, start } = element.location!
    const placeholder = this.message.slice(start.offset, end.offset)
    const number = isBareNumber(element) ? numberOf(element.value, choices) : undefined
    return [{ text: number === undefined ? placeholder : String(number), placeholder }]
  }
}

const rank = (selector: Selector): number =>
  selector.type === TYPE.select ? 0 : selector.offset === 0 ? 1 : 2

const cases = (argument: string, same: ReadonlyArray<Selector>): ReadonlyArray<[string, Choice]> => {
  const keys = new Set([...same.flatMap(keysOf).filter((key) => key !== "other"), "other"])
  return [...keys].map((key) => [
    key,
    { argument, number: undefined, keyOf: (selector) => keyOr(selector, key) }
  ])
}

/** `{n}` or `{n, number}`. */
const isBareNumber = (element: MessageFormatElement): boolean =>
  element.type === TYPE.argument || (element.type === TYPE.number && !element.style)

/** True if elements name the number of an argument: by `#` if they are in its plural, or by the argument itself. */
const showsNumber = (elements: Elements, argument: string, isPlural = false): boolean =>
  elements.some(
    (element) =>
      (isPlural && element.type === TYPE.pound) ||
      (isBareNumber(element) && "value" in element && element.value === argument)
  )

/** The number that was chosen for an argument. */
const numberOf = (argument: string, choices: Choices): number | undefined => {
  for (const choice of choices.values()) if (choice.argument === argument) return choice.number
  return undefined
}

/** `#`, which outside of its own plural has to be written in full. */
const pound = (
  plural: PluralElement,
  choices: Choices,
  innermost: string | undefined
): ReadonlyArray<Part> | undefined => {
  const id = idOf(plural)
  const text = String(choices.get(id)!.number! - plural.offset)
  if (id === innermost) return [{ text, placeholder: "#" }]
  return plural.offset === 0 ? [{ text, placeholder: `{${plural.value}, number}` }] : undefined
}
