/** Alignment of two lists of texts: which of one is which of the other, where all that says so is their order and their likeness. */

/** A pair of places in two lists. */
export type Pair = readonly [first: number, second: number]

/** The longest run of pairs that rise in both lists. */
export const rising = (pairs: ReadonlyArray<Pair>): ReadonlyArray<Pair> => {
  const sorted = [...pairs].sort(([a], [b]) => a - b)
  /** By length, the last pair of the run that ends lowest. */
  const ends: Array<number> = []
  const before: Array<number | undefined> = []
  sorted.forEach(([, second], index) => {
    let low = 0
    let high = ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[ends[middle]!]![1] < second) low = middle + 1
      else high = middle
    }
    before[index] = ends[low - 1]
    ends[low] = index
  })
  const run: Array<Pair> = []
  for (let index = ends.at(-1); index !== undefined; index = before[index]) run.unshift(sorted[index]!)
  return run
}

/** Pairs the places that are left, in their order, where as many of both lists are between the same pairs. */
export const between = (
  anchors: ReadonlyArray<Pair>,
  first: ReadonlyArray<number>,
  second: ReadonlyArray<number>
): ReadonlyArray<Pair> => {
  const end: Pair = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  const found: Array<Pair> = []
  let i = 0
  let j = 0
  for (const [a, b] of [...rising(anchors), end]) {
    const [from, to] = [i, j]
    while (i < first.length && first[i]! < a) i++
    while (j < second.length && second[j]! < b) j++
    if (i - from !== j - to) continue
    for (let place = 0; place < i - from; place++) found.push([first[from + place]!, second[to + place]!])
  }
  return found
}

/** The number of each run of three characters in a text. */
const trigramsOf = (text: string): ReadonlyMap<string, number> => {
  const characters = ` ${text.toLowerCase()} `
  const counts = new Map<string, number>()
  for (let place = 0; place + 3 <= characters.length; place++) {
    const trigram = characters.slice(place, place + 3)
    counts.set(trigram, (counts.get(trigram) ?? 0) + 1)
  }
  return counts
}

/** The share of their runs of three characters that two texts have in common, from 0 to 1. */
const likeness = (first: ReadonlyMap<string, number>, second: ReadonlyMap<string, number>): number => {
  let common = 0
  let all = 0
  for (const [trigram, count] of first) {
    common += Math.min(count, second.get(trigram) ?? 0)
    all += count
  }
  for (const count of second.values()) all += count
  return all === 0 ? 0 : (2 * common) / all
}

/** The least likeness of a text and its later version. */
const least = 0.5

/** The most comparisons: two lists of which more would be needed are left to their order. */
const mostComparisons = 250_000

/** Pairs texts with the likest of the others, the likest pairs first. */
export const alike = (
  first: ReadonlyArray<readonly [place: number, text: string]>,
  second: ReadonlyArray<readonly [place: number, text: string]>
): ReadonlyArray<Pair> => {
  if (first.length * second.length > mostComparisons) return []
  const others = second.map(([place, text]) => ({ place, trigrams: trigramsOf(text) }))
  const scored = first.flatMap(([place, text]) => {
    const trigrams = trigramsOf(text)
    return others.map((other) => ({
      pair: [place, other.place] as Pair,
      score: likeness(trigrams, other.trigrams)
    }))
  })
  const taken = { first: new Set<number>(), second: new Set<number>() }
  const found: Array<Pair> = []
  for (const { pair, score } of scored.sort((a, b) => b.score - a.score)) {
    if (score < least) break
    if (taken.first.has(pair[0]) || taken.second.has(pair[1])) continue
    taken.first.add(pair[0])
    taken.second.add(pair[1])
    found.push(pair)
  }
  return found
}
