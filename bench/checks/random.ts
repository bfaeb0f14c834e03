/** Randomness that the seed repeats. */

export interface Random {
  /** A whole number from 0 to below `bound`. */
  readonly below: (bound: number) => number
  readonly pick: <A>(from: ReadonlyArray<A>) => A
}

/** FNV-1a in 32 bits. */
export const hash = (text: string): number => {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** Mulberry32. */
export const makeRandom = (seed: string): Random => {
  let state = hash(seed)
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return { below, pick: (from) => from[below(from.length)]! }
}
