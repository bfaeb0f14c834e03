/**
 * The patterns of placeholders, as regular expressions.
 *
 * @internal
 */
import { memoizedBy } from "../internal/memoizedBy.js"
import { names, table } from "./internal/syntaxTable.js"

export { tag } from "./internal/syntaxTable.js"

/** The kinds of placeholders that are known. The mark of this module takes its first import out of the declarations. */
export type Kind = import("./internal/syntaxTable.js").Name

/** The kinds that there were first: stores keep apart the translations by different ones of them, and by no others. */
const counted = ["braces", "printf", "tags"] as const satisfies ReadonlyArray<Kind>

/** Those of these kinds that translations in stores depend on. */
export const countedOf = (kinds: ReadonlyArray<Kind> = counted): ReadonlyArray<Kind> =>
  kinds.filter((kind) => counted.some((each) => each === kind))

/** Those that can't be prose. */
export const every: ReadonlyArray<Kind> = [
  ...counted,
  ...names.filter((name) => table[name].knownIn?.includes("rows"))
]

/** Lists of kinds are constants of formats, and options of long streams. */
const compiled = /* #__PURE__ */ memoizedBy((kinds: ReadonlyArray<Kind>): RegExp => {
  // In the order of the table: of two that begin at one place, the first is meant.
  const sources = names.flatMap((name) => (kinds.includes(name) ? table[name].patterns : []))
  return new RegExp(sources.join("|"), "g")
})

/** Finds all placeholders of these kinds; `undefined` for none. */
export const pattern = (kinds: ReadonlyArray<Kind>): RegExp | undefined =>
  kinds.length === 0 ? undefined : compiled(kinds)

/** Finds placeholders where nothing tells which kinds there are. */
export const all = pattern([...counted, "percent"])!
