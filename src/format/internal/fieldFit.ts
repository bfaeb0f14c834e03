/** The fit of selectors and the values of a file: where they find no text, and why. */
import * as Either from "effect/Either"
import type { Problem } from "../Format.js"
import { maxDepth } from "./json/jsonDocument.js"
import type { Fit } from "./parts.js"
import { pathKey, patternsOf, type Segment, type State, start } from "./selector.js"

/** The most fields that are named of a file in which a selector finds nothing, and the first values in which they are looked for. */
const mostFields = 10
const mostSamples = 100

/** The most values that are named as no texts. */
const mostKeys = 20

interface Pattern {
  readonly name: string
  readonly segments: ReadonlyArray<Segment>
  /** The state of this pattern alone, if it finds texts at any depth: nothing is missing for it then. */
  readonly state: State | undefined
  isFound: boolean
}

/** The steps to a value, from the last one back. */
interface Way {
  readonly before: Way | undefined
  readonly step: string | number
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Finds out if a value has something at a place of a pattern. */
const leads = (value: unknown, state: State): boolean =>
  state.isSelected ||
  (!state.isDead &&
    isContainer(value) &&
    Object.entries(value).some(([key, child]) =>
      leads(child, state.step(Array.isArray(value) ? Number(key) : key))
    ))

/** The places of strings in a value. */
const fieldsIn = (value: unknown, fields: Set<string>): void => {
  const visit = (value: unknown, path: ReadonlyArray<string | number>): void => {
    if (fields.size > mostFields || path.length > maxDepth) return
    // A value that is a string itself is selected by `**`.
    if (typeof value === "string") fields.add(pathKey(path).replaceAll(/\[\d+\]/g, "[*]") || "**")
    else if (isContainer(value))
      for (const [key, child] of Object.entries(value))
        visit(child, [...path, Array.isArray(value) ? Number(key) : key])
  }
  visit(value, [])
}

/** The steps of a segment from a value; `undefined` if the value is of a kind that has no such steps. */
const childrenOf = (
  value: unknown,
  segment: Exclude<Segment, { readonly tag: "anyDepth" }>
): ReadonlyArray<readonly [step: string | number, child: unknown]> | undefined => {
  if (!isContainer(value)) return undefined
  const isList = Array.isArray(value)
  if (segment.tag === "step") {
    const { step } = segment
    if (isList !== (typeof step === "number")) return undefined
    return Object.hasOwn(value, step) ? [[step, (value as Record<string | number, unknown>)[step]]] : []
  }
  if (segment.tag !== "any" && !isList) return undefined
  return Object.entries(value).map(([key, child]) => [isList ? Number(key) : key, child])
}

export const make = (select: ReadonlyArray<string>): Either.Either<Fit, Problem> =>
  Either.gen(function* () {
    const parsed = yield* patternsOf(select)
    const patterns: Array<Pattern> = []
    for (const [index, segments] of parsed.entries()) {
      const name = select[index]!
      const isDeep = segments.some(({ tag }) => tag === "anyDepth")
      patterns.push({ name, segments, state: isDeep ? yield* start([name]) : undefined, isFound: false })
    }
    return makeFit(patterns)
  })

const makeFit = (patterns: ReadonlyArray<Pattern>): Fit => {
  const fields = new Set<string>()
  let values = 0
  let absent = 0
  let noTexts = 0
  const keys: Array<string> = []

  let inFront: string | number = ""
  const refuse = (pattern: Pattern, way: Way | undefined): void => {
    pattern.isFound = true
    noTexts++
    if (keys.length === mostKeys) return
    const path: Array<string | number> = []
    for (let at = way; at !== undefined; at = at.before) path.unshift(at.step)
    keys.push(typeof inFront === "number" ? pathKey([inFront, ...path]) : inFront + pathKey(path))
  }

  /** `isAny` is of a value that `*` has led to: it may be of any kind. */
  const visit = (
    pattern: Pattern,
    at: number,
    value: unknown,
    way: Way | undefined,
    isAny: boolean
  ): void => {
    const segment = pattern.segments[at]
    if (segment?.tag === "row" && !Array.isArray(value)) {
      visit(pattern, at + 1, value, way, isAny)
      return
    }
    if (value === null) absent++
    if (value === undefined) pattern.isFound = true
    else if (segment === undefined) {
      if (typeof value === "string" || value === null || isAny) pattern.isFound = true
      else refuse(pattern, way)
    } else if (value !== null && segment.tag !== "anyDepth") {
      const children = childrenOf(value, segment)
      if (children === undefined) {
        if (!isAny) refuse(pattern, way)
      } else if (children.length > 0) {
        for (const [step, child] of children)
          visit(pattern, at + 1, child, { before: way, step }, segment.tag === "any")
      } else if (segment.tag !== "step") pattern.isFound = true
      else if (!isAny) absent++
    }
  }

  return {
    add: (value, before = "") => {
      values++
      inFront = before
      for (const pattern of patterns) {
        if (pattern.state === undefined) visit(pattern, 0, value, undefined, false)
        else pattern.isFound ||= leads(value, pattern.state)
      }
      if (values <= mostSamples && patterns.some(({ isFound }) => !isFound)) fieldsIn(value, fields)
    },
    problem: () => {
      if (fields.size === 0 || patterns.some(({ isFound }) => isFound)) return undefined
      const value = patterns.map(({ name }) => name).join(", ")
      const known = knownOf(fields)
      return {
        choice: { option: "select", value, known },
        message: `no text is at ${value}, but at ${known}: correct \`select\`.`
      }
    },
    selection: () => {
      const [found, lacks] = [true, false].map((isFound) =>
        patterns.filter((pattern) => pattern.isFound === isFound).map(({ name }) => name)
      )
      return {
        option: "select",
        found: found!,
        lacks: values === 0 ? [] : lacks!,
        known: knownOf(fields),
        absent,
        noTexts,
        keys
      }
    }
  }
}

const knownOf = (fields: ReadonlySet<string>): string =>
  [...[...fields].slice(0, mostFields), ...(fields.size > mostFields ? ["…"] : [])].join(", ")
