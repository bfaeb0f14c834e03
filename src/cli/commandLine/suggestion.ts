/** Suggests the name that a person may have meant. */

const bare = (name: string) => name.replace(/^-+/, "")

/** The number of letters to add, remove or exchange (Levenshtein). */
const distanceOf = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (let index = 0; index < other.length; index++) {
      next.push(
        Math.min(row[index + 1]! + 1, next[index]! + 1, row[index]! + (letter === other[index] ? 0 : 1))
      )
    }
    row = next
  }
  return row.at(-1)!
}

/** The name that begins as one does, or else the one that it is nearest to, if it is near. */
export const nearest = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const begun = names.find((other) => bare(name).length > 1 && bare(other).startsWith(bare(name)))
  if (begun !== undefined) return begun
  const distance = (other: string) => distanceOf(bare(name), bare(other))
  const [best] = names
    .filter((other) => distance(other) <= Math.ceil(bare(other).length / 3))
    .toSorted((one, other) => distance(one) - distance(other))
  return best
}

/** ` Did you mean "de"?`, or nothing. */
export const didYouMean = (name: string, names: ReadonlyArray<string>): string => {
  const found = nearest(name, names)
  return found === undefined ? "" : ` Did you mean "${found}"?`
}
