import * as Either from "effect/Either"
import type { Problem } from "../Format.js"
import { pathKey, type State } from "./selector.js"

/** How many fields are named. */
const mostFields = 10

/** Where the strings of values are, and whether a selector leads to anything, or to a list or an object that happens to be empty. */
const walk = (values: ReadonlyArray<unknown>, start: State) => {
  const fields = new Set<string>()
  let isFound = false
  const visit = (value: unknown, path: ReadonlyArray<string | number>, state: State): void => {
    if (state.isSelected) isFound = true
    // A value that is a string itself is selected by `**`.
    if (typeof value === "string") fields.add(pathKey(path).replaceAll(/\[\d+\]/g, "[*]") || "**")
    const children = typeof value === "object" && value !== null ? Object.entries(value) : []
    if (children.length === 0) {
      if (!state.isDead && typeof value !== "string" && typeof value !== "number") isFound = true
      return
    }
    for (const [key, child] of children) {
      const step = Array.isArray(value) ? Number(key) : key
      visit(child, [...path, step], state.isDead ? state : state.step(step))
    }
  }
  for (const value of values) visit(value, [], start)
  return { fields: Array.from(fields), isFound }
}

/** The problem of values with strings in which selectors find none, as one does that is misspelt. */
export const problemOf = (
  values: ReadonlyArray<unknown>,
  select: ReadonlyArray<string>,
  start: State
): Problem | undefined => {
  const { fields, isFound } = walk(values, start)
  if (isFound || fields.length === 0) return undefined
  const value = select.join(", ")
  const known = [...fields.slice(0, mostFields), ...(fields.length > mostFields ? ["…"] : [])].join(", ")
  return {
    choice: { option: "select", value, known },
    message: `it has no ${value}, but ${known}: correct the option "select".`
  }
}

/** The same of texts that are JSON. */
export const problemOfJson = (
  texts: ReadonlyArray<string>,
  select: ReadonlyArray<string>,
  start: State
): Problem | undefined => {
  const values = texts.flatMap((text) =>
    Either.match(
      Either.try(() => JSON.parse(text.replace(/^\uFEFF/, "")) as unknown),
      {
        onLeft: () => [],
        onRight: (value) => [value]
      }
    )
  )
  return problemOf(values, select, start)
}
