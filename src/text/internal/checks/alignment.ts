/**
 * Aligns the sentences of a text with those of its translation by their lengths, as Gale and Church do (1993): one sentence, or two more
 * that were joined, stand for one or two. Lengths are in characters of English.
 */

/** A sentence of the source, and the cost of an alignment that leaves it out. */
export interface Sentence {
  readonly length: number
  readonly omission: number
}

/** The cost of sentences that stand for each other: the square of the distance of their lengths, in standard deviations. */
const costOf = (source: number, translation: number): number => {
  const mean = (source + translation) / 2
  const variance = 2 * mean + (0.12 * mean) ** 2 + 20
  return (translation - source) ** 2 / (2 * variance)
}

/** Short ones are joined to a list. */
const mostJoined = 8

/** The numbers of sentences of the source, and of those of the translation that stand for them. */
const steps: ReadonlyArray<readonly [number, number]> = [
  ...Array.from({ length: mostJoined }, (_, index) => [index + 1, 1] as const),
  [1, 2],
  [2, 2]
]

/** Alignments stay so near to the diagonal, so that they take time in proportion to the texts. */
const band = 12

const sum = (lengths: ReadonlyArray<number>, from: number, to: number): number => {
  let total = 0
  for (let index = from; index < to; index++) total += lengths[index]!
  return total
}

/** The cost of the cheapest alignment. */
const cheapest = (
  source: ReadonlyArray<Sentence>,
  translation: ReadonlyArray<number>,
  mayOmit: boolean
): number => {
  const lengths = source.map(({ length }) => length)
  const width = translation.length + 1
  const costs = new Array<number>((source.length + 1) * width).fill(Number.POSITIVE_INFINITY)
  costs[0] = 0
  for (let row = 1; row <= source.length; row++) {
    const middle = Math.round((row * translation.length) / source.length)
    const last = Math.min(translation.length, middle + band)
    for (let column = Math.max(0, middle - band); column <= last; column++) {
      let least = mayOmit
        ? costs[(row - 1) * width + column]! + source[row - 1]!.omission
        : Number.POSITIVE_INFINITY
      for (const [rows, columns] of steps) {
        if (rows > row || columns > column) continue
        const before = costs[(row - rows) * width + column - columns]!
        const own = costOf(sum(lengths, row - rows, row), sum(translation, column - columns, column))
        least = Math.min(least, before + own)
      }
      costs[row * width + column] = least
    }
  }
  return costs.at(-1)!
}

/** The cost that an alignment with an omission has to save: two sentences alone tell less. */
const leastOfTwo = 3
const leastOfMany = 1.5

/** True if lengths tell that sentences of the source are left out, and not joined. */
export const isOmission = (source: ReadonlyArray<Sentence>, translation: ReadonlyArray<number>): boolean => {
  const joined = cheapest(source, translation, false)
  const isFar =
    joined - cheapest(source, translation, true) > (source.length === 2 ? leastOfTwo : leastOfMany)
  return joined < Number.POSITIVE_INFINITY && isFar
}
