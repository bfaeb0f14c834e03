const size = 2 ** 24
const hashes = 4

/**
 * Keys that were added, in memory that does not grow, 2 MiB: of other keys it takes one in ten thousand for added once there are 400,000,
 * one in seven once there are 4,000,000.
 */
export class BloomFilter {
  private readonly bits = new Uint32Array(size / 32)

  add(key: string): void {
    const first = bitsOf(key, 0)
    const step = bitsOf(key, 6)
    for (let index = 0; index < hashes; index++) {
      const place = (first + index * step) % size
      this.bits[place >>> 5]! |= 1 << (place & 31)
    }
  }

  /** Whether a key was added, or maybe was. */
  mayHave(key: string): boolean {
    const first = bitsOf(key, 0)
    const step = bitsOf(key, 6)
    for (let index = 0; index < hashes; index++) {
      const place = (first + index * step) % size
      if ((this.bits[place >>> 5]! & (1 << (place & 31))) === 0) return false
    }
    return true
  }
}

/** The value of a lower-case hexadecimal digit. */
const digitOf = (code: number): number => (code & 15) + 9 * (code >> 6)

/** 24 bits of a key, which is a hash in hexadecimal digits. */
const bitsOf = (key: string, from: number): number => {
  let bits = 0
  for (let index = from; index < from + 6; index++) bits = (bits << 4) | digitOf(key.charCodeAt(index))
  return bits
}
