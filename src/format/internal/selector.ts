import * as Either from "effect/Either"
import type { Problem } from "../Format.js"

/** Returns `true` if a value is selected, by the keys and indices that lead to it. */
export type Selector = (path: ReadonlyArray<string | number>) => boolean

/** Where a walk is in all patterns at once. A step is one key of an object or one index of an array. */
export interface State {
  readonly isSelected: boolean
  /** Nothing below is selected. */
  readonly isDead: boolean
  readonly step: (step: string | number) => State
}

/** A piece of a pattern. */
export type Segment =
  | { readonly tag: "step"; readonly step: string | number }
  | { readonly tag: "any" }
  | { readonly tag: "anyIndex" }
  | { readonly tag: "anyDepth" }
  /** Each item of a list, or else the value itself. */
  | { readonly tag: "row" }

const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const bracket = new RegExp(String.raw`\[(?:(\d+)|(\*)|(${quoted}))\]`, "y")
const name = /(\*\*?(?=[.[]|$)|[^.[\]*"]+)/y

const bracketSegment = ([, index, star, key]: RegExpExecArray): Either.Either<Segment, unknown> =>
  star !== undefined
    ? Either.right({ tag: "anyIndex" })
    : index !== undefined
      ? Either.right({ tag: "step", step: Number(index) })
      : Either.try((): Segment => ({ tag: "step", step: JSON.parse(key!) as string }))

const nameSegment = (text: string): Segment =>
  text === "**" ? { tag: "anyDepth" } : text === "*" ? { tag: "any" } : { tag: "step", step: text }

const malformed = (pattern: string): Problem => ({
  message: `the selector ${JSON.stringify(pattern)} cannot be read: write names and * between dots, ** for any depth, [*] or [0] for items of arrays, and ["a.b"] for other keys.`
})

const parse = (pattern: string): Either.Either<ReadonlyArray<Segment>, Problem> => {
  const segments: Array<Segment> = []
  let position = 0
  while (position < pattern.length || segments.length === 0) {
    bracket.lastIndex = position
    const inBrackets = bracket.exec(pattern)
    if (inBrackets !== null) {
      const segment = bracketSegment(inBrackets)
      if (Either.isLeft(segment)) return Either.left(malformed(pattern))
      segments.push(segment.right)
      position = bracket.lastIndex
      continue
    }
    if (segments.length > 0) {
      if (pattern[position] !== ".") return Either.left(malformed(pattern))
      position++
    }
    name.lastIndex = position
    const named = name.exec(pattern)
    if (named === null) return Either.left(malformed(pattern))
    segments.push(nameSegment(named[0]))
    position = name.lastIndex
  }
  const [first] = segments
  if (first?.tag === "step" && typeof first.step === "string") segments.unshift({ tag: "row" })
  return Either.right(segments)
}

/** A place in a pattern: the segments that are still to come. */
interface Place {
  readonly pattern: ReadonlyArray<Segment>
  readonly next: number
}

/** `**` and a row may stand for nothing, so the place behind them is reached with them. */
const reach = (places: ReadonlyArray<Place>): ReadonlyArray<Place> => {
  const reached: Array<Place> = []
  for (const { next, pattern } of places) {
    for (let at = next; at <= pattern.length; at++) {
      if (!reached.some((place) => place.pattern === pattern && place.next === at)) {
        reached.push({ pattern, next: at })
      }
      if (pattern[at]?.tag !== "anyDepth" && pattern[at]?.tag !== "row") break
    }
  }
  return reached
}

const after = ({ next, pattern }: Place, step: string | number | null, isIndex: boolean): Array<Place> => {
  const segment = pattern[next]
  return segment === undefined
    ? []
    : segment.tag === "anyDepth"
      ? [{ pattern, next }]
      : segment.tag === "any" || (segment.tag === "step" ? segment.step === step : isIndex)
        ? [{ pattern, next: next + 1 }]
        : []
}

const dead: State = { isSelected: false, isDead: true, step: () => dead }

/** States are made when a walk comes to them. Keys that no pattern names share one, so that a file cannot fill the memory. */
const makeState = (places: ReadonlyArray<Place>): State => {
  if (places.length === 0) return dead
  const named = new Set(
    places.flatMap(({ next, pattern }) => {
      const segment = pattern[next]
      return segment?.tag === "step" ? [segment.step] : []
    })
  )
  /** `null` is any other key, -1 any other index. */
  const known = new Map<string | number | null, State>()
  return {
    isSelected: places.some(({ next, pattern }) => next === pattern.length),
    isDead: places.every(({ next, pattern }) => next === pattern.length),
    step: (step) => {
      const isIndex = typeof step === "number"
      const at = named.has(step) ? step : isIndex ? -1 : null
      const made = known.get(at)
      if (made !== undefined) return made
      const state = makeState(reach(places.flatMap((place) => after(place, at, isIndex))))
      known.set(at, state)
      return state
    }
  }
}

/** The pieces of patterns, or the problem of one. */
export const patternsOf = (
  patterns: ReadonlyArray<string>
): Either.Either<ReadonlyArray<ReadonlyArray<Segment>>, Problem> =>
  patterns.length === 0
    ? Either.left({
        choice: { option: "select" },
        message: "no field is chosen: name some in `select`, such as title."
      })
    : Either.all(patterns.map(parse))

/** The state before the first step, or the problem of a pattern. */
export const start = (patterns: ReadonlyArray<string>): Either.Either<State, Problem> =>
  Either.map(patternsOf(patterns), (parsed) =>
    makeState(reach(parsed.map((pattern) => ({ pattern, next: 0 }))))
  )

/**
 * The values that at least one pattern selects, or the problem of a pattern.
 *
 * Names are joined by dots: `title`, `seo.description`. `*` stands for one key or index, `**` for any number of them, none
 * included; `[*]` is each item of an array, `[0]` its first, and `["a.b"]` a key with other characters. Where the root is an
 * array, a path that begins with a name begins at each of its items.
 */
export const make = (patterns: ReadonlyArray<string>): Either.Either<Selector, Problem> =>
  Either.map(start(patterns), (state) => (path) => {
    let at = state
    for (const step of path) {
      if (at.isDead) return false
      at = at.step(step)
    }
    return at.isSelected
  })

const plainName = /^[^.[\]*"\u0000-\u001f]+$/

/** The key of a path that is one step longer than the first key's. */
export const stepKey = (key: string, step: string | number): string =>
  typeof step === "number"
    ? `${key}[${step}]`
    : !plainName.test(step)
      ? `${key}[${JSON.stringify(step)}]`
      : key === ""
        ? step
        : `${key}.${step}`

/** A path as a selector writes it: `a.b[0].c`, keys with other characters quoted: `a["x.y"]`. */
export const pathKey = (path: ReadonlyArray<string | number>): string => path.reduce<string>(stepKey, "")

/** The array that an item of a path is in. */
export const arrayOf = (key: string): string | undefined => /^(.*?)\[\d+\]/s.exec(key)?.[1]
