/** Counts different texts in bounded memory: it keeps 64 bits of a hash of each, up to a million of them. */
import { createHash } from "node:crypto"

const most = 1_000_000

export interface Unique {
  readonly add: (text: string) => void
  /** `undefined` if there are more than a million. */
  readonly count: () => number | undefined
}

export const make = (): Unique => {
  const seen = new Set<bigint>()
  return {
    add: (text) => {
      if (seen.size <= most && text.trim() !== "") {
        seen.add(createHash("sha256").update(text).digest().readBigUInt64LE())
      }
    },
    count: () => (seen.size <= most ? seen.size : undefined)
  }
}
